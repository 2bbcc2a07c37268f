"""What is to be reviewed, by which types and by which rubric."""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from .. import yaml_values
from ..config import approvals
from ..config.approvals import Agent, Approvals, ApprovalType
from ..config.settings import decode
from ..errors import ConfigError, UsageError
from ..globs import matches
from ..paths import APPROVALS, APPROVALS_FILE, beside
from ..repository import files
from ..repository.links import FILE, WRONG
from ..verdict import verdict
from ..verdict.injection.signs import is_instruction
from ..verdict.prompt import Brief
from ..verdict.verdict import Schema

IsAdr = Callable[[str], bool]


class Rubric(NamedTuple):
    """What a judge of one type goes by."""

    text: str
    briefs: tuple[Brief, ...]
    skills: dict[str, bytes]
    schema: Schema


def approvals_of(tree: files.Tree, path: str = "") -> Approvals:
    """The configuration of a tree over the packaged one; `path` is where it is, if not at its usual place. Raises ConfigError."""
    packaged = yaml_values.load(decode(files.packaged(APPROVALS_FILE) or b"", APPROVALS_FILE), APPROVALS_FILE)
    data = tree.read(path or APPROVALS_FILE)
    if path and data is None:
        raise ConfigError(path, 1, "", "there is no such file at the base, and the input `config` names it")
    return approvals.parse(packaged if data is None else yaml_values.load(decode(data, path or APPROVALS_FILE), path or APPROVALS_FILE), packaged)


def chosen(found: Approvals, named: list[str]) -> dict[str, ApprovalType]:
    """The types to run: those named, else the enabled ones; with each, what it comes after. Raises UsageError for one that is not known."""
    unknown = [name for name in named if name not in found.types]
    if unknown:
        raise UsageError(f"--type {unknown[0]}: there is no such approval type; there are {', '.join(found.types)}")
    wanted = named or [name for name, type in found.types.items() if type.enabled]
    for name in wanted:
        after = found.types[name].after
        if after and after not in wanted:
            wanted = [*wanted, after]
    return {name: type for name, type in found.types.items() if name in _with_first(found, wanted)}


def _with_first(found: Approvals, names: list[str]) -> set[str]:
    """Some types and all that come before them."""
    wanted = set(names)
    for name in names:
        while name := found.types[name].after:
            wanted.add(name)
    return wanted


def shared_out(types: dict[str, ApprovalType], paths: list[str], is_adr: IsAdr, given: bool) -> dict[str, list[str]]:
    """The files each type reviews. Of files that were named (`given`), each must be some type's, and the one type that there is takes all."""
    if given and len(types) == 1:
        return dict.fromkeys(types, paths)
    share = {name: [path for path in paths if _reviews(type, path, is_adr)] for name, type in types.items()}
    left = [path for path in paths if not any(path in taken for taken in share.values())]
    if given and left:
        raise UsageError(f"{left[0]}: none of the approval types {', '.join(types)} reviews it; name one with --type")
    return share


def _reviews(type: ApprovalType, path: str, is_adr: IsAdr) -> bool:
    return matches(path, type.paths) if type.paths else is_adr(path)


def _is_near(type: ApprovalType, path: str, is_adr: IsAdr) -> bool:
    """Return whether a type reviews a file, or would if it were no instructions to agents, which are no ADR."""
    return _reviews(type, path, is_adr) or (not type.paths and is_adr(beside(path)))


def withheld(types: dict[str, ApprovalType], changed: list[str], gone: list[str], is_adr: IsAdr) -> list[str]:
    """What a type should review and no judge can: files that agents take for instructions, and deleted ones, of which nothing can be quoted.

    A deleted ADR is left to the rules, which know whether it was decided.
    """
    instructions = [path for path in changed if is_instruction(path) and any(_is_near(type, path, is_adr) for type in types.values())]
    return [*instructions, *(path for path in gone if any(matches(path, type.paths) for type in types.values()))]


def rubric(tree: files.StagedTree, type: ApprovalType, paths: list[str], folder: str) -> Rubric:
    """Rubric, briefs and skills of a type, each file the tree's own or else the packaged one. Raises ConfigError."""
    top = f"{folder}/{type.name}"
    text = _text(tree, folder, f"{type.name}/CLAUDE.md")
    if text is None:
        raise ConfigError(APPROVALS_FILE, 1, f"approvals.{type.name}", f"there is no rubric {top}/CLAUDE.md; write it or set enabled: false")
    briefs = tuple(_briefs(tree, type, folder))
    schema = json.loads(files.packaged("schemas/judge-answer.json") or b"{}")
    return Rubric(text, briefs, dict(_skills(tree, f"{top}/skills")), verdict.narrowed(schema, [brief.name for brief in briefs], paths))


def _briefs(tree: files.Tree, type: ApprovalType, folder: str) -> Iterator[Brief]:
    places, top = dict(type.checks), f"{folder}/{type.name}"
    names = places or dict.fromkeys(_all_briefs(tree, folder, f"{type.name}/checks"))
    for name in names:
        path = f"{top}/checks/{name}.md"
        text = _text(tree, folder, f"{type.name}/checks/{name}.md")
        if text is None or not text.strip():
            message = f"there is no brief {path}; write it or take {name!r} out" if text is None else f"the brief {path} is empty"
            raise places[name].fail(message) if name in places else ConfigError(path, 1, "", message)
        yield Brief(name, text)
    if not names:
        raise ConfigError(APPROVALS_FILE, 1, f"approvals.{type.name}", f"there is no brief in {top}/checks; a judge needs at least one")


def _all_briefs(tree: files.Tree, folder: str, below: str) -> list[str]:
    top = f"{folder}/{below}"
    own = (path.removeprefix(f"{top}/") for path in tree.folder(top))
    names = (*own, *files.packaged_names(f"{APPROVALS}/{below}"))
    return sorted({name.removesuffix(".md") for name in names if name.endswith(".md") and "/" not in name})


def _text(tree: files.Tree, folder: str, path: str) -> str | None:
    """A file of the repository's folder, else the packaged one of that name."""
    own = tree.read(f"{folder}/{path}")
    data = files.packaged(f"{APPROVALS}/{path}") if own is None else own
    return None if data is None else decode(data, f"{folder}/{path}")


def _skills(tree: files.StagedTree, folder: str) -> Iterator[tuple[str, bytes]]:
    """The files below a folder; a link in there is what it leads to, as long as that lies in the tree. Raises ConfigError."""
    for path in tree.folder(folder):
        place = tree.place(path)
        if place.kind == WRONG:
            raise ConfigError(path, 1, "", f"{place.reason}; a judge is given nothing from there")
        if place.kind == FILE:
            yield path.removeprefix(f"{folder}/"), tree.content(path)


def agent(found: Approvals, name: str, environment: Mapping[str, str]) -> Agent:
    """The agent of a name; who runs the program may say by HELIX_AGENT_COMMAND where `claude` is. Raises UsageError for one that the settings
    do not have.
    """
    if name not in found.agents:
        raise UsageError(f"--agent {name}: there is no such agent; there are {', '.join(found.agents)}")
    agent = found.agents[name]
    try:
        command = shlex.split(environment.get("HELIX_AGENT_COMMAND", ""))
    except ValueError as error:
        raise UsageError(f"HELIX_AGENT_COMMAND can't be read: {error}") from None
    return agent._replace(command=tuple(command)) if command and name == approvals.CLAUDE else agent
