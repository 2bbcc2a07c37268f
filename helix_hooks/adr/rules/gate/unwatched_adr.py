from collections.abc import Iterator

from ...model import Found


class UnwatchedAdr:
    """A changed file looks like an ADR, and the settings do not watch it.

    Without `paths` in the settings, ADRs are found by the names of folders and files. With `paths`,
    an ADR that they don't match is not checked. Add its folder to `paths`, or name the file in
    `exclude` if it is not an ADR. An ADR that the change itself takes out of `paths` is an error:
    see gate-relaxed.
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


UNWATCHED_ADR = UnwatchedAdr()
