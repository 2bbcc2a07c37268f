"""One try of a judge: its folder, its run under limits, and the data of its answer."""

import os
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from ..config.agents import Agent
from ..errors import HelixError
from ..text.masking import Secrets, masked
from ..verdict import reading
from ..verdict.verdict import ReadText
from . import process, workspace
from .claude import CLAUDE
from .command import COMMAND
from .process import Limits, Stop
from .provider import Call, FailedError, Provider, Reader, Usage
from .question import EARLIER, Question

PROVIDERS = {"claude": CLAUDE, "command": COMMAND}

_STOPPED = {
    "time": (
        "timeout",
        "the judge had no answer after {} seconds",
        "raise `timeout` in config/approvals.yaml, or review fewer files at once",
    ),
    "output": ("output", "the judge printed more than {} MB", ""),
    "asked": ("agent", "the run was stopped", ""),
}


class Outside(NamedTuple):
    """Values and functions from outside that a review needs.

    `read` returns the text of a reviewed file, None for one that a judge is not given. `secrets`
    are what no result may hold. `tell` gets the seconds of the current try and what its judge does,
    `keep` the folder of each try, which is removed if `keep` is None.
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
        except BaseException as error:  # noqa: BLE001 -- raised again by whoever waits
            self._error = error

    def wait(self) -> None:
        """Raises FailedError."""
        self._thread.join()
        if self._error:
            raise self._error


class Left(NamedTuple):
    """Seconds and US dollars that a try may use."""

    seconds: float
    dollars: float


class Answered(NamedTuple):
    """The data of an answer, and the parts of reviewed files that its judge has not read."""

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
    """Ask the judge once about files with these texts. Raises FailedError.

    What the try used is added to `usages`, also if it fails, but not if it did not start.
    """
    provider = PROVIDERS[question.agent.provider]
    asked = question.texts(texts, "" if provider.records else new_boundary())
    return asked_once(question, provider, asked, outside, readiness, left, usages)


def new_boundary() -> str:
    """Return a word that no author of a file can know."""
    return f"file-{os.urandom(16).hex()}"


def asked_once(
    question: Question,
    provider: Provider,
    asked: dict[str, bytes],
    outside: Outside,
    readiness: Readiness,
    left: Left,
    usages: list[Usage],
) -> Answered:
    """Ask a judge once by the texts `asked` of its folder. Raises FailedError."""
    folder = workspace.fresh(outside.root)
    try:
        work = workspace.build(folder, outside.root, question.entries, asked)
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
    """Run the judge. Its answer counts only if it left its inputs as they were."""
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
            "the judge changed files that it was to judge",
            "give it read-only tools",
        )
    paths = [*question.paths, *([EARLIER] if question.earlier_text else [])]
    unread = _unread(paths, call.work, reader) if provider.records else ()
    if not isinstance(data, dict):
        raise FailedError("parse", "the answer is no JSON object", again=True)
    return Answered(data, unread)


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
        name = call.agent.command[0]
        raise FailedError("spawn", f"{name} could not be started: {error.strerror}") from None


def _stopped(reason: str, timeout: int) -> FailedError:
    check, message, help = _STOPPED[reason]
    amount = timeout if reason == "time" else Limits(0).output // 1_000_000
    return FailedError(check, message.format(amount), help, again=reason == "time")


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
    text = os.urandom(16).hex()
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-8{text[17:20]}-{text[20:]}"
