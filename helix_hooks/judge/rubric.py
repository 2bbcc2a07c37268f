"""The rubric of an approval type: text, briefs and skills, from a tree or packaged."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from ..check import files
from ..check.trees import FILE, FOLDER, GitTree, Tree
from ..config.approvals import ApprovalType
from ..config.settings import decode
from ..errors import ConfigError, UsageError
from ..paths import APPROVALS, APPROVALS_FILE
from ..verdict import verdict
from ..verdict.prompt import Brief
from ..verdict.verdict import Schema
from ..yaml_reader import Value


class Rubric(NamedTuple):
    """The rubric of an approval type. `schema` is the schema of an answer."""

    text: str
    briefs: tuple[Brief, ...]
    skills: dict[str, bytes]
    schema: Schema


def rubric(
    tree: GitTree,
    type: ApprovalType,
    paths: list[str],
    folder: str,
) -> Rubric:
    """Return the rubric of a type for the review of some files.

    Each of its files is the one below `folder` in the tree, or else the packaged one.

    Raises:
        ConfigError: The rubric or a brief is missing.
    """
    top = f"{folder}/{type.name}"
    text = rubric_text(tree, folder, f"{type.name}/CLAUDE.md")
    if text is None:
        message = f"there is no rubric {top}/CLAUDE.md; write it or set enabled: false"
        raise ConfigError(APPROVALS_FILE, 1, f"approvals.{type.name}", message)
    briefs = tuple(_briefs(tree, type, folder))
    skills = dict(_skills(tree, f"{top}/skills"))
    names = [brief.name for brief in briefs]
    schema = answer_schema(names, paths, rewrites=type.run.allow_rewrite)
    return Rubric(text, briefs, skills, schema)


def answer_schema(briefs: list[str], paths: list[str], rewrites: bool = False) -> Schema:
    """Return the schema of an answer to some briefs about some files.

    Only with `rewrites` may an answer propose texts.
    """
    schema = json.loads(files.packaged("schemas/judge-answer.json") or b"{}")
    return verdict.narrowed(schema, briefs, paths, rewrites)


def narrowed(
    tree: Tree,
    type: ApprovalType,
    names: tuple[str, ...],
    folder: str,
) -> ApprovalType:
    """Return a type with only some of its briefs.

    Raises:
        UsageError: The type has no such brief.
    """
    known = _names(tree, type, folder)
    for name in names:
        if name not in known:
            there = ", ".join(known)
            message = f"the approval type {type.name} has no such brief; available: {there}"
            raise UsageError(f"--check {name}: {message}")
    places, nowhere = dict(type.checks), Value(None, 1, 1, APPROVALS_FILE, "approvals")
    return type._replace(checks=tuple((name, places.get(name, nowhere)) for name in names))


def _names(tree: Tree, type: ApprovalType, folder: str) -> list[str]:
    """Return the briefs of a type: those of its setting `checks`, or all of its folder."""
    return list(dict(type.checks)) or _all_briefs(tree, folder, f"{type.name}/checks")


def _briefs(tree: Tree, type: ApprovalType, folder: str) -> Iterator[Brief]:
    places, top = dict(type.checks), f"{folder}/{type.name}"
    names = _names(tree, type, folder)
    for name in names:
        path = f"{top}/checks/{name}.md"
        text = rubric_text(tree, folder, f"{type.name}/checks/{name}.md")
        if text is None or not text.strip():
            absent = f"there is no brief {path}; create it, or remove {name!r} from `checks`"
            message = absent if text is None else f"the brief {path} is empty"
            if name in places:
                raise places[name].fail(message)
            raise ConfigError(path, 1, "", message)
        yield Brief(name, text)
    if not names:
        message = f"there is no brief in {top}/checks; a judge needs at least one"
        raise ConfigError(APPROVALS_FILE, 1, f"approvals.{type.name}", message)


def _all_briefs(tree: Tree, folder: str, below: str) -> list[str]:
    top = f"{folder}/{below}"
    in_tree = [path.removeprefix(f"{top}/") for path in tree.folder(top)]
    names = (*in_tree, *files.packaged_names(f"{APPROVALS}/{below}"))
    briefs = [name for name in names if name.endswith(".md") and "/" not in name]
    return sorted({name.removesuffix(".md") for name in briefs})


def rubric_text(tree: Tree, folder: str, path: str) -> str | None:
    """Return a file of the repository's folder, or else the packaged one."""
    data = tree.read(f"{folder}/{path}")
    if data is None:
        data = files.packaged(f"{APPROVALS}/{path}")
    if data is None:
        return None
    return decode(data, f"{folder}/{path}")


def _skills(tree: GitTree, folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files below a folder, also behind links. Raise ConfigError if one leads out."""
    for path in tree.folder(folder):
        is_folder = tree.place(path).kind == FOLDER
        for name in tree.folder(path) if is_folder else [path]:
            place = tree.place(name)
            if place.kind != FILE:
                reason = place.reason or f"{name} is a link to a folder in a linked folder"
                raise ConfigError(name, 1, "", f"{reason}; a judge gets no files from there")
            yield name.removeprefix(f"{folder}/"), tree.content(name)
