"""No destination shows a token, whichever it is and however it is hidden; texts without one stay as they are."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix_hooks import text as sanitize
from helix_hooks.adr.check_report import CheckReport, FileReport, RuleCounts
from helix_hooks.adr.model import Suppressed
from helix_hooks.finding import Finding
from helix_hooks.report import github, junit, markdown, sarif, text
from helix_hooks.report import json as json_report
from helix_hooks.text import TOKENS

TOKEN = "ghp_" + "a1B2" * 9
DESTINATIONS: tuple[Callable[[str], str], ...] = (
    sanitize.printable, sanitize.log_line, sanitize.at_line_start, sanitize.command_data, sanitize.command_property, sanitize.xml,
    sanitize.sarif_message, sanitize.markdown_cell, sanitize.inert_cell, sanitize.plain, sanitize.inline, sanitize.code, sanitize.fenced,
    lambda value: json.dumps(sanitize.json_value({"a": [value, (value,)]})),
)  # fmt: skip


@pytest.mark.parametrize("destination", DESTINATIONS, ids=lambda item: item.__name__)
@pytest.mark.parametrize(
    "written",
    [
        TOKEN,
        f"key={TOKEN}.",
        f"{TOKEN[:9]}\u200b{TOKEN[9:]}",
        f"{TOKEN[:3]}\u00ad{TOKEN[3:]}",
        f"gh\x01{TOKEN[2:]}",
    ],
)
def test_no_destination_shows_a_token(destination: Callable[[str], str], written: str) -> None:
    shown = destination(f"see {written} here")
    assert TOKEN[9:] not in shown
    assert "a secret" in shown


@pytest.mark.slow
@given(st.from_regex(TOKENS, fullmatch=True))
def test_every_token_is_masked(token: str) -> None:
    assert sanitize.without_tokens(f"x {token} y") != f"x {token} y"


@pytest.mark.parametrize("cut", range(1, len(TOKEN) + 12))
def test_a_cut_leaves_no_piece_of_a_token(cut: int) -> None:
    assert TOKEN[4:12] not in sanitize.printable(f"key {TOKEN}", cut)


@pytest.mark.parametrize(
    "written",
    [
        "docs/adr/0012-task-management-and-planning-for-teams.md",
        "a risk-assessment-of-the-new-cluster",
        "the disk-encryption-of-all-machines-2024",
        "Kiosk-Betrieb-in-allen-Filialen",
        "fehler über Möglichkeiten, ghost_writer",
    ],
)
@pytest.mark.parametrize("destination", [sanitize.printable, sanitize.command_data, sanitize.plain])
def test_words_are_no_tokens(destination: Callable[[str], str], written: str) -> None:
    assert destination(written) == written


def report() -> CheckReport:
    message, path = f"unknown status {TOKEN}", f"docs/{TOKEN}.md"
    finding = Finding("error", "header-invalid", "structure", message, path, help=f"not {TOKEN}")
    file = FileReport(
        path=finding.path, adr_id=TOKEN, template="helix", status="", status_raw=TOKEN, rules=RuleCounts(), concept=None, findings=(finding,),
        lines={1: f"status: {TOKEN}"}, suppressed=(Suppressed(finding, "inline", f"for {TOKEN}"),),
    )  # fmt: skip
    return CheckReport((file,))


@pytest.mark.parametrize(
    "render",
    [text.render, json_report.render, sarif.render, junit.render, github.render, markdown.render],
)
def test_no_report_shows_a_token(render: Callable[[CheckReport], str]) -> None:
    shown = render(report())
    assert TOKEN not in shown
    assert "a secret" in shown or "a%20secret" in shown


def test_what_has_no_token_loads_no_masking() -> None:
    call = "import sys; from helix_hooks.text import printable; printable('risiko: Übergang')"
    code = f"{call}; print('helix_hooks.text.masking' in sys.modules)"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"False\n"
