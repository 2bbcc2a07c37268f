"""The names of ADRs in texts for people and agents."""


def short_name(adr_id: str, path: str) -> str:
    """Return `ADR-014`, or the path of an ADR without an id."""
    if adr_id.isdigit():
        return f"ADR-{adr_id}"
    return adr_id or path


def long_name(adr_id: str, title: str, path: str) -> str:
    """Return the short name with the title; a title that begins with it is enough."""
    short = short_name(adr_id, path)
    if not title:
        return short
    if title.upper().startswith(short.upper()):
        return title
    return f"{short}: {title}"
