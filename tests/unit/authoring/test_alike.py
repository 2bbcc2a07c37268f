"""The texts of new ADRs by a template of the settings."""

from helix_hooks.adr.blank import is_blank
from helix_hooks.adr.model import Required, Template
from helix_hooks.authoring.alike import NewAdrFacts, from_settings
from helix_hooks.check import files
from helix_hooks.config.settings import load

FACTS = NewAdrFacts("1", "New", "2026-03-09", "docs/adr/0001-new.md")
SETTINGS = b"""
template: ours
templates:
  ours:
    header: [status, deciders]
    sections: [Motivation, Choice]
    min_section_length: 60
"""


def template() -> Template:
    settings = load({".helix-hooks.yaml": SETTINGS}.get, files.packaged)
    return settings.ruleset.templates["ours"]


def test_fields_and_sections_are_those_of_the_settings() -> None:
    text = from_settings(template(), FACTS)
    assert text.startswith(
        "---\nstatus: Proposed\ndeciders: TODO\n---\n\n# New\n\n## Motivation\n\n"
    )
    sections = text.split("\n## ")[1:]
    assert [section.partition("\n")[0] for section in sections] == ["Motivation", "Choice"]
    assert all(is_blank(section.partition("\n\n")[2]) for section in sections)


def test_criteria_are_as_many_as_the_template_asks_for() -> None:
    section = Required("Acceptance Criteria", ("acceptance-criteria",))
    own = template()._replace(sections=(section,), min_acceptance_criteria=5)
    assert from_settings(own, FACTS).count("- [ ] ") == 5
