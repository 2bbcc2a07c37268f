"""A repository with a dozen decisions, their history over two years, and some findings."""

import os

from tests.conftest import Repository

NOW = 1_767_225_600  # 2026-01-01
_MONTH = 2_629_800

_TITLES = {
    1: ("Use PostgreSQL", ""),
    2: ("Record decisions as Markdown", ""),
    3: ("Queue jobs with RabbitMQ", "depends_on: ['001']\n"),
    4: ("One service a team", ""),
    5: ("Sign in with OpenID Connect", "depends_on: ['004']\n"),
    6: ("Cache reads in Redis", "depends_on: ['001', '004']\n"),
    7: ("Replace RabbitMQ by Kafka", "supersedes: '003'\ndepends_on: ['001']\n"),
    8: ("Publish events of orders", "depends_on: ['007', '005']\n"),
    9: ("Deploy with containers", "related_to: ['004']\n"),
    10: ("Encrypt backups", "depends_on: ['001']\n"),
    11: ("Log in one format", ""),
    12: ("Move search to its own service", "depends_on: ['008', '006']\n"),
}
_LAST = {3: "Superseded by ADR-007", 6: "Rejected", 11: "Proposed", 12: "Proposed"}


def path(number: int) -> str:
    slug = _TITLES[number][0].lower().replace(" ", "-")
    return f"docs/adr/{number:03}-{slug}.md"


def adr(number: int, status: str) -> str:
    title, relations = _TITLES[number]
    front = f"---\nadr_id: '{number:03}'\ntitle: {title}\nstatus: {status}\n{relations}---\n"
    named = "".join(f"It builds on ADR-{word}. " for word in ("001", "004") if word in relations)
    context = f"Orders must not be lost. {named}The team knows the tools, and runs them already."
    return (
        f"{front}\n# ADR-{number:03}: {title}\n\n## Context\n\n{context}\n\n## Decision\n\n"
        f"We do it: {title.lower()}, from the next release on, for all services.\n\n"
        "## Consequences\n\nOne more system to run, and one less to explain to others.\n"
    )


def build(repository: Repository) -> None:
    """Write the decisions, two months a decision, as proposed and then as decided."""
    repository.stage(".helix-hooks.yaml", "template: nygard\n")
    for number in _TITLES:
        _commit(repository, number, "Proposed", NOW - (26 - 2 * number) * _MONTH)
        if number not in (11, 12):
            status = "Rejected" if number == 6 else "Accepted"
            _commit(repository, number, status, NOW - (25 - 2 * number) * _MONTH)
        if number == 7:
            _commit(repository, 3, _LAST[3], NOW - 11 * _MONTH)
    repository.write(path(8), adr(8, "Acepted").replace("## Consequences", "## Later"))
    repository.write(path(12), adr(12, "Proposed").replace("'008'", "'018'"))
    repository.write(path(10), adr(10, "Accepted").replace("We do it:", "TODO"))


def _commit(repository: Repository, number: int, status: str, at: int) -> None:
    repository.stage(path(number), adr(number, status))
    os.environ["GIT_COMMITTER_DATE"] = f"{at} +0000"
    repository.commit(f"{status}: {number}")
    del os.environ["GIT_COMMITTER_DATE"]
