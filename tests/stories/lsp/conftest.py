"""A repository with two ADRs, one of which supersedes the other; and tests that speak with a server."""

import asyncio
import inspect

import pytest

from tests.conftest import Repository
from tests.stories.lsp.samples import helix

OLD = helix("001", "Use a file", status="Superseded", more='superseded_by: ["002"]\n')
NEW = helix("002", "Use a queue", more='supersedes: ["001"]\ndate: 2026-02-03\n')


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture
def decided(repository: Repository) -> Repository:
    repository.stage("docs/adr/001-use-a-file.md", OLD)
    repository.stage("docs/adr/002-use-a-queue.md", NEW)
    repository.commit()
    return repository
