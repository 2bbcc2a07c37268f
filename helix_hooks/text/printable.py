"""Text from an ADR made safe to print."""


def printable(text: str, limit: int = 0) -> str:
    """Escape control and direction characters, by which a text could repaint or reorder a terminal; cut long lines."""
    text = text[: limit + 1] if limit else text  # many findings may quote one line of a megabyte
    text = text if text.isprintable() else "".join(c if c.isprintable() else _escaped(c) for c in text.replace("\t", "    "))
    return text if not limit or len(text) <= limit else text[: limit - 1] + "…"


def _escaped(character: str) -> str:
    return "\\n" if character == "\n" else character.encode("unicode_escape", "surrogatepass").decode()


def counted(number: int, noun: str) -> str:
    """`1 error`, `2 errors`, `no errors`."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
