"""The queue as one file that needs no server, no script and no network."""

import base64
import hashlib

from htpy import body, h1, h2, head, header, html, main, meta, ol, p, section, style, title
from markupsafe import Markup

from ..text import moment
from ..waiting.entry import Queue
from .notes import beside, failures
from .row import row_with_ways
from .view import QueueRow


def page(queue: Queue, css: str) -> str:
    """Return the queue as a page. The same entries, time and style give the same bytes."""
    rows = [QueueRow(entry) for entry in queue.entries]
    content = html(lang="en")[
        head[
            meta(charset="utf-8"),
            meta(http_equiv="Content-Security-Policy", content=_policy(css)),
            meta(name="viewport", content="width=device-width, initial-scale=1"),
            meta(name="color-scheme", content="light dark"),
            meta(name="referrer", content="no-referrer"),
            title["Queue · helix-hooks"],
            style[Markup(css)],  # noqa: S704 - a file of the package
        ],
        body[
            main[
                failures(queue.partial),
                header(".title")[h1["Queue"], p[f"As of {moment(queue.now)}"]],
                section(aria_labelledby="all")[
                    header[h2("#all")[_heading(queue)]],
                    beside(queue.not_shown),
                    ol(".rows.static")[(row_with_ways(item, queue.now) for item in rows)],
                ],
            ]
        ],
    ]
    return f"{content}\n"


def _heading(queue: Queue) -> str:
    """Return how many decisions wait. "Nothing" is only said if everything was read and shown."""
    if queue.entries:
        return f"{len(queue.entries)} waiting"
    return "No entries to show" if queue.partial or any(queue.not_shown) else "Nothing waiting"


def _policy(css: str) -> str:
    """Return a content security policy that allows only the page's own style."""
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
