"""The repository on GitHub that a clone belongs to, by the address that it was cloned from."""

import re

_HTTP_OR_SSH = r"(?:https?|ssh|git)://(?:[^@/\s]*@)?"
_SCP = r"[\w.-]+@"
_HOST = r"([^/:@\s]+)(?::\d+)?"
_PATH = r"([\w.-]+/[\w.-]+?)(?:\.git)?/?"
_ADDRESS = re.compile(rf"(?:{_HTTP_OR_SSH}|{_SCP}){_HOST}[/:]{_PATH}", re.ASCII)
_NAME = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


def is_name(text: str) -> bool:
    """Return whether a text is OWNER/NAME."""
    return bool(_NAME.fullmatch(text)) and not {".", ".."} & {*text.split("/")}


def name_of(address: str, server: str) -> str:
    """Return OWNER/NAME of the repository at an address; "" if it is not on the server.

    `server` is an address as in GITHUB_SERVER_URL. On another server the same name means another
    repository. NOTE: never print `address`, which may contain a token.
    """
    match = _ADDRESS.fullmatch(address.strip())
    if not match or not is_name(match[2]):
        return ""
    host = server.partition("://")[2].rstrip("/")
    return match[2] if match[1].lower() in (host, f"ssh.{host}") else ""
