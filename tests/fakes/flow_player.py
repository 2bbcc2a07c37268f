"""A scripted author, judge or prompt of a flow: it ends as its line in the script of a case says.

`flow_player.py FOLDER create|prompt|judge [PHASE]`. FOLDER has `script.json`, with the lines of the
case, and `next`, the number of the line that is played next. A program waits until its own line is
the next one, and until the run has recorded the end of the task before, so that phases at the same
time end in the order of the script. `log.jsonl` gets what each program was given and which line
it played.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

FOLDER, ROLE = Path(sys.argv[1]), sys.argv[2]
SCRIPT = json.loads((FOLDER / "script.json").read_text())
LINES, RUNS = SCRIPT["lines"], Path(SCRIPT["runs"])
PATIENCE = 60
ADDITIONS = ("cost", "write", "restore")
"""Words of the lines that belong to the next line."""


def main() -> None:
    if ROLE == "prompt":
        print(f"Plan the work.\n\n{sys.stdin.read()}")
    elif ROLE == "create":
        create(os.environ["HELIX_PHASE"])
    else:
        judge(sys.argv[3])


def create(phase: str) -> None:
    """Write the outputs of a phase. If a judge asks about them, the line is left to the judge."""
    prompt, feedback = sys.stdin.read(), os.environ["HELIX_FEEDBACK_FILE"]
    stage = Path(os.environ["HELIX_PROMPT_FILE"]).parent.name
    if feedback and Path(feedback).read_text().strip() not in prompt:
        sys.exit("the prompt has other feedback than the file")
    log(started=phase, task=stage, prompt=prompt)
    number = int(stage.partition("-")[0])
    word = "approved" if phase in SCRIPT["judged"] else play(phase)[0]
    if word == "approved":
        for path in SCRIPT["outputs"][phase]:
            write(path, made(path, f"{phase} {number}"))
            write(f"{FOLDER}/{path}", made(path, f"{phase} {number}"))
    print(f"printed by task {number}")
    if word == "failed":
        sys.exit(1)


def made(path: str, version: str) -> str:
    if path.endswith(".md"):
        return f"{SCRIPT['adr']}\nBy {version}.\n"
    return "".join(f"LINE_{number} = '{version}'\n" for number in range(1, 13))


def judge(phase: str) -> None:
    schema = json.loads((Path(os.environ["HELIX_JUDGE"]) / "schema.json").read_text())["properties"]
    files, briefs = schema["files"]["items"]["enum"], schema["checks"]["required"]
    word, place, text, cost = play(phase)
    if word == "failed":
        sys.exit(text)
    findings = []
    if word == "rejected":
        path, _, line = place.partition(":")
        path = path if path in files else files[0]
        evidence = Path(path).read_text().splitlines()[int(line or 1) - 1]
        finding = {"severity": "error", "check": briefs[0], "message": text, "path": path}
        findings.append(finding | {"line": int(line or 1), "evidence": evidence, "help": "mend it"})
    answer = {
        "result": "rejected" if findings else "approved",
        "confidence": 0.5 if word == "unsure" else 0.95,
        "summary": text or "Sound.",
        "findings": findings,
        "recommendations": ["ask the owner"] if findings else [],
        "checks": dict.fromkeys(briefs, "passed") | ({briefs[0]: "failed"} if findings else {}),
        "files": files,
    }
    if earlier := schema["earlier"]["properties"]:
        answer["earlier"] = dict.fromkeys(earlier, "fixed")
    print(json.dumps({"answer": answer, "cost_usd": cost}))


def play(phase: str) -> tuple[str, str, str, float]:
    """Wait for the line of a phase, and return its word, its place, its text and its cost."""
    mark = FOLDER / f"waits-{phase}"
    mark.touch()
    deadline = time.monotonic() + PATIENCE
    while not is_next(phase):
        if time.monotonic() > deadline:
            sys.exit(f"the script has no line for {phase} now")
        time.sleep(0.02)
    mark.unlink()
    cost = 0.0
    number = int((FOLDER / "next").read_text())
    while (words := LINES[number].split(" ", 2))[0] in ADDITIONS:
        add(number)
        cost = float(words[1]) if words[0] == "cost" else cost
        number += 1
    if ROLE == "create" and cost:
        Path(os.environ["HELIX_COST_FILE"]).write_text(json.dumps({"cost_usd": cost}))
    log(played=phase, task=newest(phase)["number"], line=number)
    _, word, *rest = LINES[number].split(" ", 2)
    place, _, text = (rest or [""])[0].partition(" ")
    move(number + 1)
    if ":" not in place:
        place, text = "", f"{place} {text}".strip()
    return word, place, text, cost


def is_next(phase: str) -> bool:
    """Return whether the next line ends the task of a phase, and no earlier end is open."""
    number = int((FOLDER / "next").read_text() or len(LINES))
    while number < len(LINES) and LINES[number].split()[0] in ADDITIONS:
        number += 1
    if number >= len(LINES) or LINES[number].split()[0] != phase:
        return False
    entries = [entry for entry in entries_of(FOLDER / "log.jsonl") if "played" in entry]
    if not entries:
        return True
    last, event = entries[-1], newest(entries[-1]["played"])
    # A gate whose files changed while it ran is asked again for the same task.
    return last["played"] == phase or (event["number"], event["state"]) != (last["task"], "running")


def newest(phase: str) -> dict[str, Any]:
    """Return the last event of a phase in the newest run."""
    events = entries_of(newest_run() / "events.jsonl")
    return [event for event in events if event["phase"] == phase][-1]


def newest_run() -> Path:
    """Return the folder of the newest run."""
    logs = RUNS.glob("*/events.jsonl")
    return max(logs, key=lambda path: path.stat().st_mtime_ns).parent


def entries_of(path: Path) -> list[dict[str, Any]]:
    """Return the complete lines of a file."""
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text.split("\n")[:-1]]


def add(number: int) -> None:
    """Do what a line says that belongs to the line after it."""
    action, *words = LINES[number].split(" ", 2)
    if action == "write":
        before = (newest_run() / "tree" / words[0]).read_text()
        text = f"{before}\n{number}\n"
        if len(words) > 1:
            text = words[1].replace("\\n", "\n") + "\n"
        write(words[0], text)
    elif action == "restore":
        write(words[0], (FOLDER / words[0]).read_text())


def write(path: str, text: str) -> None:
    place = newest_run() / "tree" / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def log(**entry: object) -> None:
    with (FOLDER / "log.jsonl").open("a") as file:
        file.write(f"{json.dumps(entry)}\n")


def move(number: int) -> None:
    """Say which line is next, in one step for those who read it."""
    place = FOLDER / f"next-{os.getpid()}"
    place.write_text(str(number))
    place.replace(FOLDER / "next")


if __name__ == "__main__":
    main()
