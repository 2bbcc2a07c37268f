"""A program that stands in for a judge and does what a case says: what no real judge does on command.

It is started for each judge, and so imports little: what few cases need is imported where they need it.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def whole(changed: dict[str, Any]) -> dict[str, Any]:
    with open(
        os.path.join(os.environ.get("HELIX_JUDGE", "../judge"), "schema.json"), encoding="utf-8"
    ) as file:
        properties = json.load(file)["properties"]
    plain: dict[str, Any] = {
        "result": "approved",
        "confidence": 0.95,
        "summary": "Sound and complete.",
        "findings": [],
        "recommendations": [],
    }
    checks = dict.fromkeys(properties["checks"]["required"], "passed")
    earlier = {name: item["enum"][0] for name, item in properties["earlier"]["properties"].items()}
    plain |= {"earlier": earlier} if earlier else {}
    if isinstance(changed.get("earlier"), str):  # one answer for all
        changed = {**changed, "earlier": dict.fromkeys(earlier, changed["earlier"])}
    found = {**plain, "checks": checks, "files": properties["files"]["items"]["enum"], **changed}
    return {key: value for key, value in found.items() if value is not None}


def result(changed: dict[str, Any], answer: dict[str, Any]) -> str:
    plain = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "num_turns": 1,
        "total_cost_usd": 0.01,
        "usage": {"output_tokens": 5},
    }
    return json.dumps({**plain, "structured_output": whole(answer), **changed})


def reads(left_out: list[str]) -> list[str]:
    """The record of a judge that opens each file under review, as the claude CLI prints it."""
    with open("../judge/schema.json", encoding="utf-8") as file:
        paths = json.load(file)["properties"]["files"]["items"]["enum"]
    paths += [path for path in ["../judge/earlier.json"] if os.path.exists(path)]
    paths = [path for path in paths if path not in left_out]
    return [line for number, path in enumerate(paths) for line in read(f"call-{number}", path)]


def read(id: str, path: str) -> tuple[str, str]:
    with open(path, encoding="utf-8", errors="replace", newline="") as file:
        text = "\n".join(
            f"{number}\t{line}" for number, line in enumerate(file.read().split("\n"), 1)
        )
    use = {"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": path}}
    shown = {"type": "tool_result", "tool_use_id": id, "content": text}
    called = {"type": "assistant", "message": {"id": "msg-reads", "content": [use]}}
    return json.dumps(called), json.dumps({"type": "user", "message": {"content": [shown]}})


def touch(case: dict[str, Any]) -> None:
    """What it does to the world around it."""
    if "environment" in case:
        with open(case["environment"], "w", encoding="utf-8") as file:
            json.dump({"argv": sys.argv[2:], **os.environ}, file)
    if "left" in case:
        import subprocess

        child = [sys.executable, "-c", "import time; time.sleep(60)", "left-behind", sys.argv[1]]
        subprocess.Popen(child, start_new_session=case["left"] == "session", env={})
    if "write" in case:
        os.chmod(case["write"], 0o644)
        with open(case["write"], "a", encoding="utf-8") as file:
            file.write("more\n")
    if "marks" in case:
        os.mkdir(case["marks"])  # fails where another judge has been


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        case: dict[str, Any] = json.load(file)
    given = sys.stdin.read()
    if "sent" in case:
        with open(f"{case['sent']}-{os.getpid()}", "x", encoding="utf-8") as file:
            file.write(given)
    touch(case)
    if "deaf" in case:
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "wrap" in case:
        print(
            json.dumps(
                {
                    case["wrap"]: f"```json\n{json.dumps(whole(case['answer']))}\n```",
                    **case.get("beside", {}),
                }
            )
        )
    elif "answer" in case:
        print(json.dumps(whole(case["answer"])))
    if "result" in case:
        print(*(reads(case.get("unread", [])) if case.get("reads", True) else []), sep="\n")
        print(result(case["result"], case.get("structured", {})))
    for line in case.get("print", []):
        print(line)
    sys.stderr.write(case.get("errors", ""))
    sys.stdout.flush()
    for _ in range(case.get("flood", 0)):
        sys.stdout.write("x" * 1_000_000)
    if "sleep" in case:
        import time

        time.sleep(case["sleep"])
    if "signal" in case:
        os.kill(os.getpid(), case["signal"])
    raise SystemExit(case.get("exit", 0))


main()
