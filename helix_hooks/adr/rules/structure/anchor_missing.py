from collections.abc import Iterator

from ...model import Adr, RuleResult, rule


@rule("anchor-missing", "structure", "warning")
def anchor_missing(adr: Adr) -> Iterator[RuleResult]:
    """A link points to a heading that this file does not have.

    The link does nothing when a reader clicks it. Often the heading was renamed, or moved to
    another file. The rule knows the anchors that GitHub gives to headings (lower case, hyphens for
    spaces, no punctuation or emoji, `-1` for the second heading with a name), `<a id="…">` and `<a
    name="…">`, custom anchors (`{#name}`), and the anchors of GitLab and Jekyll. Correct the link,
    or give the heading its old name.
    """
    markup = adr.doc.markup
    if b"](#" not in markup and b"]: #" not in markup and b"](<#" not in markup:
        return
    from ...parse.anchors import lost_anchors

    for line, anchor, nearest in lost_anchors(adr.doc):
        hint = f"; it has `#{nearest}`" if nearest else ""
        yield RuleResult(
            line=line,
            message=f"the link points to `#{anchor}`, which this file does not have{hint}",
            help="correct the link, or restore the name of the heading",
            words=f"#{anchor}",
            subject=anchor,
        )
