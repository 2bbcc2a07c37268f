from collections.abc import Iterator

from ...model import Found


class UnwatchedAdr:
    """A changed file looks like an ADR, and the settings do not watch it.

    Without `paths` in the settings, ADRs are found by the names of folders and files. With `paths`,
    an ADR that they don't match is not checked. Add its folder to `paths`, or name the file in
    `exclude` if it is not an ADR. An ADR that the change itself takes out of `paths` is an error:
    see gate-relaxed.

    A new decision inside of a folder of ADRs is reported too, if it has the name of a guide
    (`docs/adr/guide.md`) or lies in a folder for other texts (`docs/adr/notes/storage.md`). Rename
    or move it, or name it in `exclude`. It is taken for a decision if it has a title, and a
    decision or a status. READMEs, indexes, templates and translations of an ADR are not reported.
    """

    id = "unwatched-adr"
    layer = "config"
    severity = "warning"

    def check(self, path: str, paths: tuple[str, ...]) -> Iterator[Found]:
        message = (
            f"{path} looks like an ADR, and `paths` of the settings ({', '.join(paths)}) do "
            "not match it, so it was not checked"
        )
        yield Found(
            line=1,
            message=message,
            help="add its folder to `paths`, or the file to `exclude` if it is no ADR",
        )

    def inside(self, path: str, collection: str) -> Iterator[Found]:
        """Yield the finding on a decision in a folder of ADRs that is no ADR by its name."""
        folder, _, name = path.rpartition("/")
        if folder == collection:
            reason = f"`{name}` is not the name of an ADR"
            fix = f"give it a number, as in `0001-{name}`"
        else:
            reason = f"ADRs are looked for in `{collection}`, not in `{folder}`"
            fix = f"move it to `{collection}`"
        yield Found(
            line=1,
            message=f"this file looks like a decision, but it was not checked: {reason}",
            help=f"{fix}, or add it to `exclude` if it is no ADR",
        )


UNWATCHED_ADR = UnwatchedAdr()
