"""`--mode check`: Layers 1 to 3 on the commit under review, by the settings of its base. No token, no key, no network."""

import hashlib
import os
import tomllib
from argparse import Namespace
from types import SimpleNamespace

from .. import files
from ..adr.check import CheckReport, Skipped
from ..approval.injection import OURS, is_instruction
from ..approval.policy import ApprovalType
from ..errors import HelixError
from ..github import runner
from ..glob import matches
from ..places import PYPROJECT, WORKFLOW
from ..pull.handover import LARGEST_GRAPH, MOST_FILES, RULES, Handover
from ..report import github as log
from ..report import markdown, sarif
from ..watched import NO_ADR, idle
from . import plan
from .gate import Check, Commit, fails
from .main import complain
from .steps import Work, arguments, placed, settings_of
from .subject import Change


def run(options: Namespace, work: Work) -> int:
    given = work.load(os.environ)
    if given.failure:
        raise HelixError(f"the snapshot failed: {given.failure[1]}")
    try:
        found, report = _checked(given, options, work)
    except (HelixError, OSError) as error:
        code = error.exit_code if isinstance(error, HelixError) else 3
        work.save(given._replace(failure=(code, str(error)), applies=True))
        complain(error)
        return code
    work.save(found)
    runner.annotate(log.render(report))
    work.tell(os.environ, sarif.render(report))
    if os.environ.get("GITHUB_EVENT_NAME") == "pull_request":
        runner.summarise(os.environ, markdown.render(report))
    return int(fails(report, options.fail_on))


def _checked(given: Handover, options: Namespace, work: Work) -> tuple[Handover, CheckReport]:
    change = Change(arguments(given, options), work.objects, "")
    try:
        wanted = SimpleNamespace(
            paths=[], staged=True, since=given.subject.base, all=False, concept=None, template=None, baseline=None, write_baseline=False
        )
        check = Check(wanted, change.root, change.index, None, Commit(change.head, change.since, change.rules))  # type: ignore[arg-type]
        report = check.report()
        said = placed((finding for file in report.files for finding in file.findings), change, RULES)
        approvals = plan.approvals(change.rules, options.config)
        policy = approvals.policy
        guarded = (
            WORKFLOW,
            *filter(None, [options.config]),
            *policy.protected,
            *([PYPROJECT] if _table(change.rules) != _table(change.tree) else []),
        )
        protected = tuple(path for path in change.touched if matches(path, guarded) and not path.startswith(OURS))
        types = plan.chosen(approvals, options.type)
        skipped = (
            *(f"{_unread(item)}: {item.reason}" for item in report.skipped),
            *idle(types.values(), (*change.tree.folder(""), *change.gone)),
            *([NO_ADR] if check.empty else []),
        )
        applies = bool(report.files or protected) or any(_is_watched(path, check, types) for path in change.touched)
        concepts = {file.concept.path for file in report.files if file.concept}
        looked_at = (path for path in change.touched if path in protected or path.endswith(".md") or is_instruction(path))
        contents = _contents(change, [*concepts, *looked_at, *(path for path in change.touched if _is_watched(path, check, types))])
        content = hashlib.sha256(repr(contents).encode(errors="surrogateescape")).hexdigest()
        named = [(path, blob[1] if blob else "") for path, blob in contents if path in change.touched and _is_utf8(path)]
        subject = given.subject._replace(settings=settings_of(change, options.config), content=content)
        return given._replace(
            subject=subject,
            applies=applies,
            adrs=report.adrs,
            fail_on=options.fail_on,
            said=said,
            skipped=skipped,
            protected=protected,
            policy=policy,
            graph=drawn if len(drawn := markdown.graph(report)) <= LARGEST_GRAPH else "",
            files=tuple(named[:MOST_FILES]),
            files_left_out=max(0, len(named) - MOST_FILES),
        ), report
    finally:
        change.close()


def _table(tree: files.Tree) -> object:
    """Our part of pyproject.toml; None where there is none, or none that can be read."""
    try:
        return tomllib.loads((tree.read(PYPROJECT) or b"").decode()).get("tool", {}).get("helix-hooks")
    except (ValueError, AttributeError):
        return None


def _is_watched(path: str, check: Check, types: dict[str, ApprovalType]) -> bool:
    """Whether a judge reviews a file, or the gate itself goes by it."""
    globs = tuple(glob for type in types.values() for glob in type.paths)
    is_near = is_instruction(path) and check.settings.is_beside_adrs(path)
    return path.startswith(OURS) or check.settings.is_adr(path) or is_near or matches(path, globs)


def _contents(change: Change, paths: list[str]) -> list[tuple[str, tuple[str, str] | None]]:
    """Files as they are at the head, by which an approval may hold for another commit with the same ones."""
    return sorted((path, change.tree.blob(path)) for path in set(paths))


def _is_utf8(path: str) -> bool:
    """Whether JSON can hold a name; git knows others."""
    return not any("\ud800" <= character <= "\udfff" for character in path)


def _unread(item: Skipped) -> str:
    """What was not checked: a rule everywhere, a rule in one file, or a file."""
    return f"{item.check} in {item.path}" if item.check and item.path else item.path or item.check
