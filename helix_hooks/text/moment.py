"""Times as texts."""

_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"


def month_of(at: int) -> str:
    """Return the month of a time in seconds since 1970, as in 2026-01."""
    from email.utils import formatdate

    _, _, name, year, *_ = formatdate(at, usegmt=True).split()
    return f"{year}-{_MONTHS.index(name) // 3 + 1:02}"


def moment(at: int) -> str:
    """Return a time in seconds since 1970 as a text, to the minute."""
    from email.utils import formatdate  # it imports `socket`, and most runs print no time

    return f"{formatdate(at, usegmt=True)[:-7]} UTC"
