"""The hook that gives an agent the decisions that govern a file, before the agent edits it.

A session gets each decision once, with the first file that it reads or edits under it. Reading
gives the text beside the content. An edit under a decision that the session has not got does not
run: the text is its result, and the agent may repeat the edit, to which the permissions of the user
apply. Calls of one message run together, so of two edits in it the second one may run.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping

from .. import git, writing
from ..agents.file_use import FileUse, SessionStart, answer, read
from ..agents.payload import UnknownPayloadError
from ..errors import HelixError
from ..text import counted, printable
from .base_decisions import decisions_of
from .decisions_text import decisions_text, doubts, fitting, titles
from .governing import Governing

_FOLDER = os.path.join("helix-hooks", "decisions")
_DAYS = 7
"""Days after which the memory of a session that got no decision is removed."""

_TITLE = "Accepted architecture decisions (ADRs) of this repository, read from {}:"
_REFUSED = "\nThe edit did not run. Repeat it if it agrees with them; if it can't, tell the user.\n"


def answered(
    agent: str, payload: bytes, base: str, budget: int, variables: Mapping[str, str]
) -> str:
    """Return the answer to a payload in the protocol of the agent, "" for none.

    Raises:
        HelixError: The payload is invalid, or the base or the memory can't be used.
    """
    try:
        use = read(agent, payload)
    except UnknownPayloadError as error:
        raise HelixError(f"invalid payload of a hook of {agent}: {error}") from None
    if use is None:
        return ""
    try:
        # The agent may have left the project whose hook this is. Gemini CLI sets it too.
        os.chdir(variables.get("CLAUDE_PROJECT_DIR") or use.folder)
        root = git.repository()
        if not root:
            return ""
        memory = os.path.join(_common(root), _FOLDER)
        session = os.path.join(memory, hashlib.sha256(use.session.encode()).hexdigest())
        if isinstance(use, SessionStart):
            _forget(memory, "" if use.is_resumed else session)
            context = _at_start(root, base, budget)
        else:
            context = _about(use, root, session, base, budget)
    except OSError as error:
        raise HelixError(f"{error.filename}: {error.strerror}") from None
    return answer(agent, use, context) if context else ""


def _common(root: str) -> str:
    """Return the git directory that all work trees of a repository share."""
    return os.fsdecode(git.run(git.COMMON, root).stdout.removesuffix(b"\n"))


def _at_start(root: str, base: str, budget: int) -> str:
    decisions = decisions_of(root, (), base)
    lines = [*doubts(decisions)]
    if decisions.accepted:
        number = f"{counted(decisions.accepted, 'accepted ADR')} (architecture decisions)"
        lines = [
            f"This repository has {number} on {printable(decisions.base)}.",
            "You get those that govern a file when you first read or edit it.",
            "`helix-hooks decisions PATH...` prints them before you plan.",
            *lines,
        ]
    text = "".join(f"{line}\n" for line in lines)
    return text + titles(decisions.others, budget - len(text))


def _about(use: FileUse, root: str, session: str, base: str, budget: int) -> str:
    """Return the decisions about a file that the session has not got; "" if there are none."""
    place = os.path.realpath(os.path.dirname(os.path.join(use.folder, use.file)))
    while not os.path.isdir(place):
        place = os.path.dirname(place)
    os.chdir(place)
    own_root = git.repository()
    # A foreign repository must not speak for the team; a linked work tree may.
    if not own_root or _common(own_root) != _common(root):
        return ""
    (file,) = git.paths_in(own_root, [os.path.join(use.folder, use.file)])
    decisions = decisions_of(own_root, [file], base)
    new = tuple(_unknown(decisions.governing, session))
    if not new:
        return ""
    for item in new[fitting(new, budget) :]:
        os.remove(_memory_of(item, session))
    shown = decisions_text(decisions._replace(governing=new, others=()), [file], budget)
    lines = "".join(f"{line}\n" for line in doubts(decisions))
    after = _REFUSED if use.is_edit else ""
    return f"{_TITLE.format(printable(decisions.base))}\n\n{shown}{lines}{after}"


def _unknown(decisions: tuple[Governing, ...], session: str) -> Iterator[Governing]:
    """Yield the decisions that a session has not got, and remember them. Raises OSError."""
    for item in decisions:
        os.makedirs(session, mode=0o700, exist_ok=True)
        try:
            # Of two hooks that run at once, one creates the file.
            writing.create(_memory_of(item, session), b"")
        except FileExistsError:
            continue
        yield item


def _memory_of(item: Governing, session: str) -> str:
    """Return the file that says that a session has got a decision, by its content."""
    one = item.decision
    content = repr((one.path, one.title, one.sentence, one.rejected))
    return os.path.join(session, hashlib.sha256(content.encode()).hexdigest())


def _forget(memory: str, session: str) -> None:
    """Remove the memory of a session, and of those that ended long ago."""
    if not os.path.isdir(memory):
        return
    oldest = time.time() - _DAYS * 24 * 3600
    for entry in os.scandir(memory):
        if entry.path == session or entry.stat().st_mtime < oldest:
            shutil.rmtree(entry.path, ignore_errors=True)
