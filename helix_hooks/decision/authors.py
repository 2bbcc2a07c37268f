"""The authors of a change, who may not approve it, and the coding agents among them. Pure.

GitHub and git each name authors, and co-authors are only in the message. An agent is only
recognised by its name: a trailer that was deleted, or never written, leaves no trace.
`policy.authors.agents.names` adds names.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from ..text import CLASS, listed, one_line
from .pull_request import Commit, Person

_NO_ID = -1
"""The number of a user who is known only by login. No user has it."""

_NOREPLY = re.compile(r"(?:(\d+)\+)?([^@+]+)@users\.noreply\.", re.IGNORECASE)
_LOGIN = re.compile(r"@?([A-Za-z0-9][A-Za-z0-9-]{0,38})")
"""A co-author's name that may be a login: GitHub limits logins to 39 characters."""


def apart_from(writers: Sequence[str]) -> str:
    """Return the words for people who may not decide, with the names of authors if known."""
    if not writers:
        return "not the authors of the change"
    return f"not the authors of the change ({listed(writers)})"


def wrote(person: Person, commit: Commit) -> bool:
    """Return whether a person is an author, the committer or a co-author of a commit.

    A person is recognised by GitHub's number, by the noreply address that GitHub gives to each
    user, or by a login as the name of a co-author.
    """
    if any(author.id == person.id for author in commit.people):
        return True
    trailers = commit.co_authors
    login = person.login.casefold()
    if any(login == name.lstrip("@").casefold() for name, _ in trailers):
        return True
    return any(_is_address_of(person, address) for address in _addresses(commit, trailers))


