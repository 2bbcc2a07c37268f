from collections.abc import Iterator

from ...model import RuleResult, rule


@rule("unwatched-adr", "config", "error")
def unwatched_adr(path: str, paths: tuple[str, ...]) -> Iterator[RuleResult]:
    """A changed file looks like an ADR, but it was not checked.

    Without `paths` in the settings, ADRs are found by the names of folders and files. With `paths`,
    only matching files are checked. A decision that is not checked is reported: a text with a title
    and a decision or a status, outside of `paths`, with the name of a guide (`docs/adr/guide.md`),
    or in a folder for other texts (`docs/adr/notes/`). A new text in another format than Markdown,
    such as `docs/adr/0007-kafka.adoc`, is reported too. READMEs, indexes, templates and
    translations are not.

    To fix a finding, add the folder to `paths`, rename or move the file, or add it to `exclude`. A
    file that was like this before the change is information.
    """
    yield RuleResult(
        line=1,
        message=f"{path} looks like an ADR, but `paths` in the settings ({', '.join(paths)}) "
        "do not match it; it was not checked",
        help="add its folder to `paths`, or the file to `exclude` if it is not an ADR",
    )


def in_another_format() -> Iterator[RuleResult]:
    """Yield the finding on a text with the name of an ADR that is not Markdown."""
    yield RuleResult(
        line=1,
        message="this file looks like a decision, but it was not checked: only Markdown is read",
        help="write it in Markdown, or add it to `exclude` if it is not an ADR",
    )


def inside(path: str, collection: str) -> Iterator[RuleResult]:
    """Yield the finding on a decision in a folder of ADRs whose name is not that of an ADR."""
    folder, _, name = path.rpartition("/")
    if folder == collection:
        reason = f"`{name}` is not the name of an ADR"
        fix = f"give it a number, e.g. `0001-{name}`"
    else:
        reason = f"ADRs are expected in `{collection}`, not in `{folder}`"
        fix = f"move it to `{collection}`"
    yield RuleResult(
        line=1,
        message=f"this file looks like a decision, but it was not checked: {reason}",
        help=f"{fix}, or add it to `exclude` if it is not an ADR",
    )
