"""Judge the settings, rules and approvals files of a clone, and the files that they watch."""

from collections.abc import Iterator, Sequence

from ..config.watched import View, lookalikes, named, no_adr
from ..errors import HelixError
from ..paths import APPROVALS_FILE
from .line import OK, UNKNOWN, UNSAFE, Line


def lines(
    errors: Sequence[HelixError],
    view: View | None,
    idle: Sequence[str],
    cautions: Sequence[str],
) -> Iterator[Line]:
    """Yield the lines on errors, watched ADRs, approval types without files, and deciders."""
    yield _settings(errors)
    if view and not errors:
        yield _watched(view)
        yield from (Line("declared", UNKNOWN, line) for line in view.settings.ignored)
    name_files = f"name the files that it reviews in {APPROVALS_FILE}, or set enabled: false"
    change_policy = f"see docs/people.md, or change `policy` in {APPROVALS_FILE}"
    yield from (Line("approval-type", UNKNOWN, message, name_files) for message in idle)
    yield from (Line("deciders", UNKNOWN, message, change_policy) for message in cautions)


def _settings(errors: Sequence[HelixError]) -> Line:
    if not errors:
        return Line("settings", OK, "settings, rules and approvals files are well-formed")
    message = str(errors[0])
    if len(errors) > 1:
        message += f", and {len(errors) - 1} more"
    return Line("settings", UNSAFE, message, "fix it; `helix-hooks check-config` lists all")


def _watched(view: View) -> Line:
    """Return the line on watched ADRs."""
    count = len(view.adrs)
    # With `paths` or `exclude` in the settings, that is also an error, which `_settings` reports.
    if not count:
        help = "`git add` the first one; `helix-hooks new TITLE` writes it"
        return Line("adrs", UNKNOWN, no_adr(view.settings), help)
    also = "".join(f"; also in {item.folder} ({item.path})" for item in view.settings.declared)
    watched = f"{count} ADR{' is' if count == 1 else 's are'} watched{also}"
    alike = lookalikes(view)
    if not alike:
        return Line("adrs", OK, watched)
    message = f"{watched}; files that look like ADRs but are not watched: {named(alike)}"
    help = "add their folders to `paths`, or the files to `exclude` if they are no ADRs"
    return Line("adrs", UNKNOWN, message, help)
