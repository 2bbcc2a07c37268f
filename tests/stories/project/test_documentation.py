"""The documentation as a set: contents, links, commands and flags, and nothing said twice."""

import re
import shlex
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import click
import pytest

from helix_hooks.agents.instructions import BLOCK
from helix_hooks.cli.main import Program
from helix_hooks.cli.shared import COMMANDS
from scripts import commands, contents
from tests.conftest import ROOT, Repository, Run

README = ROOT / "README.md"

SKILL = ROOT / "helix_hooks" / "templates" / "skill.md"
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "approvals/README.md",
    SKILL,
    *contents.PAGES,
]
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^ *(`{3,}).*?^ *\1$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`[^`\n]*`")
CALL = re.compile(r"\bhelix-hooks ((?:[\w-]+)(?: [^`\n|#&;<>\\]*)?)")
SENTENCE = re.compile(r"(?<=[.:!?]) +|\n+")
PROGRAM = Program(name="helix-hooks")
names = [page.relative_to(ROOT).as_posix() for page in PAGES]


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    prose = CODE.sub("", text_of(page))
    titles = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return {contents.anchor(title) for title in titles}


@pytest.mark.parametrize("page", contents.PAGES, ids=lambda page: page.name)
def test_the_table_of_contents_is_current(page: Path) -> None:
    if page.name not in contents.GENERATED:
        assert text_of(page) == contents.with_contents(text_of(page)), "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_each_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(INLINE.sub("", CODE.sub("", text_of(page)))):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        place = (page.parent / path).resolve() if path else page
        assert place.exists(), target
        if anchor and place.suffix == ".md":
            assert anchor in anchors(place), target


def test_a_reader_has_fifteen_pages_and_twenty_thousand_words() -> None:
    generated = {*contents.GENERATED, "attacks.md"}
    written = [page for page in ROOT.glob("docs/*.md") if page.name not in generated]
    assert len(written) <= 15
    assert sum(len(text_of(page).split()) for page in written) <= 20_000
    assert len(text_of(README).splitlines()) <= 120


def test_each_page_is_linked_from_the_readme() -> None:
    linked = {target.partition("#")[0] for target in LINK.findall(text_of(ROOT / "README.md"))}
    assert {f"docs/{page.name}" for page in ROOT.glob("docs/*.md")} - linked == set()


def test_the_page_of_commands_names_each_command() -> None:
    page = text_of(ROOT / "docs/commands.md")
    assert page == commands.page(), "run `make docs`"
    for command in COMMANDS:
        assert f"\n### {command}\n" in page, command


def calls(page: Path) -> list[str]:
    """Return the calls of the program on a page, without the words behind a comment or a pipe."""
    return [call.strip().rstrip(".,:)") for call in CALL.findall(text_of(page))]


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_each_command_and_flag_exists(page: Path) -> None:
    """An unknown command or flag of a documented call is reported by its own parser."""
    for call in calls(page):
        words = _words(call)
        command = PROGRAM.get_command(click.Context(PROGRAM), words[0])
        if words[0] in ("COMMAND", "RULE") or (command is None and words[0] not in COMMANDS):
            continue
        assert command is not None, call
        flags = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert flags <= _options(command, words[1:]), call


INSTRUCTIONS = [
    call.rstrip("`.,")
    for call in (*calls(SKILL), *CALL.findall(BLOCK))
    if not call.startswith("COMMAND")
]


@pytest.mark.parametrize("call", INSTRUCTIONS)
def test_each_command_for_agents_is_parsed(call: str) -> None:
    """Arguments too: an agent types what stands there."""
    name, *words = _words(call)
    command = PROGRAM.get_command(click.Context(PROGRAM), name)
    while isinstance(command, click.Group):
        command = command.get_command(click.Context(command), words.pop(0))
    assert command is not None
    command.make_context(name, words)


def _words(call: str) -> list[str]:
    for text in (call, call.rstrip("'\"")):  # a call may be quoted as a whole
        with suppress(ValueError):
            return shlex.split(text)
    return call.split()  # prose behind a call may have an apostrophe


def _options(command: click.Command, words: list[str]) -> set[str]:
    """Return the flags of a command, and of its subcommand if one is named."""
    known = {"--help", "--version", "--quiet", "--color"}
    if isinstance(command, click.Group):
        named = [word for word in words if word in command.commands]
        parts = [command.commands[word] for word in named] or [*command.commands.values()]
    else:
        parts = [command]
    for part in (command, *parts):
        for parameter in part.params:
            known.update(parameter.opts, parameter.secondary_opts)
    return known


def test_the_readme_shows_what_a_check_prints(repository: Repository, run: Run) -> None:
    story = ROOT / "scripts" / "demo"
    for adr in (story / "accepted").iterdir():
        repository.stage(f"docs/adr/{adr.name}", adr.read_text(encoding="utf-8"))
    repository.commit()
    new = (story / "1-without-consequences.md").read_text(encoding="utf-8")
    repository.stage("docs/adr/0007-couriers-take-a-photo.md", new)
    printed = " ".join(run("check").out.split())
    (block,) = re.findall(
        r"```\n(docs/adr/0007[^`]*?`[^`]*`[^`]*`[^`]*`[^`]*)\n```", text_of(README)
    )
    assert " ".join(block.split()) in printed


def sentences(page: Path) -> set[str]:
    """Return the longer sentences of a page: at least nine words, outside of code and tables."""
    prose = CODE.sub("", text_of(page))
    lines = [line for line in prose.splitlines() if not line.startswith(("|", "- [", "#"))]
    paragraphs = "\n".join(lines).replace("\n\n", "\0").replace("\n", " ").split("\0")
    found = {part.strip() for text in paragraphs for part in SENTENCE.split(text)}
    return {sentence for sentence in found if len(sentence.split()) >= 9}


def test_no_sentence_stands_on_two_pages() -> None:
    places = defaultdict(list)
    for page in PAGES:
        if page.name not in ("CHANGELOG.md", "rules.md"):
            for sentence in sentences(page):
                places[sentence].append(page.name)
    assert {text: pages for text, pages in places.items() if len(pages) > 1} == {}
