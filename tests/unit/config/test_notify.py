"""The file of notifications is read strictly, and no message quotes an address, which may hold a secret."""

import pytest

from helix_hooks.config.notify import (
    DECIDED,
    TURN,
    Channel,
    NotifiedPerson,
    parse_notify,
)
from helix_hooks.errors import ConfigError

FULL = """\
batch: 2m
most_per_hour: 20
people:
  alice:
    channels:
      mail: mailtos://${SMTP_USER}:${SMTP_PASSWORD}@smtp.example.com?to=alice@example.com
      phone: ${ALICE_PHONE}
    events: [turn, decided]
    projects: ["acme/*"]
    teams: acme/architects
projects:
  "acme/shop":
    channels:
      chat: slack://token@example
"""
SECRET = "hunter2-is-the-password"
ALICE = "people:\n  alice:\n    "
MAIL = "channels:\n      mail: mailtos://a@example.org\n    "


def test_all_keys() -> None:
    settings = parse_notify(FULL, "notify.yaml")
    alice = NotifiedPerson(
        login="alice",
        channels=(
            Channel(
                "mail",
                "mailtos://${SMTP_USER}:${SMTP_PASSWORD}@smtp.example.com?to=alice@example.com",
            ),
            Channel("phone", "${ALICE_PHONE}"),
        ),
        events=(TURN, DECIDED),
        projects=("acme/*",),
        teams=("acme/architects",),
    )
    assert settings.people == (alice,)
    assert [shared.projects for shared in settings.shared] == ["acme/shop"]
    assert (settings.batch, settings.most) == (120, 20)


WRONG = {
    "unknown key": ("peoples: {}\n", "did you mean 'people'"),
    "no login": ("people:\n  -x:\n    channels:\n      a: json://x\n", "invalid login"),
    "no channels": (f"{ALICE}events: turn\n", "missing key 'channels'"),
    "empty channels": (f"{ALICE}channels: {{}}\n", "missing channel"),
    "channels are an address": (f"{ALICE}channels: mailtos://a:{SECRET}@b\n", "a mapping"),
    "a person is an address": (f"people:\n  alice: mailtos://a:{SECRET}@b\n", "a mapping"),
    "an address without a kind": (f"{ALICE}channels:\n      mail: {SECRET}\n", "must begin with its service"),
    "an address is a list": (f"{ALICE}channels:\n      mail: [x]\n", "missing address"),
    "a variable that is not closed": (f"{ALICE}channels:\n      mail: mailtos://${{{SECRET}\n", "expected ${NAME}"),
    "a variable with a hyphen": (f"{ALICE}channels:\n      mail: mailtos://${{A-B}}\n", "expected ${NAME}"),
    "unknown event": (f"{ALICE}{MAIL}events: [turns]\n", "did you mean 'turn'"),
    "quiet hours": (f"{ALICE}{MAIL}quiet_hours: {{from: '22:00', until: '06:00'}}\n", "quiet_hours: unknown key"),
    "no team": (f"{ALICE}{MAIL}teams: architects\n", "invalid team"),
    "no project": (f"{ALICE}{MAIL}projects: acme/\n", "invalid pattern"),
    "batch without a unit": ("batch: 30\n", "e.g. 30s, 2m or 1h"),
    "batch of a week": ("batch: 168h\n", "up to 24h"),
    "no messages at all": ("most_per_hour: 0\n", "at least 1"),
    "a login twice": ("people:\n  Bob:\n    channels:\n      a: json://x\n  bob:\n    channels:\n      a: json://x\n", "the same login"),
    "empty": ("", "the file is empty"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_without_a_secret(name: str) -> None:
    text, words = WRONG[name]
    with pytest.raises(ConfigError) as raised:
        parse_notify(text, "notify.yaml")
    assert words in str(raised.value)
    assert str(raised.value).startswith("notify.yaml:")
    assert SECRET not in str(raised.value)
