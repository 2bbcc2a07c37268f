"""The file of notifications in the documentation is one that is read, with all that it shows."""

import re

from helix_hooks.config.notify import EVENTS, NotifiedPerson, parse_notify
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "notifications.md").read_text(encoding="utf-8")
KEYS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")


def test_the_file_of_the_page_is_read() -> None:
    found = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert found
    settings = parse_notify(found[1], "notify.yaml")
    alice, bob = settings.people
    assert alice.teams and alice.projects
    assert bob.events == ("turn", "escalated")
    assert settings.batch == 120
    assert [shared.projects for shared in settings.shared] == ["acme/shop"]


def test_the_pages_name_all_events_and_preferences() -> None:
    assert all(f"`{event}`" in PAGE for event in EVENTS)
    assert {"channels", "events", "projects", "teams"} < set(NotifiedPerson._fields)
    assert all(f"| `{key}` |" in KEYS for key in ("channels", "events", "projects", "teams"))
