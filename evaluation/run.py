"""Measure how often a judge misses a defect or refuses a good ADR: `make eval`.

Each case is a change in a repository of its own, on which `helix-hooks approve` runs as a person
would run it. Without a key the real claude CLI speaks to a scripted model instead. That shows only
that everything around a judge works.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from evaluation import naive_reader, rates, report, seeded
from evaluation.rates import Run
from evaluation.seeded import Case
from helix_hooks.errors import HelixError, UsageError
from helix_hooks.judge.model import APIS, Api
from tests.fakes import judges
from tests.fakes.scripted_model import Model

FOLDER = Path(__file__).parent
_DESCRIPTION = (
    "How often does a judge miss what it should find, and refuse what is good? "
    "`make eval`, or `python -m evaluation --help`."
)
ALL = "all"
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")


def main() -> int:
    options = _options()
    try:
        if options.settings and not options.settings.is_file():
            raise UsageError(f"--settings {options.settings}: there is no such file")
        cases = _wanted(options)
        api = APIS.get((options.model or "").partition(":")[0])
        keys = api.keys if api else KEYS
        scripted = (api is not None or options.agent in (None, "claude")) and not any(
            os.environ.get(key) for key in keys
        )
        script = naive_reader.script_of_api if api else naive_reader.script
        with (
            tempfile.TemporaryDirectory(prefix="helix-evaluation-") as folder,
            Model(script) if scripted else nullcontext() as model,
        ):
            if api:
                options = _with_api_judge(options, Path(folder))
            runs = _runs(cases * options.repeat, options, _environment(model, api))
    except HelixError as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    print(
        report.as_json(runs, scripted) if options.format == "json" else report.text(runs, scripted)
    )
    return _exit_code(runs, scripted)


def _with_api_judge(options: argparse.Namespace, folder: Path) -> argparse.Namespace:
    """Return the options with settings of a judge by API, for a model such as `openai:gpt-4.1`.

    Raises UsageError for an agent or settings beside it.
    """
    if options.settings or options.agent:
        raise UsageError(f"--model {options.model}: remove --agent and --settings")
    place = folder / "approvals.yaml"
    agent = {"model": options.model}
    place.write_text(json.dumps({"agents": {"api": agent}, "defaults": {"agent": "api"}}))
    return argparse.Namespace(**{**vars(options), "settings": place, "model": None})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="evaluation", description=_DESCRIPTION, allow_abbrev=False
    )
    parser.add_argument("--agent", metavar="NAME", help="who judges: claude, or one of --settings")
    parser.add_argument(
        "--model", metavar="ID", help="the model's full id, or API:ID for a judge by API"
    )
    parser.add_argument(
        "--settings",
        metavar="FILE",
        type=Path,
        help="a config/approvals.yaml, for agents and limits of your own",
    )
    parser.add_argument(
        "--type", metavar="T", default="adr", help="approval type, or all (default: adr)"
    )
    parser.add_argument(
        "--repeat", metavar="N", type=_number, default=1, help="runs of each case (default: 1)"
    )
    parser.add_argument(
        "--jobs", metavar="N", type=_number, default=2, help="runs at the same time (default: 2)"
    )
    parser.add_argument(
        "--only",
        metavar="PATTERN",
        action="append",
        default=[],
        help="cases by their names, as in '010-*'; may be repeated",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--folder", metavar="DIR", type=Path, default=FOLDER, help="another folder with cases"
    )
    return parser.parse_args()


def _number(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of runs")
    return int(text)


def _wanted(options: argparse.Namespace) -> list[Case]:
    """The cases of the types that are asked for. Raises UsageError if there are none."""
    cases = seeded.cases(options.folder)
    types = sorted({case.type for case in cases})
    if options.type not in (ALL, *types):
        raise UsageError(f"--type {options.type}: there are cases of {', '.join(types)}, or all")
    found = [case for case in cases if options.type in (ALL, case.type)]
    cases = [case for case in found if _is_wanted(case, options.only)]
    if not cases:
        raise UsageError(f"no case is called {' or '.join(options.only)}")
    return cases


def _is_wanted(case: Case, patterns: list[str]) -> bool:
    return not patterns or any(fnmatchcase(case.name, pattern) for pattern in patterns)


def _environment(model: Model | None, api: Api | None) -> dict[str, str]:
    """That of the caller, with the claude CLI of the development tools behind the PATH; a scripted
    model takes the place of the API.
    """
    bundled = Path(judges.claude()).parent
    given = {
        **seeded.without_git(),
        "PATH": f"{os.environ.get('PATH', os.defpath)}{os.pathsep}{bundled}",
    }
    if not model:
        return given
    address = api.address if api else "ANTHROPIC_BASE_URL"
    return {
        **given,
        address: model.url,
        (api.keys if api else KEYS)[0]: "sk-scripted",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }


def _runs(
    cases: Sequence[Case], options: argparse.Namespace, environment: dict[str, str]
) -> list[Run]:
    """The runs in the order of the cases, in which they are told of on standard error too."""
    runs = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for number, run in enumerate(
            pool.map(partial(_run, options=options, environment=environment), cases), 1
        ):
            print(
                f"{number}/{len(cases)} {run.case.name}: {run.outcome}, {run.seconds:.1f} s",
                file=sys.stderr,
            )
            runs.append(run)
    return runs


def _run(case: Case, options: argparse.Namespace, environment: dict[str, str]) -> Run:
    with tempfile.TemporaryDirectory(prefix="helix-evaluation-") as name:
        seeded.lay_out(case, options.folder, Path(name), options.settings)
        began = time.monotonic()
        done = subprocess.run(
            _command(case, options),
            cwd=name,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - began
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return Run(
            case,
            "",
            seconds=seconds,
            reason=(done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1],
        )
    return _judged(Run(case, "", seconds=seconds), found)


def _command(case: Case, options: argparse.Namespace) -> list[str]:
    program = str(Path(sys.executable).parent / "helix-hooks")
    agent = ["--agent", options.agent] if options.agent else []
    model = ["--model", options.model] if options.model else []
    return [
        program,
        "approve",
        "--base",
        "main",
        "--type",
        case.type,
        "--format",
        "json",
        "--no-cache",
        *agent,
        *model,
    ]


def _judged(run: Run, found: dict[str, Any]) -> Run:
    """A run with what `approve` says of it; where no judge was asked, or none gave a verdict, it
    has no decision.
    """
    if not found["approvals"]:
        return run._replace(reason="; ".join(entry["reason"] for entry in found["not_judged"]))
    (verdict,) = found["approvals"]
    about = verdict["agent_context"]
    run = run._replace(
        cost=found["cost_usd"], judge=about["model"] or about["agent"], tries=about["attempts"]
    )
    if found["failed"]:
        return run._replace(reason="; ".join(found["reasons"]))
    failed = {name for name, result in verdict["checks"].items() if result == "failed"}
    briefs = frozenset((*failed, *(finding["check"] for finding in verdict["findings"])))
    return run._replace(decision=found["decision"], briefs=briefs)


def _exit_code(runs: Sequence[Run], scripted: bool) -> int:
    """Of a scripted model it counts only that each run gave a verdict."""
    without = rates.count(runs, rates.NONE)
    if without == len(runs):
        return 3
    met = scripted or all(row.met for row in rates.rows(runs))
    return 0 if met and not without else 1


if __name__ == "__main__":
    sys.exit(main())
