"""Recognise ADRs by the names of their folders and files.

Content is not read, so that no change to a file can exclude it from the checks. A path is read once
from the left, and the answer for a folder is cached.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import dropwhile

from ..paths import is_entrance, without_suffix
from .names import phrases, words

_BREAK = r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})"
_BLANKS = str.maketrans(dict.fromkeys("-_.,;:#&+()[]{}'!~@=’、・", " "))
_DATE = r"(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?!\d)"
_NAMED = rf"(?:{_DATE}[-_ .]{{1,3}})?adr[-_ .#]{{0,3}}[a-z]?\d{{1,8}}[a-z]?(?![^\W_])"
"""`adr-12`, `ADR012`, `adr_a003`, `2024-01-31-adr-7`."""
_KIND = r"(?:ad|ar|arc|ard|dr|edr|tdr|dec)?[-_ ]?"
_NO_YEAR = r"(?!(?:19|20)\d\d(?!\d|[-_.]\d{3}))"
_THREE_DIGITS = rf"{_NAMED}|{_DATE}|{_KIND}{_NO_YEAR}\d{{3,6}}(?![^\W_])"
"""The name of an ADR among other texts on architecture, whose chapters have two digits."""
_FOUR_DIGITS = rf"{_NAMED}|0\d{{3}}(?![^\W_])"
"""The name of an ADR among any documents."""
_OWN_FOLDER = rf"{_NAMED}|(?!(?:19|20)\d\d$)\d{{3,6}}(?![^\W_])"
_FIRST = r"(?:adr[-_ ]?)?0*[1-9]"
"""A file with a number other than 0 is not a template: `0007-template-engine.md` is an ADR."""
_ZERO = r"(?:adr[-_ ]?)?0+(?!\d)"
"""Most teams that number their template give it the number 0."""
_IN_OWN_FOLDER = r"(?:adr[-_ .#]{0,3})?(?!(?:19|20)\d\d$)\d"

_ADRS, _OWN, _ARCHITECTURE, _DOCS, _ABOUT, _OTHER, _TESTS, _NEVER = range(1, 9)
"""Kinds of folders, by their content: ADRs, one ADR, texts on architecture, documents, texts about
ADRs, other files, test projects, or files that are never ADRs.
"""

_RECORDS = words("places", "records")
_DECISIONS = (*words("places", "decisions"),)
_AROUND = words("places", "around")
_ARCHITECTURES = words("places", "architectures")
_DOCUMENTS = words("places", "documents")
_BY_LANGUAGE = _DOCUMENTS | {"content", "src", "website", "site"}
"""Folders that may have one sub-folder per language."""
_AGENTS = words("places", "agents")
_TEXTS_ABOUT = words("places", "about")
_REVIEWS = frozenset(("review", "reviews", "audit", "audits"))
"""Last words of folders with reviews, which are not decisions."""
_PARTS = words("places", "parts")
_TEST_FOLDERS = frozenset(("test", "tests"))
_PACKAGES = words("places", "packages")
_FOREIGN = _PACKAGES | words("places", "foreign")
_TRIALS = words("places", "trials")
_TEST_DATA = words("places", "test_data")
_BESIDE = words("places", "beside")
_LANGUAGES = words("places", "languages")
_TEMPLATES = words("places", "templates")
_GUIDES = _TEMPLATES | words("places", "guides")
_IN_A_GUIDE = words("places", "in_a_guide")
_PRIMERS = words("places", "primers")
_EXPLAINS = phrases("places", "explains")
_ONE_ADR = frozenset(("readme", "index", "adr", "decision"))
"""Names, without a suffix, of the ADR in a folder of its own."""


def is_adr(path: str) -> bool:
    """Return whether a Markdown file is an ADR, by the names of its folders and of the file."""
    folder, _, name = path.rpartition("/")
    place = _place(folder)
    if place == _ADRS:
        return not _is_guide(name)
    lower = name.lower()
    if place == _OWN:
        # In its own folder, other files are attachments.
        is_named = without_suffix(lower) in (*_ONE_ADR, folder.rpartition("/")[2].lower())
        return is_named or bool(re.match(_OWN_FOLDER, lower))
    return (place != _OTHER or "adr" in lower) and _is_named(place, lower)


def likely(paths: Iterable[str]) -> list[str]:
    """Return the Markdown files that may be ADRs, quickly for very many paths.

    Among other files and texts, only those with `adr` in their names may be.
    """
    result: list[str] = []
    for path in paths:
        folder, _, name = path.rpartition("/")
        place = _place(folder)
        if place <= _DOCS or (place == _OTHER and "adr" in name.lower()):
            result.append(path)
    return result


def _is_named(place: int, name: str) -> bool:
    """Return whether a file outside of folders of ADRs has the name of an ADR."""
    if place == _ARCHITECTURE:
        return bool(re.match(_THREE_DIGITS, name))
    if place == _DOCS:
        return bool(re.match(_FOUR_DIGITS, name))
    return place == _OTHER and "adr" in name and bool(re.match(_NAMED, name))


def is_collection(folder: str) -> bool:
    """Return whether all Markdown files in a folder are ADRs."""
    return _place(folder) == _ADRS


def is_no_record(path: str) -> bool:
    """Return whether a file is a concept, or is in third-party code."""
    *folders, name = path.split("/")
    stem = without_suffix(name).lower()
    is_concept = stem != name and (stem == "concept" or stem.endswith(".concept"))
    return is_concept or not _PACKAGES.isdisjoint(folders)


def without_packages(path: str) -> str:
    """Return a path below a folder of packages as the package has it, else the same path."""
    folders = path.split("/")
    inside = [number for number, name in enumerate(folders) if name in _PACKAGES]
    return "/".join(folders[inside[-1] + 1 :]) if inside else path


def is_aside(path: str) -> bool:
    """Return whether a file is a README, an index, a template or a primer next to ADRs.

    A primer has the number 0: `000-sample-example.md`, `00-what-is-an-adr.md`. Exceptions are the
    README or index in a folder for one numbered ADR, and a numbered file:
    `0007-template-engine.md` is a decision on templates.
    """
    *folders, name = path.split("/")
    lower = name.lower()
    if is_entrance(name):
        return not (folders and re.match(_IN_OWN_FOLDER, folders[-1].lower()))
    if "yyyy" in lower or "nnnn" in lower:
        return True  # `adr-NNNN-YYYY-MM-DD.md` shows how to name an ADR
    if "0" in lower[:5] and re.match(_ZERO, lower):
        words = _words(without_suffix(name))
        return not _TEMPLATES.isdisjoint(words) or _is_primer(words)
    if "template" not in lower or re.match(_FIRST, lower):
        return False
    return "template" in _words(name)


def is_template_or_index(path: str) -> bool:
    """Return whether a file is a README or an index, ends in "template", or is in a folder of
    templates.
    """
    *folders, name = path.split("/")
    if is_entrance(name):
        return True
    last = _words(without_suffix(name))[-1:]
    return any(not _TEMPLATES.isdisjoint(words) for words in (last, *map(_words, folders)))


def is_translation_folder(folder: str) -> bool:
    """Return whether a folder is named after a language, as `docs/adr/de` is."""
    return _is_language(folder.rpartition("/")[2].lower())


def has_own_folder(path: str) -> bool:
    """Return whether an ADR has its own folder, without other ADRs."""
    folders, _, name = path.lower().rpartition("/")
    if is_entrance(name):
        return True
    folder = folders.rpartition("/")[2]
    is_alone = without_suffix(name) in (*_ONE_ADR, folder)
    return is_alone and bool(re.match(_OWN_FOLDER, folder))


def _is_guide(name: str) -> bool:
    """Return whether a file explains how to write ADRs: `adr-process.md`, `how-to-write.md`."""
    if name[0].isdigit() or is_entrance(name):
        return False
    words = _words(without_suffix(name))
    if "readme" in words[:1] or words[-1:] in (["guide"], ["guidelines"]):
        return True
    if _GUIDES.isdisjoint(words):
        return False
    return _GUIDES.union(_IN_A_GUIDE, _LANGUAGES).issuperset(words)


def _is_primer(words: list[str]) -> bool:
    """Return whether a file is an explanation or an example of an ADR, by the words of its name."""
    if any(word.startswith(_EXPLAINS) for word in words):
        return True
    telling = [word for word in words if not word.isdigit()]
    return not _PRIMERS.isdisjoint(telling) and _PRIMERS.union(_IN_A_GUIDE).issuperset(telling)


@lru_cache(maxsize=1 << 14)
def _place(folder: str) -> int:
    place, is_top, is_divided = _DOCS, True, False
    if not folder:
        return place
    for name in folder.split("/"):
        place = _below(place, name, is_top, is_divided)
        is_top, is_divided = False, name.lower() in _BY_LANGUAGE
    return place


@lru_cache(maxsize=1 << 14)
def _below(place: int, name: str, is_top: bool, is_divided: bool) -> int:
    """Return the kind of a folder within a folder of kind `place`.

    `is_top` for a folder in the root, `is_divided` if its siblings may be languages. The cache is
    by name, since most modules have folders such as `src` and `test`.
    """
    if place in (_NEVER, _OWN):
        return _NEVER
    lower, words = name.lower(), _words(name)
    if place == _ADRS:
        return _in_collection(lower, words)
    if lower in _FOREIGN or lower in _AGENTS or not _TRIALS.isdisjoint(words):
        return _NEVER
    if "test" in words and not _TEST_DATA.isdisjoint(words):
        return _NEVER
    if is_divided and _is_language(lower):
        return _NEVER
    if _names_collection(words):
        return _ARCHITECTURE if place == _ABOUT else _ADRS
    if _is_named(_OTHER if is_top else place, lower):
        return _OWN
    return _in_texts(place, lower, words)


def _in_texts(place: int, lower: str, words: list[str]) -> int:
    """Return the kind of a folder without ADRs in its name."""
    if place == _ARCHITECTURE and lower in _PARTS:
        return _OTHER
    if not _ARCHITECTURES.isdisjoint(words) and _AROUND.union(_ARCHITECTURES).issuperset(words):
        return _ARCHITECTURE
    if lower in _DOCUMENTS:
        return _DOCS
    if place == _TESTS:
        return _NEVER  # test data
    last = words[-1] if words else ""
    if last in _TEST_FOLDERS:
        return _TESTS
    if lower in _TEXTS_ABOUT or last in _REVIEWS:
        return _ABOUT
    return place if place in (_ARCHITECTURE, _ABOUT) else _OTHER


def _is_language(lower: str) -> bool:
    """Return whether a name is a language, with or without a country: `de`, `pt-br`."""
    if lower[:2] not in _LANGUAGES:
        return False
    return len(lower) == 2 or (len(lower) in (5, 7) and lower[2] in "-_")


def _in_collection(lower: str, words: list[str]) -> int:
    if _is_language(lower) or (words and _BESIDE.issuperset(words)):
        return _NEVER
    return _OWN if re.match(_OWN_FOLDER, lower) else _ADRS


def _names_collection(words: list[str]) -> bool:
    """Return whether the words of a folder's name mean a collection of ADRs."""
    words = list(dropwhile(str.isdigit, words))
    if not words:
        return False
    if words[-1] in ("adr", "adrs", "decisions"):
        return True
    core = frozenset(word for word in words if word in _RECORDS or word.endswith(_DECISIONS))
    if not core and words[-1] in ("record", "records"):
        core = (_ARCHITECTURES | {"architectural"}) & {*words}
    return bool(core) and _AROUND.union(core).issuperset(words)


def _words(name: str) -> list[str]:
    if not name.isascii():
        from unicodedata import normalize

        name = normalize("NFC", name)
    if not name.islower():
        name = re.sub(_BREAK, " ", name).lower()
    return name.translate(_BLANKS).split()
