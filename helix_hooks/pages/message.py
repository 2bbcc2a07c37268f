"""A page with one message: signed out, refused, not found, or an error."""

from htpy import a, h1, header, p

from .layout import document
from .shown import line
from .view import Shell


def page(shell: Shell, name: str, text: str, action: tuple[str, str] | None = None) -> str:
    """Return the page. `action` has the path and the text of its only link."""
    content = [
        header(".title")[h1[line(name)]],
        p[line(text, 600)],
        action and p[a(".button", href=f"{shell.prefix}/{action[0]}")[action[1]]],
    ]
    return document(shell, name, content, "message")
