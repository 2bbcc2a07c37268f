"""The outcomes of named tests in a report as JUnit XML, which any test runner can write. Pure."""

from collections.abc import Mapping
from posixpath import normpath, splitext
from typing import NamedTuple
from xml.etree import ElementTree as ET

from ..adr.promises import Named
from ..text import printable
from .evidence import FAILED, PASSED, SKIPPED, RunFact

_MOST_CHARACTERS = 300
"""Maximum characters of a message in a reason."""


_OUTCOMES = (
    (FAILED, ("failure", "error", "failed"), "failed"),
    (SKIPPED, ("skipped",), "was skipped"),
)
"""An outcome, the elements or states of a case that say it, and the words for people."""
_PASSED = frozenset(("", "passed", "pass", "success", "ok", "run", "completed"))
"""States of a case that ran; some runners write none."""


class ReportError(Exception):
    """The report can't be read; the text says why."""


class _Case(NamedTuple):
    """A `<testcase>`: the test's name, its parameters, where it is, and its outcome."""

    name: str
    parameters: str
    classname: str
    file: str
    run: RunFact


def outcomes(report: bytes, paths: Mapping[Named, str], root: str) -> dict[Named, RunFact]:
    """Return the outcome of each test that the report has. `paths` are their files in `root`.

    A test has several cases if it has parameters, or was run again: it passed only if each passed.
    If its file was skipped as a whole, so was the test.

    Raises:
        ReportError: The report is not XML in UTF-8, or has a document type.
    """
    cases = _cases(report, root)
    found = {}
    for name, path in paths.items():
        runs = [case.run for case in cases if _is(case, name, path)]
        runs = runs or [case.run for case in cases if _is_skipped_file(case, path)]
        if runs:
            found[name] = min(runs, key=lambda run: (FAILED, SKIPPED, PASSED).index(run.outcome))
    return found


def _cases(report: bytes, root: str) -> list[_Case]:
    # Entities, which make a small file large, need a document type.
    if b"\0" in report or b"<!DOCTYPE" in report:
        raise ReportError("it is not UTF-8, or has a document type")
    try:
        tree = ET.fromstring(report)  # noqa: S314 -- without entities
    except (ET.ParseError, ValueError, LookupError) as error:
        raise ReportError(f"it is no XML: {error}") from None
    cases = []
    for element in tree.iter():
        if _tag(element) != "testcase":
            continue
        name, _, parameters = element.get("name", "").partition("[")
        file = element.get("file", "").replace("\\", "/").removeprefix(f"{root}/")
        case = _Case(
            name=name.removesuffix("()"),
            parameters=parameters.removesuffix("]"),
            classname=element.get("classname", ""),
            file=normpath(file) if file else "",
            run=_run(element),
        )
        cases.append(case)
    return cases


def _tag(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


def _run(element: ET.Element) -> RunFact:
    """Return the outcome of a case, from its elements and from what some runners write beside."""
    states = {element.get(name, "").casefold() for name in ("status", "result")}
    items = {_tag(item): item for item in element}
    for outcome, tags, words in _OUTCOMES:
        tag = next((tag for tag in tags if tag in items), "")
        if not tag and states.isdisjoint(tags):
            continue
        message = (items[tag].get("message") or items[tag].text or "") if tag else ""
        text = printable(" ".join(message.split()), _MOST_CHARACTERS)
        return RunFact(outcome, f"the test {words}: {text}" if text else f"the test {words}")
    if other := states - _PASSED:
        return RunFact(SKIPPED, f"the runner says {printable(min(other), 40)!r} of the test")
    return RunFact(PASSED)


def _is(case: _Case, name: Named, path: str) -> bool:
    """Return whether a case is one of a test: by its name, and its file and module.

    Nothing is guessed: of two tests with one name, the other may be the one that ran.
    """
    *classes, function = name.text.split(".")
    if case.name != function or (name.parameters and case.parameters != name.parameters):
        return False
    where = {".".join((_module(path), *classes))}
    if not classes:
        where.add(path)  # some runners write the file as the class
    if case.file:
        where.add(".".join(classes))
    return case.file in ("", path) and case.classname in where


def _is_skipped_file(case: _Case, path: str) -> bool:
    """Return whether a case says that a whole file was skipped, as pytest does."""
    is_named = case.name in (_module(path), _module(path).rpartition(".")[2])
    return case.run.outcome == SKIPPED and is_named and case.file in ("", path)


def _module(path: str) -> str:
    return splitext(path)[0].replace("/", ".")
