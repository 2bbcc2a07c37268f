"""Findings with their places in the diff of a change, for the hand-over."""

from collections.abc import Iterable

from ..decision.fingerprints import fingerprints
from ..decision.handover import PlacedFinding
from ..decision.placement import DiffPlace, Hunks, hunks, within
from ..finding import Finding
from ..git.snapshot import difference
from ..judge.change import Change
from ..text.masking import NO_SECRETS, masked

_MOST_TEXT, _MOST_QUOTE = 4_000, 1_500
"""Maximum characters of a text and of a quote in the hand-over; a page shows fewer."""


def placed(findings: Iterable[Finding], change: Change, by: str) -> tuple[PlacedFinding, ...]:
    """Return findings with their places and fingerprints.

    `by` is the source of the findings: the rules, or an approval type.
    """
    listed = list(findings)
    paths = dict.fromkeys(finding.path for finding in listed if finding.path)
    shown = {path: hunks_in(change, path) for path in paths}
    items = []
    for finding, mark in zip(listed, fingerprints(listed, by), strict=True):
        place = _place(finding, shown.get(finding.path, ()))
        items.append(
            PlacedFinding(finding=_capped(finding, place), fingerprint=mark, place=place, by=by)
        )
    return tuple(items)


def hunks_in(change: Change, path: str) -> Hunks:
    """Return the hunks of a file, which may be renamed."""
    paths = [path, change.names.get(path, path)]
    return hunks(difference(change.root, change.merge_base, change.head, paths))


def within_hunk(path: str, first: int, last: int, shown: Hunks) -> DiffPlace | None:
    """Return the place of lines if one hunk shows all of them, else None."""
    place = within(path, first, last, shown)
    if place is None or place.last != last:
        return None
    return place


def _place(finding: Finding, shown: Hunks) -> DiffPlace | None:
    last = max(finding.line, finding.end_line)
    return within(finding.path, finding.line, last, shown)


def _capped(finding: Finding, place: DiffPlace | None) -> Finding:
    """Return a finding with shortened texts and masked secrets."""
    texts = (finding.message, finding.help, finding.evidence)
    message, help, quote = (masked(text, NO_SECRETS) for text in texts)
    if place is None or quote != finding.evidence:
        # Only a comment at the place shows the quote, and a masked quote is not in the file.
        quote = ""
    return finding._replace(
        message=message[:_MOST_TEXT],
        help=help[:_MOST_TEXT],
        evidence=quote[:_MOST_QUOTE],
    )
