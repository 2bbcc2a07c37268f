"""The repository on GitHub of a clone, from the URL of its remote."""

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
    """Return OWNER/NAME of the repository at a URL; "" if it is not on the server.

    `server` is a URL as in GITHUB_SERVER_URL. On another server the same name is another
    repository. NOTE: never print `address`, which may contain a token.
    """
    match = _ADDRESS.fullmatch(address.strip())
    if not match or not is_name(match[2]):
        return ""
    host = server.partition("://")[2].rstrip("/")
    # SSH over port 443 has a host of its own.
    if match[1].lower() not in (host, f"ssh.{host}"):
        return ""
    return match[2]
