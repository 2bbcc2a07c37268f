"""The help on keyboard shortcuts, which the script opens with `?`."""

from htpy import Element, button, dd, dialog, div, dl, dt, form, h2, kbd, label
from htpy import input as field

_KEYS = (
    ("j", "next entry"),
    ("k", "previous entry"),
    ("x", "select or unselect"),
    ("s", "select all routine entries"),
    ("Enter", "open"),
    ("a", "go to Approve"),
    ("r", "go to the reason, to reject"),
    ("?", "this help"),
)


def keys() -> Element:
    """Return the dialog, in which the shortcuts can be disabled."""
    # WCAG 2.1.4 requires a way to disable shortcuts of a single character.
    return dialog("#keys", aria_labelledby="keys-title")[
        h2("#keys-title")["Keyboard shortcuts"],
        dl[(div[dt[kbd[key]], dd[action]] for key, action in _KEYS)],
        label[field("#keys-on", type="checkbox", checked=True), " Enable keyboard shortcuts"],
        form(method="dialog")[button["Close"]],
    ]
