"""Commands in the text of a comment. What follows from each on a pull request is in tests/cases/commands."""

import re

import pytest

from helix_hooks.decision.commands import APPROVE, HELP, REJECT, USAGES, Command, commands
from tests.conftest import ROOT

READS = re.compile(r"(?:compile|match|search|findall|startswith|partition)\(.*/helix")


def test_the_last_of_many_is_heard() -> None:
    assert commands("/helix status\n" * 40 + "/helix reject it is late")[-1] == Command(
        REJECT, words="it is late"
    )


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
def test_lines_end_as_they_like(end: str) -> None:
    assert commands(
        end.join(["One.", "", "/helix approve a1b2c3d", "/helix reject it is late"])
    ) == (
        Command(APPROVE, commit="a1b2c3d"),
        Command(REJECT, words="it is late"),
    )


@pytest.mark.parametrize("blank", [" ", "\t", "\u00a0", "  \t"])
def test_words_stand_apart_by_any_blank(blank: str) -> None:
    assert commands(blank.join(["/helix", "approve", "a1b2c3d", "for", "adr"])) == (
        Command(APPROVE, ("adr",), "a1b2c3d"),
    )


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1e", "\u0085", "\u2028", "\u2029"])
def test_what_is_a_line_to_some_programs_is_in_doubt(separator: str) -> None:
    (found,) = commands(f"we will{separator}/helix approve a1b2c3d")
    assert found.wrong.startswith("the comment has control characters")
    assert commands(f"we will{separator}/helix reject no") == (Command(REJECT, words="no"),)
    (found,) = commands(f"> we will{separator}{separator}more\n/helix approve a1b2c3d")
    assert found.wrong.startswith("the comment has control characters")


@pytest.mark.parametrize("sign", ["\0", "\ud800"])
def test_no_sign_silences_an_objection(sign: str) -> None:
    assert [found.name for found in commands(f"a{sign}b\n\n/helix reject no")] == [REJECT]


def test_help_names_every_command() -> None:
    (found,) = commands("/helix merge")
    assert found.name == HELP and all(name in found.wrong for name in USAGES)


def test_one_module_reads_commands() -> None:
    readers = {
        path.stem
        for path in (ROOT / "helix_hooks").rglob("*.py")
        if READS.search(path.read_text(encoding="utf-8"))
    }
    assert readers == {"commands"}, "any other place asks `commands`"
