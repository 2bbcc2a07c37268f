"""The rules in force in a repository, as pages with their examples."""

from difflib import get_close_matches

from .. import git
from ..config.settings import load
from ..errors import UsageError
from ..report import rule_pages
from . import files
from .work_tree import WorkTree

_MOST = 3
"""Maximum number of names that are suggested for an unknown one."""

_LONGEST = 100
_ALIKE = 0.7
_MISSPELT = 0.9
"""Similarity above which a name is a misspelling of one rule."""


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
    misspelt = name[:_LONGEST]
    near = get_close_matches(misspelt, pages, 1, _MISSPELT)
    near = near or get_close_matches(misspelt, pages, _MOST, _ALIKE)
    names = " or ".join(filter(None, (", ".join(near[:-1]), "".join(near[-1:]))))
    hint = ""
    if near:
        hint = f"did you mean {names}? "
    raise UsageError(f"there is no rule {name!r}; {hint}`helix-hooks rules` lists them")


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
