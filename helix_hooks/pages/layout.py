"""The frame of each page: head, header with the viewer's name, and main."""

from htpy import (
    Element,
    Node,
    a,
    body,
    button,
    div,
    form,
    head,
    header,
    html,
    link,
    main,
    meta,
    nav,
    script,
    span,
    title,
)
from htpy import input as field

from .shown import line
from .view import Shell

_BRAND = "helix-hooks"


def document(shell: Shell, name: str, content: Node, current: str = "") -> str:
    """Return a whole page. `name` is its title, `current` the path of its item in the menu."""
    page = html(lang="en")[
        head[
            meta(charset="utf-8"),
            meta(name="viewport", content="width=device-width, initial-scale=1"),
            meta(name="color-scheme", content="light dark"),
            title[f"{line(name, 120)} · {_BRAND}"],
            # Without it, browsers request /favicon.ico.
            link(rel="icon", href="data:,"),
            link(rel="stylesheet", href=f"{shell.prefix}/style.css?{shell.version}"),
            script(src=f"{shell.prefix}/script.js?{shell.version}", defer=True),
        ],
        body(data_live=shell.is_live and f"{shell.prefix}/events")[
            a(".skip", href="#main")["Skip to content"],
            _header(shell, current),
            main("#main", tabindex="-1")[content],
        ],
    ]
    return f"{page}\n"


def _header(shell: Shell, current: str) -> Element:
    return header(".top")[
        nav(aria_label="Pages")[
            _place(shell, "", "Queue", current),
            shell.has_figures and _place(shell, "figures", "Figures", current),
        ],
        shell.viewer and div(".who")[span[f"@{line(shell.viewer, 60)}"], _sign_out(shell)],
    ]


def _place(shell: Shell, path: str, name: str, current: str) -> Element:
    is_current = path == current
    return a(href=f"{shell.prefix}/{path}", aria_current="page" if is_current else None)[name]


def _sign_out(shell: Shell) -> Node:
    if not shell.sign_out:
        return None
    return form(method="post", action=f"{shell.prefix}/sign-out")[
        field(type="hidden", name="token", value=shell.sign_out),
        button(".quiet")["Sign out"],
    ]
