"""Run the commands of the settings, and the tests that criteria name, as evidence.

They execute the code under verification with the rights of the user, and that code can forge a
report of tests. So they run only in a work tree. Jobs with a secret or a write token must not run
them.
"""

import os
import shlex
import stat
import tempfile
import time
from collections.abc import Iterable, Mapping

from ..adr.promises import Named
from ..config.approvals import VerifySettings
from ..errors import HelixError
from ..proc.run import Limits, Stop
from ..text import printable
from ..verification.evidence import FAILED, UNKNOWN, CommandFact, RunFact
from ..verification.junit import ReportError, outcomes
from .agent_run import AgentCommand, RunEnd, run

_SHOWN = 300
"""Maximum characters of a line in a message."""
_MOST_BYTES = 20_000_000
"""Maximum size of a report of tests."""


def run_commands(settings: VerifySettings, root: str) -> Mapping[str, CommandFact]:
    """Run the commands one after the other in the work tree. Return the facts by command text."""
    return {
        command.text: _fact(command.text, _run(command.argv, settings.timeout, root))
        for command in settings.commands
    }


def not_run(settings: VerifySettings, reason: str) -> Mapping[str, CommandFact]:
    """Return the facts of commands that were not run."""
    return {
        command.text: CommandFact(passed=False, reason=reason, ran=False)
        for command in settings.commands
    }


def run_tests(
    settings: VerifySettings, root: str, paths: Mapping[Named, str]
) -> Mapping[Named, RunFact]:
    """Run tests in the work tree, and return the run of each. `paths` are their files.

    They run together. A runner may refuse all because it does not find one, so those without a
    result run again, each alone. The time limit is that of all together.

    Raises:
        HelixError: The command can't be started.
    """
    deadline = time.monotonic() + settings.timeout
    runs, rest = _run_once(settings.tests, paths, settings.timeout, root)
    for name, path in paths.items():
        if name in runs:
            continue
        seconds = deadline - time.monotonic()
        if len(paths) > 1 and seconds > 0:
            alone, rest = _run_once(settings.tests, {name: path}, seconds, root)
            runs |= alone
        runs.setdefault(name, rest)
    return runs


def _run_once(
    command: tuple[str, ...], paths: Mapping[Named, str], seconds: float, root: str
) -> tuple[dict[Named, RunFact], RunFact]:
    """Run tests, and return the run of each that the report has, and that of all others.

    Raises:
        HelixError: The command can't be started.
    """
    with tempfile.TemporaryDirectory(prefix="helix-hooks-tests-") as folder:
        report = os.path.join(folder, "junit.xml")
        ended = _run(_argv(command, report, map(_id, paths, paths.values())), seconds, root)
        if not ended.is_started:
            raise HelixError(f"the named tests were not run: {ended.problem}")
        problem = f": {ended.problem}{_last_line(ended.output)}" if ended.problem else ""
        try:
            runs = outcomes(_content(report), paths, root)
        except (OSError, ReportError) as error:
            runs, problem = {}, problem or f": it wrote no report: {error}"
    if problem:
        return runs, RunFact(FAILED, f"`{command[0]}` did not run the test{problem}")
    return runs, RunFact(UNKNOWN, f"`{command[0]}` has no result for the test")


def _argv(command: tuple[str, ...], report: str, ids: Iterable[str]) -> tuple[str, ...]:
    """Return a command with the place of its report and the ids of tests.

    A word that is `{tests}` becomes a word for each id; inside another word the ids are quoted.
    """
    tests = [*ids]
    words: list[str] = []
    for word in command:
        if word == "{tests}":
            words += tests
        else:
            words.append(word.replace("{junit}", report).replace("{tests}", shlex.join(tests)))
    return tuple(words)


def _id(name: Named, path: str) -> str:
    """Return the id of a test in the form of pytest. It never looks like an option."""
    start = f"./{path}" if path.startswith(("-", "@")) else path
    parameters = f"[{name.parameters}]" if name.parameters else ""
    return "::".join((start, *name.text.split("."))) + parameters


def _content(report: str) -> bytes:
    """Return the report that the runner wrote. Raises OSError, ReportError."""
    # By a link or a pipe in its place, the tests could have this process read another file.
    if not os.path.lexists(report):
        raise ReportError("there is no file")
    if not stat.S_ISREG(os.lstat(report).st_mode):
        raise ReportError("it is no file")
    with open(report, "rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ReportError(f"it is larger than {_MOST_BYTES // 1_000_000} MB")
    return data


def _run(argv: tuple[str, ...], seconds: float, root: str) -> RunEnd:
    command = AgentCommand(argv=argv, folder=root, environment=os.environ, limits=Limits(seconds))
    return run(command, os.devnull, os.devnull, _show_nothing, Stop())


def _fact(text: str, ended: RunEnd) -> CommandFact:
    """Return the fact of a command that ran. `is_broken` if it can't be started."""
    if not ended.is_started:
        reason = f"`{text}` was not run: {ended.problem}"
        return CommandFact(passed=False, reason=reason, is_broken=True)
    if ended.problem:
        reason = f"`{text}` failed: {ended.problem}{_last_line(ended.output)}"
        return CommandFact(passed=False, reason=reason)
    return CommandFact(passed=True)


def _show_nothing(_line: str) -> None:
    """Show nothing of a command's output."""


def _last_line(output: str) -> str:
    """Return the last line of a command's output as the end of a message; "" if there is none."""
    rows = output.strip().splitlines()
    if not rows:
        return ""
    return f": {printable(' '.join(rows[-1].split()), _SHOWN)}"
