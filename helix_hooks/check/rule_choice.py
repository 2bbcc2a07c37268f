"""The rules in force in a repository: as pages with their examples, and chosen by the options.

All rules run. `--select` and `--ignore` remove findings only from the finished report, so that
suppressions and the baseline do not depend on the choice.
"""

from collections.abc import Collection, Iterable, Iterator

from .. import git
from ..adr.check_report import CheckReport, FileReport
from ..adr.rules import registry
from ..adr.rules.registry import BLOCKING, Ruleset
from ..config.settings import load
from ..errors import UsageError
from ..report import rule_pages
from ..text import printable
from ..yaml_reader import nearest
from . import files
from .work_tree import WorkTree


def in_force() -> list[rule_pages.Page]:
    """Return the pages of the rules in force in the current repository."""
    repository = git.repository()
    tree = WorkTree(repository or ".", None)
    return rule_pages.pages(load(tree.read, files.packaged).ruleset)


def page_of(rule: str) -> rule_pages.Page:
    """Return the page of a rule in force, with its examples.

    The rule is named by its id, also in the brackets of a finding, or by its address.

    Raises:
        UsageError: There is no such rule.
    """
    pages = {page.id: page for page in in_force()}
    name = rule.rpartition("#")[2].strip().strip("[]")
    if name in pages:
        return with_examples(pages[name])
    raise UsageError(
        f"there is no rule {name!r}; {_meant(name, pages)}`helix-hooks rules` lists them"
    )


def _meant(name: str, options: Collection[str]) -> str:
    near = nearest(name, options)
    return f"did you mean {near}? " if near else ""


def with_examples(page: rule_pages.Page) -> rule_pages.Page:
    return page._replace(fails=_example(page.id, "fails"), passes=_example(page.id, "passes"))


def _example(rule: str, name: str) -> rule_pages.Example | None:
    text = files.packaged(f"examples/{rule}/{name}.md")
    if text is None:
        return None
    others: list[tuple[str, str]] = []
    for suffix, label in rule_pages.BESIDE.items():
        data = files.packaged(f"examples/{rule}/{name}.{suffix}")
        if data is not None:
            others.append((label, data.decode()))
    return rule_pages.Example(text.decode(errors="replace"), tuple(others))


_UNREAD = frozenset(rule.id for rule in BLOCKING)
"""Rules on files that other rules can't read. Only their own id leaves them out, not a layer."""


def left_out(select: Iterable[str], ignore: Iterable[str], ruleset: Ruleset) -> tuple[str, ...]:
    """Return the rules that names of rules and layers leave out, in the order of docs/rules.md.

    Raises:
        UsageError: A name is unknown, or no rule remains.
    """
    layers: dict[str, list[str]] = {}
    rules = registry.in_force(ruleset)
    for rule in rules:
        layers.setdefault(rule.layer, []).append(rule.id)
    known = tuple(dict.fromkeys(rule.id for rule in rules))
    selected = list(_named("--select", select, known, layers)) or list(known)
    ignored = frozenset(_named("--ignore", ignore, known, layers))
    if ignored.issuperset(selected):
        raise UsageError("--select and --ignore leave no rule to report; ignore fewer rules")
    reported = (frozenset(selected) | _UNREAD) - ignored
    return tuple(rule for rule in known if rule not in reported)


def _named(
    option: str, names: Iterable[str], known: tuple[str, ...], layers: dict[str, list[str]]
) -> Iterator[str]:
    for name in names:
        if name in known:
            yield name
        elif name in layers:
            yield from (rule for rule in layers[name] if rule not in _UNREAD)
        else:
            hint = _meant(name, (*known, *layers))
            lists = "`helix-hooks rules` lists the rules and their layers"
            raise UsageError(f"{option}: unknown rule or layer {printable(name)!r}; {hint}{lists}")


def without(report: CheckReport, rules: tuple[str, ...]) -> CheckReport:
    """Return a report without the findings of some rules."""
    files: list[FileReport] = []
    hidden = 0
    for file in report.files:
        findings = tuple(item for item in file.findings if item.check not in rules)
        suppressed = tuple(item for item in file.suppressed if item.finding.check not in rules)
        hidden += len(file.findings) - len(findings)
        if file.template or findings:
            files.append(file._replace(findings=findings, suppressed=suppressed))
    return report._replace(files=tuple(files), left_out=rules, hidden=hidden)
