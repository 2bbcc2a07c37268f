from collections.abc import Iterator

from ...model import Adr, Found


class SectionsSwallowed:
    """A code fence or a comment swallows sections.

    The source looks complete, but GitHub renders the sections as code, or not at all. It happens
    when a fence or a comment is never closed, and when a fence with three backticks stands inside
    another one with three: the inner closing line ends the outer fence, and the outer closing line
    opens a new one. Sections below the second level are a warning.
    """

    id = "sections-swallowed"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        doc = adr.doc
        if not doc.fences and not doc.comments:
            return
        if not any(
            doc.data.find(b"##", start, stop) >= 0
            for start, stop in (*doc.comments, *(fence[1:] for fence in doc.fences))
        ):
            return
        from ...parse.swallowed import swallowed

        for region in swallowed(doc):
            names = ", ".join(f"'{title}' (line {line})" for line, _, title in region.titles[:3])
            more = f" and {len(region.titles) - 3} more" if len(region.titles) > 3 else ""
            mild = all(level > 2 for _, level, _ in region.titles)
            yield Found(
                line=region.line,
                message=f"{region.reason} and swallows {names}{more}",
                help=region.help,
                severity="warning" if mild else "",
            )
