from collections.abc import Iterable, Iterator

from ...model import RuleResult, rule


@rule("enforcement-unproven", "corpus", "error")
def enforcement_unproven(problems: Iterable[tuple[int, str, str]]) -> Iterator[RuleResult]:
    """A rule of `enforcement:` proves nothing, or a check that it names does not exist.

    A check that can't fail is worse than none: the decision looks enforced. `helix-hooks enforce`
    runs each rule on its two snippets: it must report the one under `fails`, and not the one under
    `passes`. A rule that can't run on the code is reported too, for example a contract about a
    module that was renamed. A check under `by:` must exist; it is never run, so it counts as
    present, not as enforced.

    To fix a finding, correct the rule, its snippet, or the name of the check.
    """
    for line, subject, message in problems:
        yield RuleResult(
            line=line,
            message=message,
            help="correct the entry, or say `none:` with the reason",
            subject=subject,
        )
