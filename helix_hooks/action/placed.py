"""Findings with their places in the diff of a change, as the hand-over has them."""

from collections.abc import Iterable

from ..change.change import Change
from ..decision.fingerprints import fingerprints
from ..decision.handover import PlacedFinding
from ..decision.placement import DiffPlace, Hunks, hunks, within
from ..finding import Finding
from ..repository.snapshot import hunks_of
from ..text.masking import NO_SECRETS, masked

_MOST_TEXT, _MOST_QUOTE = 4_000, 1_500
"""Characters of a text and of a quote in the hand-over; a page shows fewer."""


def placed(findings: Iterable[Finding], change: Change, by: str) -> tuple[PlacedFinding, ...]:
    """Return findings with their places and fingerprints; `by` says who found them."""
    listed = list(findings)
    paths = dict.fromkeys(finding.path for finding in listed if finding.path)
    shown = {path: hunks_in(change, path) for path in paths}
    marks = fingerprints(listed, by)
    places = (_place(finding, shown.get(finding.path, ())) for finding in listed)
    rows = zip(listed, marks, places, strict=True)
    capped = ((_capped(finding, place), mark, place) for finding, mark, place in rows)
    return tuple(
        PlacedFinding(finding=finding, fingerprint=mark, place=place, by=by)
        for finding, mark, place in capped
    )


def hunks_in(change: Change, path: str) -> Hunks:
    """Return the hunks of a file, which may be renamed."""
    paths = [path, change.names.get(path, path)]
    return hunks(hunks_of(change.root, change.merge_base, change.head, paths))


def within_hunk(path: str, first: int, last: int, shown: Hunks) -> DiffPlace | None:
    """Return the place of lines that one hunk shows all of; None for any others."""
    place = within(path, first, last, shown)
    return place if place and place.last == last else None


def _place(finding: Finding, shown: Hunks) -> DiffPlace | None:
    last = max(finding.line, finding.end_line)
    return within(finding.path, finding.line, last, shown)


def _capped(finding: Finding, place: DiffPlace | None) -> Finding:
    """Return a finding with as much text as a page shows, and with secrets masked.

    Only a comment at its place shows the quote.
    """
    texts = (finding.message, finding.help, finding.evidence)
    message, help, quote = (masked(text, NO_SECRETS) for text in texts)
    return finding._replace(
        message=message[:_MOST_TEXT],
        help=help[:_MOST_TEXT],
        evidence=quote[:_MOST_QUOTE] if place and quote == finding.evidence else "",
    )
