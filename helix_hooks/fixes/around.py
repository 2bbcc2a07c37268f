"""The facts that fixes are computed from."""

from collections.abc import Callable
from typing import NamedTuple

from ..adr.corpus import Corpus
from ..adr.model import Adr
from ..adr.rules.registry import Ruleset


class Around(NamedTuple):
    """The ADRs around some findings.

    `text` returns the text of a path (UTF-8 with surrogateescape, as `Edit` counts it), `adr` its
    ADR; both return None if the file cannot be read. Without `corpus`, findings on references and
    ids are not fixed. `is_new` returns whether the last commit lacks a path, `below` the paths in a
    folder. `taken` returns the paths that a folder has on the disk or on a branch, None if they are
    unknown. Without these three no number is changed.
    """

    ruleset: Ruleset
    text: Callable[[str], str | None]
    adr: Callable[[str], Adr | None]
    corpus: Corpus | None = None
    is_new: Callable[[str], bool] | None = None
    below: Callable[[str], list[str]] | None = None
    taken: Callable[[str], frozenset[str] | None] | None = None
