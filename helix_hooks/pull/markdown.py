"""Pieces of Markdown that our texts on GitHub share: commands, lists, folded parts. Pure."""

from collections.abc import Sequence

CUT_NOTE = "*The report is too long for this comment; see the job's log and summary for the rest.*"

MOST_UNFOLDED = 10
"""Maximum number of lines of a list that are not folded."""


def block(line: str) -> str:
    """Return one command in a code block of its own, so that its copy button copies only it."""
    return f"```\n{line}\n```\n"


def folded(summary: str, body: str) -> str:
    """Return a part that GitHub shows as its summary alone until a reader opens it."""
    return f"<details><summary>{summary}</summary>\n\n{body}\n</details>\n"


def section(heading: str, lines: Sequence[str], summary: str = "") -> str:
    """Return lines under a heading, "" without lines.

    If there are more than MOST_UNFOLDED, they are folded under the `summary` if there is one.
    """
    text = "".join(lines)
    if not text:
        return ""
    if summary and len(lines) > MOST_UNFOLDED:
        return folded(summary, text)
    return f"**{heading}**\n\n{text}"


def bullets(items: Sequence[str], most: int) -> list[str]:
    """Return a line for each of the first `most` items, and one with the number of the others."""
    lines = [f"- {item}\n" for item in items[:most]]
    if len(items) > most:
        lines.append(f"- and {len(items) - most} more\n")
    return lines
