"""The statements of persons that a criterion is fulfilled, after a look, bound to the content.

It is stored in the git directory of the work tree, which no commit changes. It counts for the same
approved version of the ADR and the same files alone.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

from .. import codec, writing
from ..codec import Count
from ..errors import HelixError, UsageError
from ..text import printable
from ..verification.result import JUDGED, Expectation, VerificationResult, state_of
from . import tree
from .lock import held
from .store import Store

_FILE = "confirmed.json"
_VERSION = 1
_MOST = 1_000
"""Maximum confirmations of a work tree; the oldest are dropped."""
_MOST_BYTES = 4_000_000


class Confirmation(NamedTuple):
    """The statement of a person, by name, that a criterion is fulfilled, with the reason.

    `contract` is the hash of the approved ADR, `tree` that of the files, `at` seconds since 1970.
    """

    adr: str
    contract: str
    criterion: str
    tree: str
    by: str
    reason: str
    at: Count


class _Stored(NamedTuple):
    confirmations: tuple[Confirmation, ...] = ()


def with_confirmations(
    results: Iterable[VerificationResult], store: Store
) -> tuple[VerificationResult, ...]:
    """Return the results in which what a person has confirmed is judged.

    Raises:
        HelixError: The confirmations can't be read.
    """
    confirmations = _read(store)
    return tuple(_confirmed(result, store, confirmations) for result in results)


def _confirmed(
    result: VerificationResult, store: Store, confirmations: Iterable[Confirmation]
) -> VerificationResult:
    known = (result.path, result.contract)
    by_criterion = {item.criterion: item for item in confirmations if item[:2] == known}
    # The hash of a tree is expensive, and most work needs none.
    if result.reason or not any(item.subject in by_criterion for item in result.open):
        return result
    files = tree.state(store.root, result.since, store.copy)
    expectations = []
    for item in result.expectations:
        said = by_criterion.get(item.subject)
        if said and said.tree == files and item in result.open:
            reason = f"{said.by} has looked: {said.reason}"
            item = item._replace(state=JUDGED, reason=reason, action="")  # noqa: PLW2901
        expectations.append(item)
    return result._replace(expectations=tuple(expectations), state=state_of(expectations))


def expectation(result: VerificationResult, criterion: str) -> Expectation:
    """Return the one open expectation that a person means, by its text or a part of it.

    Raises:
        UsageError: There is none, or there are several.
    """
    texts = {item.subject: item for item in result.open}
    if criterion in texts:
        return texts[criterion]
    meant = [item for text, item in texts.items() if criterion.casefold() in text.casefold()]
    if len(meant) == 1:
        return meant[0]
    choice = "; ".join(printable(item.subject, 100) for item in meant or result.open)
    if not choice:
        raise UsageError(f"{result.path}: nothing is present or unchecked, so there is no question")
    problem = "is in several" if meant else "is in none of the criteria to confirm"
    raise UsageError(f"--confirm {printable(criterion, 100)!r} {problem}: {choice}")


def add(
    store: Store, result: VerificationResult, item: Expectation, by: str, reason: str, now: int
) -> None:
    """Store a confirmation of the files as they are.

    Raises:
        HelixError: It can't be stored.
    """
    said = Confirmation(
        adr=result.path,
        contract=result.contract,
        criterion=item.subject,
        tree=tree.state(store.root, result.since, store.copy),
        by=by,
        reason=printable(reason, 500),
        at=now,
    )
    try:
        os.makedirs(store.folder, mode=0o700, exist_ok=True)
        lock = os.path.join(store.folder, "lock")
        with held(lock, store.patience, "another verification is running; try again"):
            others = [other for other in _read(store) if other[:3] != said[:3]]
            stored = _Stored((*others, said)[-_MOST:])
            place, data = os.path.join(store.folder, _FILE), codec.stored(stored, _VERSION)
            writing.replace(place, data.encode(), mode=0o600, is_record=True)
    except OSError as error:
        raise HelixError(f"{error.filename or store.folder}: {error.strerror}") from None


def _read(store: Store) -> tuple[Confirmation, ...]:
    place = os.path.join(store.folder, _FILE)
    try:
        with open(place, "rb") as file:
            return codec.loaded(file.read(_MOST_BYTES), _Stored, _VERSION).confirmations
    except FileNotFoundError:
        return ()
    except (ValueError, OSError) as error:
        raise HelixError(f"{place} can't be read: {error}; delete it") from None
