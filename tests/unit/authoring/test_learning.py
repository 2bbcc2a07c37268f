"""Settings learnt from ADRs are written only where they help."""

import pytest

from helix_hooks.adr.examine import Source, read
from helix_hooks.adr.model import Adr
from helix_hooks.adr.parse.document import parse
from helix_hooks.authoring.learning import learnt_settings
from helix_hooks.config.settings import load
from helix_hooks.repository import files

RULESET = load(lambda _: None, files.packaged).ruleset
STYLED = '# {n}. Title\n\n## Motivation\n\nWhy.\n\n## Our "choice"\n\nThis.\n'


def adrs(count: int, text: str = STYLED) -> list[Adr]:
    sources = [Source(parse(text.format(n=n).encode(), f"adr/{n}.md")) for n in range(count)]
    return [read(source, RULESET) for source in sources]


def test_common_sections_become_a_template_that_loads() -> None:
    text = learnt_settings(adrs(5), passed=0)
    settings = load({".helix-hooks.yaml": text.encode()}.get, files.packaged)
    sections = settings.ruleset.templates["ours"].sections
    assert [section.name for section in sections] == ["Motivation", 'Our "choice"']
    assert settings.ruleset.template == "ours"


@pytest.mark.parametrize(
    ("count", "passed", "text"),
    [(4, 0, STYLED), (5, 4, STYLED), (5, 0, "# Notes\n\nNothing in common.\n"), (0, 0, STYLED)],
    ids=["too few", "a built-in template fits", "no style", "none"],
)
def test_no_settings_without_a_need(count: int, passed: int, text: str) -> None:
    assert learnt_settings(adrs(count, text), passed) == ""
