"""A decided ADR in the repository of a pull request, and each kind of change of it."""

import re
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

Files = dict[str, str]
Edit = Callable[[Files], None]

PATH = "docs/adr/0002-events.md"
SUCCESSOR = "docs/adr/0003-pulsar.md"
TEXT = """---
status: {status}
date: 2026-01-05
owner: ann
---

# Exchange events through a broker

## Context and Problem Statement

Three services query one table, and its [database](../database.md) is at its limit. See https://example.org/load for the load.

## Decision Outcome

The services exchange events through Kafka. Messages must be encrypted and must not contain passwords. They are kept for 7 days.

![the services](services.png)

1. Orders move first.
2. Invoices follow.

<details><summary>Topics</summary>

One topic for each service.

</details>

## Consequences

The team runs the broker, and pays for three machines.

- [ ] the broker is monitored
"""
NEXT = """---
status: {status}
date: 2026-02-05
supersedes: ADR-0002
---

# Exchange events through Pulsar

## Context and Problem Statement

The broker of ADR-0002 needs three machines, and nobody has the time to run them.

## Decision Outcome

The services exchange events through the managed Pulsar of our provider.

## Consequences

The provider runs the broker, and we pay for each message.
"""


IN_A_SECTION = TEXT.partition("---\n\n")[2].replace(
    "\n## Context", "\n## Status\n\n{status}\n\n## Context"
)


class Case(NamedTuple):
    """A change of files; `before` is the status of the ADR at the base."""

    name: str
    edit: Edit
    before: str = "accepted"
    more: Files = {}  # noqa: RUF012 -- never written to
    text: str = TEXT

    @property
    def base(self) -> Files:
        """The files before the change."""
        return {PATH: with_status(self.text, self.before), **BESIDE, **self.more}

    @property
    def head(self) -> Files:
        """The files after the change."""
        files = self.base
        self.edit(files)
        return files


BESIDE = {
    "docs/database.md": "# Database\n",
    "docs/adr/services.png": "",
    "docs/load.md": "# Load\n",
}


def with_status(text: str, status: str) -> str:
    """Return an ADR with a status; "" for none."""
    if not status:
        return text.replace("status: {status}\n", "")
    return text.replace("{status}", status)


def _replace(old: str, new: str, path: str = PATH) -> Edit:
    def edit(files: Files) -> None:
        assert old in files[path]
        files[path] = files[path].replace(old, new, 1)

    return edit


def _add(text: str) -> Edit:
    def edit(files: Files) -> None:
        files[PATH] += text

    return edit


def move(*moves: tuple[str, str]) -> Edit:
    def edit(files: Files) -> None:
        for old, new in moves:
            files[new] = files.pop(old)

    return edit


def _delete(files: Files) -> None:
    del files[PATH]


def status_of(status: str) -> Edit:
    line = f"status: {status}\n" if status else ""

    def edit(files: Files) -> None:
        files[PATH] = re.sub("status: .*\n|(?<=^---\n)(?=date)", line, files[PATH], count=1)

    return edit


def _all(*edits: Edit) -> Edit:
    def edit(files: Files) -> None:
        for item in edits:
            item(files)

    return edit


def _successor(status: str) -> Edit:
    def edit(files: Files) -> None:
        files[SUCCESSOR] = with_status(NEXT, status)

    return edit


def _cases(row: str, **edits: Edit) -> dict[str, list[Case]]:
    return {row: [Case(name.replace("_", " "), edit) for name, edit in edits.items()]}


_BY = "superseded by ADR-0003"
STATUSES = (
    "draft", "proposed", "accepted", "implemented", "deprecated", "superseded", "rejected",
    "withdrawn", "ratified", "",
)  # fmt: skip
_DECIDED = ("accepted", "implemented")

