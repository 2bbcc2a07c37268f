"""Read objects and lists of GitHub as plain JSON, and times in its answers."""

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from ..errors import HelixError

if TYPE_CHECKING:
    from github.Repository import Repository

_MOST_PAGES = 100
LARGEST_PAGE = 100
"""Maximum number of entries on a page (docs.github.com, "Using pagination in the REST API")."""


def seconds(time: str | None) -> int:
    """Return a time of GitHub in seconds since 1970; 0 for none."""
    if not time:
        return 0
    return int(datetime.fromisoformat(time).timestamp())


def server_time(headers: dict[str, Any]) -> int:
    """Return the time of an answer by GitHub's clock."""
    # The clock of a runner may be wrong, and GitHub's clock dates the comments.
    if "date" in headers:
        return int(parsedate_to_datetime(headers["date"]).timestamp())
    return int(datetime.now(UTC).timestamp())


def answer(repository: "Repository", path: str, key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fetch headers and an object, which must have a key.

    Raises:
        HelixError: The answer has no such key, so it is not from the API of GitHub.
    """
    headers, data = repository.requester.requestJsonAndCheck("GET", f"{repository.url}{path}")
    if not isinstance(data, dict) or key not in data:
        raise _not_github(repository)
    return headers, data


def _not_github(repository: "Repository") -> HelixError:
    return HelixError(f"{repository.url} is not the API of GitHub; is GITHUB_API_URL right?")


def one(repository: "Repository", path: str) -> Any:
    """Fetch the object at a path."""
    return repository.requester.requestJsonAndCheck("GET", f"{repository.url}{path}")[1]


def listed(
    repository: "Repository", path: str, key: str = "", **parameters: str
) -> Iterator[dict[str, Any]]:
    """Fetch all entries of a list, page by page; `key` is their key in the answer.

    Raises:
        HelixError: The list has too many pages; a part of it is never taken for all of it.
    """
    yield from listed_at(repository, f"{repository.url}{path}", key, **parameters)


def listed_at(
    repository: "Repository", url: str, key: str = "", **parameters: str
) -> Iterator[dict[str, Any]]:
    """Fetch all entries of a list at an address, which need not be of the repository.

    Raises:
        HelixError: The answer is not from the API of GitHub, or has too many pages.
    """
    for _, page in pages_of(repository, url, parameters):
        items = page
        if key and isinstance(page, dict):
            items = page.get(key)
        if not isinstance(items, list):
            raise _not_github(repository)
        yield from items


def pages_of(
    repository: "Repository", address: str, parameters: dict[str, str]
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Fetch headers and content of each page.

    Raises:
        HelixError: The list has too many pages.
    """
    url = address
    query: dict[str, Any] | None = {"per_page": LARGEST_PAGE, **parameters}
    for _ in range(_MOST_PAGES):
        headers, data = repository.requester.requestJsonAndCheck("GET", url, query)
        yield headers, data
        # The address of the next page has the parameters already.
        url, query = _next(headers.get("link", "")), None
        if not url:
            return
    path = address.removeprefix(repository.url)
    raise HelixError(f"GitHub has more than {_MOST_PAGES} pages of {path}")


def _next(links: str) -> str:
    """Return the address of the next page from the header `Link`; "" on the last page.

    Documented at docs.github.com, "Using pagination in the REST API".
    """
    for link in links.split(","):
        address, _, attributes = link.partition(";")
        if 'rel="next"' in attributes:
            return address.strip(" <>")
    return ""
