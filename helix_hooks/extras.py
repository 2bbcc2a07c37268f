"""The commands that need more than `check` does, and the packages that an extra installs for them.

An environment of a hook has none of these packages.
"""

from .errors import MissingExtraError

PACKAGES = {
    "approve": ("git", "jsonschema_rs"),
    "github": ("cryptography", "git", "github", "jsonschema_rs"),
}
"""The names by which an extra's packages are imported; pyproject.toml has their versions."""

NEEDED_BY = {"approve": "approve", "audit": "github", "doctor": "github", "github": "github"}
"""The extra that a command needs. All other commands need none."""


def require(command: str) -> None:
    """Raise MissingExtraError if a package is missing that a command needs."""
    extra = NEEDED_BY.get(command)
    if extra and not all(map(_is_installed, PACKAGES[extra])):
        raise MissingExtraError(command, extra)


def _is_installed(name: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(name) is not None
    except ValueError:
        return False