def _addresses(commit: Commit, trailers: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return (*commit.emails, *(address for _, address in trailers))


def is_author(login: str, commit: Commit) -> bool:
    """Return whether a user, known only by login, wrote or co-wrote a commit."""
    people = (person.login.casefold() for person in commit.people)
    return login.casefold() in people or wrote(Person(login, _NO_ID), commit)


def _is_address_of(person: Person, address: str) -> bool:
    match = _NOREPLY.match(address)
    if match is None:
        return False
    # The number comes first where both are known: a login can be changed and taken by others.
    if match[1] and person.id != _NO_ID:
        return match[1] == str(person.id)
    return match[2].casefold() == person.login.casefold()


def writers(author: Person, commits: Iterable[Commit]) -> tuple[str, ...]:
    """Return the logins of all authors of a change, first the author of the pull request.

    They are for display only: `wrote` also compares numbers, so a changed login does not help.
    """
    logins = [author.login]
    for commit in commits:
        logins += _logins(commit)
    distinct: dict[str, str] = {}
    for login in logins:
        distinct.setdefault(login.casefold(), login)
    return tuple(distinct.values())


def _logins(commit: Commit) -> list[str]:
    trailers = commit.co_authors
    addresses = (_NOREPLY.match(address) for address in _addresses(commit, trailers))
    names = (_LOGIN.fullmatch(name) for name, _ in trailers)
    logins = [person.login for person in commit.people]
    logins += [match[2] for match in addresses if match]
    logins += [match[1] for match in names if match]
    return logins


NAMES = frozenset(
    (
        "aider", "amazon q", "amazon q developer", "amp", "antigravity", "augment", "chatgpt",
        "claude", "cline", "codex", "codex cli", "continue", "copilot", "copilot autofix", "crush",
        "cursor", "devin", "factory droid", "gemini", "gemini code assist", "github copilot",
        "goose", "gpt", "grok", "jules", "junie", "kilo code", "kilocode", "kimi", "kiro", "llm",
        "openai codex", "opencode", "openhands", "qwen", "qwen coder", "replit agent", "roo",
        "roo code", "sweep", "sweep ai", "swe agent", "trae", "warp", "windsurf", "zencoder",
    )
)  # fmt: skip
"""Names in lowercase, with spaces; words such as `code`, `agent` or a version may follow."""

FIRST_NAMES = frozenset(("claude", "devin", "jules", "junie"))
"""Names of agents that are first names of people too."""

ADDRESSES = frozenset(
    (
        "agent@warp.dev", "aider@aider.chat", "amp@ampcode.com", "cline@cline.ai",
        "codex@openai.com", "continue@continue.dev", "copilot@github.com",
        "crush@charm.land", "cursoragent@cursor.com", "devin@cognition.ai",
        "gemini-code-assist@google.com", "gemini@google.com", "jules@google.com",
        "junie@jetbrains.com", "noreply@aider.chat", "noreply@ampcode.com",
        "noreply@anthropic.com", "noreply@cursor.sh", "noreply@google.com",
        "noreply@kilocode.ai", "noreply@openai.com", "noreply@opencode.ai",
        "noreply@sourcegraph.com", "openhands@all-hands.dev", "qwen-coder@alibabacloud.com",
    )
)  # fmt: skip
"""E-mail addresses in lowercase."""

LOGINS = frozenset(("copilot", "cursoragent", "openhands-agent", "claude", "codex", "aider"))
"""Logins in lowercase. A login that ends in `[bot]` is an agent too."""

_SUFFIX = re.compile(
    r"ai|agent|assistant|bot|cli|code|coder|developer|flash|haiku|ide|max|mini|nano|opus|pro|sonnet"
    r"|turbo|[a-z]?\d[\w.]*"
)
"""Words that may follow the name of an agent."""

_INVISIBLE = re.compile(f"[{CLASS}]")
_NOREPLY_ADDRESS = re.compile(r"(?:\d+\+)?([^@+]+)@users\.noreply\.[^@]+")
_SIGNED = re.compile(r"\(([^()]+)\)$")
_SPLIT = re.compile(r"[\s_/:-]+")


def is_agent_login(login: str, more: Iterable[str] = ()) -> bool:
    """Return whether a login is that of an agent. `more` are further names, from the settings."""
    plain = _plain(login)
    return plain in LOGINS or plain.endswith("[bot]") or _is_one_of(plain, more)


def is_agent_address(address: str, more: Iterable[str] = ()) -> bool:
    """Return whether an e-mail address, or the account in one of GitHub's, is that of an agent."""
    plain = _plain(address)
    account = _NOREPLY_ADDRESS.fullmatch(plain)
    if account and is_agent_login(account[1], more):
        return True
    return plain in ADDRESSES or _is_one_of(plain, more)


def is_agent_name(name: str, more: Iterable[str] = (), *, in_trailer: bool = False) -> bool:
    """Return whether a name is that of an agent, as in `Claude Opus 4.5` or `Jo (aider)`.

    Width, case and invisible characters are ignored. Outside a trailer, a first name alone is that
    of a person.
    """
    plain = _plain(name)
    if _is_one_of(plain, more):
        return True
    if plain in FIRST_NAMES and not in_trailer:
        return False
    signed = _SIGNED.search(plain)
    return _is_name(plain) or (signed is not None and _is_name(signed[1]))


def _is_one_of(plain: str, more: Iterable[str]) -> bool:
    return bool(plain) and plain in map(_plain, more)


def _is_name(plain: str) -> bool:
    """Return whether a text is the name of an agent, which suffixes may follow."""
    words = [word for word in _SPLIT.split(plain.partition("(")[0]) if word]
    for size in range(1, len(words) + 1):
        if " ".join(words[:size]) in NAMES and all(map(_SUFFIX.fullmatch, words[size:])):
            return True
    return False


def _plain(text: str) -> str:
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(visible.casefold().split())


UNLISTED = "unknown authors: not all commits could be listed"
"""Used instead of names if the commits could not be listed: then agents are assumed."""

_TRAILER = re.compile(
    r"^[ \t]*(?:assisted|generated|made)-(?:by|with):[ \t]*([^<\n]*)(?:<([^>\n]*)>)?",
    re.IGNORECASE | re.MULTILINE,
)
_FIRST = re.compile(r"[:/,;\[\](]")
_MOST, _LONGEST = 10, 60


def agents_in(
    author: Person, commits: Iterable[Commit], agent_names: Iterable[str] = ()
) -> tuple[str, ...]:
    """Return the names of agents, each once, at most ten.

    `agent_names` are the agents that the settings add.
    """
    configured = tuple(agent_names)
    names = [author.login] if _is_agent(author, configured) else []
    for commit in commits:
        names += [*_contributors(commit, configured), *_in_trailers(commit, configured)]
    distinct = {name.casefold(): one_line(name, _LONGEST) for name in names if name}
    return tuple(distinct.values())[:_MOST]


def _is_agent(person: Person, configured: tuple[str, ...]) -> bool:
    return person.is_bot or is_agent_login(person.login, configured)


def _contributors(commit: Commit, configured: tuple[str, ...]) -> Iterator[str]:
    """Yield the agents among the authors and the committer of a commit."""
    yield from (person.login for person in commit.people if _is_agent(person, configured))
    yield from (name for name in commit.names if is_agent_name(name, configured))
    yield from (address for address in commit.emails if is_agent_address(address, configured))


def _in_trailers(commit: Commit, configured: tuple[str, ...]) -> Iterator[str]:
    """Yield the agents that the trailers of a commit name."""
    for name, address in (*commit.co_authors, *_tools(commit.message)):
        if is_agent_name(name, configured, in_trailer=True) or is_agent_address(
            address, configured
        ):
            yield name or address


def _tools(message: str) -> Iterator[tuple[str, str]]:
    """Yield name and address of each tool, as in `Assisted-by: Claude:claude-opus-4`."""
    for match in _TRAILER.finditer(message):
        # Behind the first separator comes a model or a version, which is not part of the name.
        name = _FIRST.split(match[1].strip().lstrip("["))[0]
        yield name.strip(), (match[2] or "").strip()
