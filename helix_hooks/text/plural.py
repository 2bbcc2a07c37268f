"""Numbers with their nouns."""


def counted(number: int, noun: str) -> str:
    """Return `1 error`, `2 errors`, `no errors`."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
