"""An accepted ADR with rules, and a repository that has it on its main branch."""

from collections.abc import Mapping

from tests.conftest import Repository

PATH = "docs/adr/0007-use-httpx.md"

PATTERN = """\
  - id: no-requests
    language: python
    rule: {pattern: requests.$METHOD($$$)}
    fails: requests.get(url)
    passes: httpx.get(url)
"""
CONTRACT = """\
  - id: pure-domain
    packages: [src/shop]
    rule: {type: forbidden, source_modules: [shop.domain], forbidden_modules: [shop.db]}
    fails: {shop/domain/order.py: import shop.db}
    passes: {shop/domain/order.py: import shop.money}
"""

TEXT = """\
---
status: {status}
date: 2026-01-10
enforcement:
{entries}---

# Use httpx for HTTP calls

## Context

The services call each other over HTTP, and some calls never end.

## Decision

We use httpx for every HTTP call, because it has timeouts by default.

## Consequences

Old calls are rewritten when they are touched.
"""

SHOP = {
    "src/shop/__init__.py": "",
    "src/shop/db.py": "",
    "src/shop/domain/__init__.py": "",
    "src/shop/domain/order.py": "X = 1\n",
}
CLEAN = "import httpx\n\nprices = httpx.get(URL)\n"
BROKEN = "import requests\n\nprices = requests.get(URL)\n"


def adr(entries: str = PATTERN, status: str = "accepted") -> str:
    return TEXT.format(entries=entries, status=status)


def main_has(repository: Repository, files: Mapping[str, str]) -> None:
    """Commit some files on the main branch, and start a branch from there."""
    for path, text in files.items():
        repository.stage(path, text)
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "work")
