"""The only table of coding agents and of what they write into commits.

An agent is only recognised by its name: a trailer that was deleted, or never written, leaves no
trace. `policy.authors.agents.names` adds names.
"""

import re
import unicodedata
from collections.abc import Iterable

from ..text import CLASS

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
_NOREPLY = re.compile(r"(?:\d+\+)?([^@+]+)@users\.noreply\.[^@]+")
_SIGNED = re.compile(r"\(([^()]+)\)$")
_SPLIT = re.compile(r"[\s_/:-]+")


def is_agent_login(login: str, more: Iterable[str] = ()) -> bool:
    """Return whether a login is that of an agent. `more` are further names, from the settings."""
    plain = _plain(login)
    return plain in LOGINS or plain.endswith("[bot]") or _is_one_of(plain, more)


def is_agent_address(address: str, more: Iterable[str] = ()) -> bool:
    """Return whether an e-mail address, or the account in one of GitHub's, is that of an agent."""
    plain = _plain(address)
    account = _NOREPLY.fullmatch(plain)
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
