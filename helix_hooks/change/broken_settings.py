"""Errors in the settings of a change, as findings and as entries of the hand-over."""

from collections.abc import Iterable

from ..adr.check_report import FileReport, report_on_file
from ..decision.handover import BASE, CHANGE, SETTINGS_BROKEN, Broken
from ..errors import ConfigError
from ..finding import Finding
from .change import Change

ADVICE = "repair the settings in this change"
_MAX_TEXT = 1_000
"""Maximum characters of an error that are shown; a key may be as long as the file."""


def settings_report(errors: Iterable[ConfigError], change: Change) -> tuple[FileReport, ...]:
    """Return errors of settings as findings at their lines."""
    return tuple(_file_report(error, change) for error in errors)


def _file_report(error: ConfigError, change: Change) -> FileReport:
    text = change.text(error.path) if change.tree.has(error.path) else ""
    # Not splitlines(), which also splits at form feeds and other characters.
    row = text.split("\n")[error.line - 1 : error.line]
    finding = Finding(
        severity="error",
        check=SETTINGS_BROKEN,
        layer="config",
        message=utf8(error.about[:_MAX_TEXT]),
        path=error.path,
        line=error.line,
        end_line=error.line,
        column=1,
        help=ADVICE,
    )
    return report_on_file(
        path=error.path,
        findings=(finding,),
        lines={error.line: row[0].rstrip("\r")} if row else {},
    )


def of_base(errors: Iterable[ConfigError], advice: str) -> tuple[Broken, ...]:
    """Return the errors of the base for the hand-over."""
    return tuple(Broken(BASE, text(error), advice) for error in errors)


def of_change(errors: Iterable[ConfigError]) -> tuple[Broken, ...]:
    """Return the errors that a change adds for the hand-over."""
    return tuple(Broken(CHANGE, text(error), ADVICE) for error in errors)


def text(error: ConfigError) -> str:
    """Return the text of an error, up to the maximum."""
    return utf8(str(error)[:_MAX_TEXT])


def utf8(text: str) -> str:
    """Return the text as valid UTF-8, which JSON requires. Paths in git may have other bytes."""
    # In UTF-16, each lone surrogate is one invalid unit, so it becomes one U+FFFD.
    return text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")
