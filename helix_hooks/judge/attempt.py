"""One attempt of a judge: its folder, its run under limits, and the data of its answer."""

import os
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from ..config.agents import API, Agent
from ..errors import HelixError
from ..proc import run as process
from ..proc.run import Limits, Stop
from ..text.masking import Secrets, masked
from ..verdict import reading
from ..verdict.verdict import ReadText
from . import workspace
from .claude import CLAUDE
from .command import COMMAND
from .model import MODEL
from .provider import Call, FailedError, Provider, Reader, Usage
from .question import EARLIER, Question

PROVIDERS = {"claude": CLAUDE, "command": COMMAND, API: MODEL}

_STOPPED = {
    "time": (
        "timeout",
        "the judge did not answer within {} seconds",
        "raise `timeout` in config/approvals.yaml, or review fewer files at once",
    ),
    "output": ("output", "the judge printed more than {} MB", ""),
    "asked": ("agent", "the run was stopped", ""),
}


class Outside(NamedTuple):
    """Values and functions that the caller of a review passes in.

    `read` returns the text of a reviewed file, or None for a file that a judge may not read. No
    result may contain one of the `secrets`. `tell` gets the seconds of the current attempt, and the
    activity of its judge. `keep` gets the folder of each attempt; without it the folder is removed.
    """

    root: str
    read: ReadText
    environment: dict[str, str]
    secrets: Secrets
    stop: Stop
    tell: Callable[[float, str], None]
    keep: Callable[[str], None] | None = None


class Readiness:
    """A provider's check that it can run, made while the folder of the first try is written."""

    def __init__(self, provider: Provider, agent: Agent, environment: dict[str, str]) -> None:
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._check, args=(provider, agent, environment))
        self._thread.start()

    def _check(self, provider: Provider, agent: Agent, environment: dict[str, str]) -> None:
        try:
            provider.ready(agent, environment)
        except BaseException as error:  # noqa: BLE001 -- `wait` raises it again
            self._error = error

    def wait(self) -> None:
        """Wait for the end of the check.

        Raises:
            FailedError: The provider can't run.
        """
        self._thread.join()
        if self._error:
            raise self._error


class Left(NamedTuple):
    """Seconds and US dollars that an attempt may use."""

    seconds: float
    dollars: float


class Answered(NamedTuple):
    """The data of an answer, and the parts of reviewed files that its judge did not read."""

    data: dict[str, object]
    unread: tuple[reading.Unread, ...]


def attempt(
    question: Question,
    texts: dict[str, str],
    outside: Outside,
    readiness: Readiness,
    left: Left,
    usages: list[Usage],
) -> Answered:
    """Ask the judge once about files with these texts.

    The usage is added to `usages`, also after a failure, unless the judge did not start.

    Raises:
        FailedError: The judge gave no answer.
    """
    provider = PROVIDERS[question.agent.provider]
    # A provider that does not record what was read gets the files in its message.
    boundary = ""
    if not provider.records:
        boundary = new_boundary()
    inputs = question.texts(texts, boundary)
    return asked_once(question, provider, inputs, outside, readiness, left, usages)


def new_boundary() -> str:
    """Return a random word, which no author of a file can guess."""
    return f"file-{os.urandom(16).hex()}"


def asked_once(
    question: Question,
    provider: Provider,
    inputs: dict[str, bytes],
    outside: Outside,
    readiness: Readiness,
    left: Left,
    usages: list[Usage],
) -> Answered:
    """Ask a judge once. `inputs` are the files of its folder, by path.

    Raises:
        FailedError: The judge gave no answer.
    """
    folder = workspace.fresh(outside.root)
    try:
        work = workspace.build(folder, outside.root, question.entries, inputs)
        readiness.wait()
        call = Call(
            work=work,
            agent=question.agent,
            run=question.type.run,
            schema=question.schema,
            budget=left.dollars,
            session=_uuid(),
        )
        return _answer(question, provider, call, outside, left.seconds, usages)
    except HelixError as error:
        raise FailedError("setup", str(error)) from None
    finally:
        if outside.keep:
            workspace.keep(folder)
            outside.keep(folder)
        else:
            workspace.Workspace(folder).remove()


def _answer(
    question: Question,
    provider: Provider,
    call: Call,
    outside: Outside,
    seconds: float,
    usages: list[Usage],
) -> Answered:
    """Run the judge. Its answer counts only if its inputs are unchanged afterwards."""
    before = workspace.fingerprint(call.work, question.paths)
    reader = provider.reader()
    try:
        ended = _run(call, provider, reader, outside, seconds)
        if ended.stopped:
            raise _stopped(ended.stopped, call.run.timeout)
        data = reader.answer(ended)
    finally:
        usages.append(reader.usage())
    if workspace.fingerprint(call.work, question.paths) != before:
        raise FailedError(
            "agent",
            "the judge modified files under review",
            "give it read-only tools",
        )
    if not isinstance(data, dict):
        raise FailedError("parse", "the answer is not a JSON object", again=True)
    if not provider.records:
        return Answered(data, ())
    paths = question.paths
    if question.earlier_text:
        paths = [*paths, EARLIER]
    return Answered(data, _unread(paths, call.work, reader))


def _run(
    call: Call,
    provider: Provider,
    reader: Reader,
    outside: Outside,
    seconds: float,
) -> process.Ended:
    began = time.monotonic()

    def tell() -> None:
        outside.tell(time.monotonic() - began, masked(reader.doing(), outside.secrets))

    try:
        return process.run(
            provider.argv(call),
            call.work.repo,
            provider.environment(call, outside.environment),
            os.path.join(call.work.judge, provider.stdin),
            Limits(max(0.1, seconds)),
            process.Listeners(reader.feed, tell),
            outside.stop,
        )
    except OSError as error:
        name = os.path.basename(provider.argv(call)[0])
        raise FailedError("spawn", f"{name} could not be started: {error.strerror}") from None


def _stopped(reason: str, timeout: int) -> FailedError:
    """Return the failure of a judge that was stopped for `time`, `output` or because `asked`."""
    check, message, help = _STOPPED[reason]
    amounts = {"time": timeout, "output": Limits(0).output // 1_000_000}
    return FailedError(check, message.format(amounts.get(reason)), help, again=reason == "time")


def _unread(
    paths: list[str],
    work: workspace.Workspace,
    reader: Reader,
) -> tuple[reading.Unread, ...]:
    files = {}
    for path in paths:
        with open(os.path.join(work.repo, path), "rb") as file:
            files[path] = file.read()
    return reading.unread(files, reader.shown(), work.repo)


def _uuid() -> str:
    """Return a random UUID of version 4. The module `uuid` would cost start-up time."""
    text = os.urandom(16).hex()
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-8{text[17:20]}-{text[20:]}"
