"""The names of an ADR in texts for people and agents."""


def short_name(adr_id: str, path: str) -> str:
    """Return `ADR-014`, or the path of an ADR without an id."""
    return f"ADR-{adr_id}" if adr_id.isdigit() else adr_id or path


def long_name(adr_id: str, title: str, path: str) -> str:
    """Return the short name with the title, each once."""
    short = short_name(adr_id, path)
    if title.upper().startswith(short.upper()):
        return title
    return f"{short}: {title}" if title else short
