"""Which repository on GitHub a clone belongs to, by the address that it was cloned from."""

import re

_ADDRESS = re.compile(r"(?:(?:https?|ssh|git)://(?:[^@/\s]*@)?|[\w.-]+@)([^/:@\s]+)(?::\d+)?[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?", re.ASCII)
_NAME = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


def is_name(text: str) -> bool:
    """Whether a text is an owner and a repository."""
    return bool(_NAME.fullmatch(text)) and not {".", ".."} & {*text.split("/")}


def name_of(address: str, server: str) -> str:
    """Owner and name of the repository at an address; "" where it is not on the server, since another one has the name for something else.

    `server` is an address as in GITHUB_SERVER_URL. An address may have a token in it, so it is shown to nobody.
    """
    found = _ADDRESS.fullmatch(address.strip())
    host = server.partition("://")[2].rstrip("/")
    return found[2] if found and found[1].lower() in (host, f"ssh.{host}") and is_name(found[2]) else ""