CASES: dict[str, list[Case]] = {
    **_cases(
        "white space",
        line_broken=_replace("machines.", "machines.\n"),
        blanks=_replace("Three services query", "Three  services\nquery"),
    ),
    **_cases(
        "status, date or another known field",
        date=_replace("2026-01-05", "2026-01-06"),
        label=_replace("owner: ann", "owner: ann\ntags: kafka"),
    ),
    **_cases(
        "the status Implemented, where [not all is shown](agents.md#what-verify-says)",
        implemented=status_of("implemented"),
    ),
    **_cases(
        "a ticked box, or a paragraph under `## Amendments`",
        tick=_replace("[ ]", "[x]"),
        amendment=_add("\n## Amendments\n\n2026-03-01: Four services use the broker today.\n"),
    ),
    **_cases(
        "at most three words that keep the meaning",
        spelling=_replace("Invoices", "Invoces"),
        antonym=_replace("monitored", "watched"),
        sign=_replace("passwords.", "passwords"),
        three=_replace("move first", "are moved first"),
    ),
    **_cases(
        "the target of a link or picture, or a visible address",
        link=_replace("../database.md", "../load.md"),
        picture=_replace("services.png", "../database.md"),
        address=_replace("example.org/load", "example.org/none"),
        html=_replace("Topics</summary>", 'Topics</summary> <a href="x.md"></a>'),
    ),
    **_cases(
        "more words, or one that changes the meaning",
        number=_replace("7 days", "9 days"),
        negation=_replace("must not contain", "must contain"),
        modal=_replace("must be", "should be"),
        sentence=_replace("through Kafka.", "through Kafka and through all other brokers we find."),
        question=_replace("passwords.", "passwords?"),
        status_word=_replace("Orders move", "Deprecated orders move"),
        acronym=_replace("Kafka", "AMQP"),
        struck=_replace("three machines", "~~three machines~~"),
        prefix=_replace("encrypted", "unencrypted"),
        moved=_replace("\n## Consequences\n", "\n## Consequences\n\nOne topic for each service.\n"),
        list_number=_replace("1. Orders", "4. Orders"),
        folding=_replace("<details>", "<details open>"),
        unfolded=_all(
            _replace("<details><summary>Topics</summary>\n", ""), _replace("</details>\n", "")
        ),
    ),
    **_cases(
        "a header field that is no known label",
        valid=_replace("owner: ann", "owner: ann\nvalid: false"),
        void=_replace("owner: ann", "owner: ann\nvoid: true"),
        expires=_replace("owner: ann", "owner: ann\nexpires: 2026-02-01"),
        removed=_replace("owner: ann\n", ""),
        second=_replace("owner: ann", "owner: ann\nstatus: deprecated"),
    ),
    **_cases(
        "another file name or folder",
        renamed=move((PATH, "docs/adr/0002-broker.md")),
        moved=move((PATH, "docs/decisions/0002-events.md")),
    ),
    **_cases("moved to where no ADRs are looked for", notes=move((PATH, "notes/events.md"))),
    **_cases(
        "deleted, or another number",
        deleted=_delete,
        number=move((PATH, "docs/adr/0005-events.md")),
    ),
    "retired, with an accepted successor that names it": [
        Case(
            f"{status} {successor}", _all(status_of(f"{status} by ADR-0003"), _successor(successor))
        )
        for status, successor in product(("superseded",), _DECIDED)
    ],
    "retired, without one": [
        *(Case(status, status_of(status)) for status in ("superseded", "deprecated")),
        Case("proposed successor", _all(status_of(_BY), _successor("proposed"))),
        Case(
            "successor that does not name it",
            _all(
                status_of(_BY),
                _successor("accepted"),
                _replace("supersedes: ADR-0002\n", "", SUCCESSOR),
                _replace("The broker of ADR-0002", "Our broker", SUCCESSOR),
            ),
        ),
        Case("by itself", status_of("superseded by ADR-0002")),
        Case("words of the team", status_of("deprecated"), "ratified"),
        *(
            Case(name, _replace(before, after), before, text=IN_A_SECTION)
            for name, before, after in (
                ("a second line", "Accepted", "Accepted\n\nDeprecated"),
                ("a log", "2026-01-01 Accepted", "2026-01-01 Accepted\n\n2026-02-01 Deprecated"),
                ("German", "Akzeptiert", "Veraltet"),
                ("Portuguese", "Aceito", "Obsoleto"),
            )
        ),
    ],
    "a status that is not allowed after it, or a successor that does not exist": [
        Case("no such successor", status_of(_BY)),
        *(
            Case(status or "none", status_of(status))
            for status in ("draft", "proposed", "rejected", "withdrawn", "")
        ),
    ],
    "a proposal: its text": [
        Case("text", _replace("Kafka", "Pulsar"), "proposed"),
        Case("deleted tick", _replace("[ ]", "[x]"), "draft"),
    ],
    "a proposal: accepted": [
        *(Case(before, status_of("accepted"), before) for before in ("draft", "proposed")),
        Case(
            "with a changed text",
            _all(status_of("accepted"), _replace("must not", "may")),
            "proposed",
        ),
        Case("in words of the team", status_of("ratified"), "proposed"),
    ],
    "a proposal: implemented": [Case("proposed", status_of("implemented"), "proposed")],
}
"""The cases of each row of the table in docs/people.md."""
