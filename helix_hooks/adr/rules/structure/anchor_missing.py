from collections.abc import Iterator

from ...model import Adr, Found


class AnchorMissing:
    """A link leads to a heading of this file that is not there.

    The reader clicks, and nothing happens. It happens when a heading is renamed, or moved to another file. Anchors are those that GitHub
    gives to headings (small letters, blanks as hyphens, punctuation and emoji left out, `-1` for the second of a
    name), those of `<a id="…">` and `<a name="…">`, and custom ones, `{#name}`. The forms that GitLab and Jekyll give are
    accepted too. Correct the link, or name the heading again as it was.
    """

    id = "anchor-missing"
    layer = "structure"
    severity = "warning"

    def check(self, adr: Adr) -> Iterator[Found]:
        markup = adr.doc.markup
        if b"](#" not in markup and b"]: #" not in markup and b"](<#" not in markup:
            return
        from ...parse.anchors import lost_anchors

        for line, anchor, nearest in lost_anchors(adr.doc):
            hint = f"; it has `#{nearest}`" if nearest else ""
            yield Found(
                line=line,
                message=f"the link leads to `#{anchor}`, which this file does not have{hint}",
                help="correct the link, or give the heading its name back",
            )
