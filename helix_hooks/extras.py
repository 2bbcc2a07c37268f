"""The packages of each extra. `check` needs none.

The environment of a hook has none of these packages.
"""

from .errors import MissingExtraError

_QUEUE = (
    *("alembic", "apprise", "cryptography", "dbos", "git", "github", "jsonschema_rs"),
    "sqlalchemy",
)
PACKAGES = {
    "report": ("htpy",),
    "approve": ("git", "jsonschema_rs"),
    "judge": ("genai_prices", "git", "httpx2", "jsonschema_rs"),
    "github": ("cryptography", "git", "github", "jsonschema_rs"),
    "enforce": ("ast_grep_py", "grimp"),
    "flow": ("dbos", "git", "jsonschema_rs"),
    "lsp": ("lsprotocol", "pygls"),
    "mcp": ("mcp",),
    "queue": _QUEUE,
    "dashboard": (
        *_QUEUE,
        *("authlib", "htpy", "httpx2", "markdown_it", "sse_starlette", "starlette", "uvicorn"),
    ),
}
"""The import names of the packages of an extra; pyproject.toml has their versions."""


def require(command: str, extra: str) -> None:
    """Raise MissingExtraError if a package of an extra that a command needs is missing."""
    if not are_there(extra):
        raise MissingExtraError(command)


def are_there(extra: str) -> bool:
    """Return whether all packages of an extra are installed."""
    return all(map(_is_installed, PACKAGES[extra]))


def _is_installed(name: str) -> bool:
    """Return whether a package has code. An uninstall may leave an empty folder."""
    from importlib.util import find_spec

    try:
        spec = find_spec(name)
    except ValueError:
        return False
    return spec is not None and spec.origin is not None
