"""A server that people sign in to by the fake GitHub."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.conftest import Repository
from tests.fakes.dashboard import Desk, served
from tests.fakes.github.server import FakeGitHub
from tests.stories.dashboard.people import ENTRIES, Clock, Person, Place


@pytest.fixture(scope="module")
def github(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeGitHub]:
    repository = Repository(tmp_path_factory.mktemp("github"))
    repository.commit()
    with FakeGitHub(repository.root, prefix="/api/v3") as fake:
        fake.people.update({"maria": "maintain", "alice": "maintain", "rob": "read"})
        yield fake


@pytest.fixture
def opened(github: FakeGitHub) -> Iterator[Callable[..., Place]]:
    """Start a server, at a path."""
    with ExitStack() as stack:

        def start(path: str = "", undo: int = 0) -> Place:
            environment = {
                "HELIX_OAUTH_CLIENT_ID": github.oauth.client_id,
                "HELIX_OAUTH_CLIENT_SECRET": github.oauth.client_secret,
                "GITHUB_SERVER_URL": github.url.removesuffix("/api/v3"),
            }
            clock = Clock()
            server = served(Desk(ENTRIES), environment, path=path, clock=clock, undo=undo)
            found = stack.enter_context(server)
            return Place(found.url, found.desk, github, clock)

        yield start


@pytest.fixture
def place(opened: Callable[..., Place]) -> Place:
    return opened()


@pytest.fixture
def maria(place: Place) -> Person:
    """A maintainer who has signed in."""
    person = Person(place)
    assert person.sign_in("maria").status_code == 200
    return person
