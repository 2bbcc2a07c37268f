"""Recognise ADRs by the names of their folders and files. Pure.

Content is not read, so that no change to a file can exclude it from the checks. A path is read once
from the left, and the answer for a folder is cached.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import dropwhile

from ...paths import is_entrance, without_suffix

_BREAK = r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})"
_BLANKS = str.maketrans(dict.fromkeys("-_.,;:#&+()[]{}'!~@=’", " "))
_NAMED = r"adr[-_ .#]{0,3}[a-z]?\d{1,8}[a-z]?(?![^\W_])"
"""`adr-12`, `ADR012`, `adr_a003`."""
_THREE_DIGITS = rf"{_NAMED}|(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?!\d)|\d{{3,6}}(?![^\W_])"
"""The name of an ADR among other texts on architecture, whose chapters have two digits."""
_FOUR_DIGITS = rf"{_NAMED}|0\d{{3}}(?![^\W_])"
"""The name of an ADR among any documents."""
_OWN_FOLDER = rf"{_NAMED}|(?!(?:19|20)\d\d$)\d{{3,6}}(?![^\W_])"
_FIRST = r"(?:adr[-_ ]?)?0*[1-9]"
"""A file with a number other than 0 is not a template: `0007-template-engine.md` is an ADR."""
_ZERO = r"(?:adr[-_ ]?)?0+(?!\d)"
"""Most teams that number their template give it the number 0."""

_ADRS, _OWN, _ARCHITECTURE, _DOCS, _ABOUT, _OTHER, _NEVER = range(1, 8)
"""Kinds of folders, by their content: ADRs, one ADR, texts on architecture, documents, texts
about ADRs, other files, or files that are never ADRs.
"""

_RECORDS = frozenset("adr adrs adl ard ards madr madrs".split())
_DECISIONS = (
    "decision", "decisions", "decisionrecord", "decisionrecords", "decisionlog", "entscheidung",
    "entscheidungen", "entscheide",
)  # fmt: skip
"""Endings of a word, since German writes compounds: Architekturentscheidungen."""
_MANY = ("decisions", "entscheidungen")
"""Endings of a last word, before which any other word may be: technische Entscheidungen."""
_ARCHITECTURES = frozenset("architecture architectures arch architektur".split())
_AROUND = _ARCHITECTURES | frozenset(
    "architectural technical design record records log logs register".split()
)
"""Words that the name of a folder of ADRs may also have: architecture decision log."""
_DOCUMENTS = frozenset("doc docs document documents documentation dokumentation".split())
_PACKAGES = frozenset(("node_modules", "vendor"))
_FOREIGN = _PACKAGES | frozenset(
    "template templates test tests fixture fixtures testdata mocks example examples sample samples "
    "vendors third_party dist i18n locales translations versioned_docs assets images".split()
)
"""Third-party code, build output, test data, translations and attachments."""
_AGENTS = frozenset(".claude .cursor .codex .gemini .windsurf .agents .roo .kiro .opencode".split())
_TEXTS_ABOUT = frozenset("skills prompts commands agents instructions".split())
"""Folders of texts for agents, in which a folder `adr` may be about ADRs: `skills/adr/write.md`."""
_REVIEWS = frozenset("review reviews audit audits".split())
"""Last words of folders with reviews, which are not decisions."""
_BESIDE = frozenset("notes meetings minutes research diagrams figures attachments media".split())
"""Folders below a folder of ADRs with other texts."""
_LANGUAGES = frozenset("de fr es pt nl ru zh ja jp ko kr pl tr uk sv fi nb el".split())
"""Codes of languages, except English, the usual original, and codes that are common words."""
_TEMPLATES = frozenset("template templates vorlage vorlagen modele modèle".split())
_SAMPLES = frozenset("sample samples example examples beispiel beispiele".split())
_GUIDES = _TEMPLATES | frozenset(
    "readme index intro outro introduction how writing guide guides guideline guidelines "
    "contributing howto process overview glossary changelog toc summary list log register todo "
    "license faq contents lifecycle checklist conventions roadmap backlog prioritization".split()
)
_IN_A_GUIDE = _GUIDES | frozenset(
    "about why what to when is are write create new add manage a an the our with table of and for "
    "in on adr adrs decision decisions record records architecture architectural".split()
)
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
        own = folder.rpartition("/")[2].lower()
        return without_suffix(lower) in (*_ONE_ADR, own) or bool(re.match(_OWN_FOLDER, lower))
    return _is_named(place, lower)


def likely(paths: Iterable[str]) -> list[str]:
    """Return the Markdown files that may be ADRs, quickly for very many paths.

    Among other files, only those with `adr` in their names may be.
    """
    result: list[str] = []
    for path in paths:
        folder, _, name = path.rpartition("/")
        place = _place(folder)
        if place <= _DOCS or (place == _OTHER and "adr" in name.lower()):
            result.append(path)
    return result


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
    """Return whether a file is a README, an index, a template or a sample next to ADRs.

    A sample has the number 0: `000-sample-example.md`. Exceptions are the README or index in a
    folder for one numbered ADR, and a numbered file: `0007-template-engine.md` is a decision on
    templates.
    """
    *folders, name = path.split("/")
    lower = name.lower()
    if is_entrance(name):
        return not (folders and re.match(_OWN_FOLDER, folders[-1].lower()))
    if "yyyy" in lower or "nnnn" in lower:
        return True  # `adr-NNNN-YYYY-MM-DD.md` shows how to name an ADR
    if "0" in lower[:5] and re.match(_ZERO, lower):
        words = {word for word in _words(without_suffix(name)) if not word.isdigit()}
        is_sample = not _SAMPLES.isdisjoint(words) and words <= _SAMPLES | _IN_A_GUIDE
        return is_sample or not _TEMPLATES.isdisjoint(words)
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


def has_own_folder(path: str) -> bool:
    """Return whether an ADR has its own folder, without other ADRs."""
    folders, _, name = path.lower().rpartition("/")
    if is_entrance(name):
        return True
    folder = folders.rpartition("/")[2]
    is_alone = without_suffix(name) in (*_ONE_ADR, folder)
    return is_alone and bool(re.match(_OWN_FOLDER, folder))


def _is_named(place: int, name: str) -> bool:
    """Return whether a file or folder outside of folders of ADRs has the name of an ADR."""
    if place == _ARCHITECTURE:
        return bool(re.match(_THREE_DIGITS, name))
    if place == _DOCS:
        return bool(re.match(_FOUR_DIGITS, name))
    return place == _OTHER and "adr" in name and bool(re.match(_NAMED, name))


def _is_guide(name: str) -> bool:
    """Return whether a file explains how to write ADRs: `adr-process.md`."""
    if name[0].isdigit() or is_entrance(name):
        return False
    words = _words(without_suffix(name))
    if "readme" in words[:1] or words[-1:] in (["guide"], ["guidelines"]):
        return True
    return not _GUIDES.isdisjoint(words) and _IN_A_GUIDE.issuperset(words)


@lru_cache(maxsize=1 << 14)
def _place(folder: str) -> int:
    place = _DOCS
    for depth, name in enumerate(folder.split("/")) if folder else ():
        place = _below(place, name, is_top=not depth)
    return place


@lru_cache(maxsize=1 << 14)
def _below(place: int, name: str, is_top: bool) -> int:
    """Return the kind of a folder within a folder of kind `place`; `is_top` for one in the root.

    The cache is by name, since most modules have folders such as `src` and `test`.
    """
    lower, words = name.lower(), _words(name)
    is_translation = place in (_ADRS, _DOCS) and not is_top and _is_language(lower)
    others = _BESIDE if place == _ADRS else _AGENTS
    if place in (_NEVER, _OWN) or lower in _FOREIGN or lower in others or is_translation:
        return _NEVER
    if place == _ADRS:
        return _OWN if re.match(_OWN_FOLDER, lower) else _ADRS
    if _names_collection(words):
        return _ARCHITECTURE if place == _ABOUT else _ADRS
    if _is_named(_OTHER if is_top else place, lower):
        return _OWN
    if not _ARCHITECTURES.isdisjoint(words) and _AROUND.issuperset(words):
        return _ARCHITECTURE
    if lower in _DOCUMENTS:
        return _DOCS
    if lower in _TEXTS_ABOUT or not _REVIEWS.isdisjoint(words[-1:]):
        return _ABOUT
    return place if place in (_ARCHITECTURE, _ABOUT) else _OTHER


def is_translation_folder(folder: str) -> bool:
    """Return whether a folder is named after a language, as `docs/adr/de` is."""
    return _is_language(folder.rpartition("/")[2].lower())


def _is_language(lower: str) -> bool:
    """Return whether a name is a language, with or without a country: `de`, `pt-br`."""
    if lower[:2] not in _LANGUAGES:
        return False
    return len(lower) == 2 or (len(lower) in (5, 7) and lower[2] in "-_")


def _names_collection(words: list[str]) -> bool:
    """Return whether the words of a folder's name mean a collection of ADRs."""
    words = list(dropwhile(str.isdigit, words))
    if words and (words[-1] in ("adr", "adrs") or words[-1].endswith(_MANY)):
        return True
    has_core = False
    for word in words:
        if word in _RECORDS or word.endswith(_DECISIONS):
            has_core = True
        elif word not in _AROUND:
            return False
    return has_core


def _words(name: str) -> list[str]:
    if not name.isascii():
        from unicodedata import normalize

        name = normalize("NFC", name)
    if not name.islower():
        name = re.sub(_BREAK, " ", name).lower()
    return name.translate(_BLANKS).split()
