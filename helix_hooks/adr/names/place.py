"""Tell from the names of folders and files alone which paths are ADRs.

No content is read, so that no change can make an ADR no ADR by what it writes. A path is read once
from the left, and the answer for a folder is cached.
"""

import re
from functools import lru_cache

_BREAK = r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})"
_BLANKS = str.maketrans(dict.fromkeys("-_.,;:#&+()[]{}'!~@=’、・", " "))
_DATE = r"(?:19|20)\d\d[-_.]?[01]\d[-_.]?[0-3]\d(?!\d)"
_NAMED = rf"(?:{_DATE}[-_ .]*)?adr[-_ .#]*[a-z]?\d+[a-z]?(?![^\W_])"
"""`adr-12`, `ADR012`, `adr_a003`, `2024-01-31-adr-7`."""
_THREE_DIGITS = (
    rf"{_DATE}|(?:ard?|arc)?[-_ ]?(?!(?:19|20)\d\d(?!\d|[-_.]\d{{3}}))\d{{3,6}}(?![^\W_])"
)
_FOUR_DIGITS = r"0\d{3}(?![^\W_])"
_OWN_FOLDER = rf"{_NAMED}|(?!(?:19|20)\d\d$)\d{{3,6}}(?![^\W_])"
_FIRST = r"(?:adr[-_ ]?)?0*[1-9]"
"""A file with a number other than 0 is no template: `0007-template-engine.md` decides."""
_IN_OWN_FOLDER = r"(?:adr[-_]?)?\d"

_ADRS, _OWN, _ARCHITECTURE, _DOCS, _PROMPTS, _OTHER, _NEVER = range(1, 8)
"""What a folder is: of ADRs, of one ADR, of texts on architecture, of documents, of prompts."""

_RECORDS = frozenset("adr adrs adl ard ards madr madrs".split())
_DECISIONS = (
    "decision", "decisions", "decisionrecord", "decisionrecords", "decisionlog", "entscheidung",
    "entscheidungen", "entscheide", "décision", "décisions", "decisiones", "decisão", "decisões",
    "decisoes", "decisioni", "beslissing", "beslissingen", "beslutning", "beslutninger", "beslut",
    "decyzje", "rozhodnutí", "rozhodnuti", "päätökset", "kararlar", "決定", "決定記録", "决策",
    "决策记录", "決策", "결정",
)  # fmt: skip
"""Endings of a word, since other languages write compounds: Architekturentscheidungen."""
_AROUND = frozenset(
    "architecture architectural arch design technical tech software system engineering key project "
    "product development record records log logs register registry doc docs documentation the of "
    "and for de d la le les des du technique techniques técnicas tecnicas arquitectura arquitetura "
    "arquitetônicas arquiteturais arquitectónicas architetturali architetturale architecturales "
    "technische tecniche tekniske".split()
)
"""Words that a folder's name may have around those: architecture decision log."""
_ARCHITECTURES = frozenset(
    "architecture architectures arch architektur arquitectura arquitetura architettura "
    "architectuur arkitektur архитектура".split()
)
_DOCUMENTS = frozenset("doc docs document documents documentation dokumentation proposals".split())
_AGENTS = frozenset(
    ".claude .claude-plugin .cursor .windsurf .codex .gemini .agents .agent .roo .kilocode "
    ".opencode .continue .amazonq .junie .kiro .augment .goose .clinerules .cline .factory "
    ".qwen .trae .aider".split()
)
_INSTRUCTIONS = frozenset("skills prompts commands agents chatmodes instructions".split())
_PACKAGES = frozenset(("node_modules", "vendor"))
_FOREIGN = _PACKAGES | frozenset(
    "vendors third_party thirdparty external bower_components site-packages "
    ".venv venv testdata __tests__ __fixtures__ __mocks__ __snapshots__ i18n l10n locales "
    "translations".split()
)
_TRIALS = frozenset(
    "test tests fixture fixtures testdata mocks template templates example examples sample samples "
    "cookiecutter".split()
)
_BESIDE = frozenset(
    "template templates example examples sample samples asset assets image images img figures "
    "diagrams attachments media resources research guide guides guidelines notes meetings "
    "minutes prompts skills commands agents translations i18n".split()
)
"""Folders below a folder of ADRs that hold something else."""
_LANGUAGES = frozenset(
    "de fr es pt it nl ru zh ja jp ko kr pl tr uk cs sv da fi no nb el he ar hi vi id".split()
)
_TEMPLATES = frozenset(
    "template templates vorlage vorlagen modele modèle plantilla modelo sjabloon szablon mall "
    "skabelon テンプレート 模板".split()
)
_GUIDES = _TEMPLATES | frozenset(
    "readme index guide guides guideline guidelines contributing howto process overview glossary "
    "changelog toc summary list log register todo license licence faq instructions contents "
    "lifecycle checklist skill conventions".split()
)
_IN_A_GUIDE = frozenset(
    "about how why what to when is are writing write create creating new add adding manage "
    "managing a an the our with table of and for in on adr adrs decision decisions record records "
    "architecture architectural conduct code en".split()
)
_ENTRANCES = ("readme.md", "index.md")
_ONE_ADR = frozenset((*_ENTRANCES, "adr.md", "decision.md"))


def is_adr(path: str) -> bool:
    """Return whether a Markdown file is an ADR by the names of its folders and its own."""
    folder, _, name = path.rpartition("/")
    place = _place(folder)
    if place == _NEVER:
        return False
    name = name.lower()
    if place == _ADRS:
        return not _is_guide(name)
    if place == _OWN:
        return _is_the_adr(folder.rpartition("/")[2].lower(), name)
    if place == _ARCHITECTURE and re.match(_THREE_DIGITS, name):
        return True
    if place == _DOCS and re.match(_FOUR_DIGITS, name):
        return True
    return "adr" in name and bool(re.match(_NAMED, name))


def is_collection(folder: str) -> bool:
    """Return whether Markdown in a folder is ADRs, whatever it is called."""
    return _place(folder) == _ADRS


def is_no_record(path: str) -> bool:
    """Return whether a file is a concept, or lies in the code of others."""
    *folders, name = path.split("/")
    is_concept = name.endswith(".concept.md") or name == "concept.md"
    return is_concept or not _PACKAGES.isdisjoint(folders)


def is_aside(path: str) -> bool:
    """Return whether a file is a README, an index or a template beside ADRs.

    None are the README or index in a folder of its own for one numbered ADR, and a numbered file:
    `0007-template-engine.md` decides on templates.
    """
    *folders, name = path.lower().split("/")
    if name in _ENTRANCES:
        return not (folders and re.match(_IN_OWN_FOLDER, folders[-1]))
    return "template" in name and not re.match(_FIRST, name) and "template" in _words(name)


def has_own_folder(path: str) -> bool:
    """Return whether an ADR has a folder of its own, in which no other ADR lives."""
    folders, _, name = path.lower().rpartition("/")
    if name in _ENTRANCES:
        return True
    folder = folders.rpartition("/")[2]
    return (name in _ONE_ADR or name == f"{folder}.md") and bool(re.match(_OWN_FOLDER, folder))


def _is_guide(name: str) -> bool:
    """Return whether a file tells how a team writes ADRs: `adr-process.md`, `how-to-write.md`."""
    if name[0].isdigit() or name in _ENTRANCES:
        return False
    words = _words(name.removesuffix(".md"))
    if not words or words[0] == "readme":
        return bool(words)
    return not _GUIDES.isdisjoint(words) and _GUIDES.union(_IN_A_GUIDE, _LANGUAGES).issuperset(
        words
    )


def _is_the_adr(folder: str, name: str) -> bool:
    """Return whether a file in an ADR's own folder is the ADR and not what belongs to it."""
    return name in _ONE_ADR or bool(re.match(_OWN_FOLDER, name)) or name == f"{folder}.md"


@lru_cache(maxsize=1 << 14)
def _place(folder: str) -> int:
    place = _DOCS
    for name in folder.split("/") if folder else ():
        place = _below(place, name)
    return place


def _below(place: int, name: str) -> int:
    """Return what a folder is in a folder."""
    if place in (_NEVER, _OWN):
        return _NEVER
    lower, words = name.lower(), _words(name)
    if place == _ADRS:
        return _in_collection(lower, words)
    if lower in _FOREIGN or lower in _AGENTS or not _TRIALS.isdisjoint(words):
        return _NEVER
    if _names_collection(words):
        return _ARCHITECTURE if place == _PROMPTS else _ADRS
    if re.match(_THREE_DIGITS if place == _ARCHITECTURE else _NAMED, lower):
        return _OWN
    return _kind(lower, words) or (place if place in (_ARCHITECTURE, _PROMPTS) else _OTHER)


def _kind(lower: str, words: list[str]) -> int:
    """Return what a folder is by its name alone, 0 where the name tells nothing."""
    if not _ARCHITECTURES.isdisjoint(words) and _AROUND.union(_ARCHITECTURES).issuperset(words):
        return _ARCHITECTURE
    if lower in _DOCUMENTS:
        return _DOCS
    return _PROMPTS if lower in _INSTRUCTIONS else 0


def _in_collection(lower: str, words: list[str]) -> int:
    is_language = len(lower) in (2, 5) and lower[2:3] in ("", "-", "_")
    if (is_language and lower[:2] in _LANGUAGES) or (words and _BESIDE.issuperset(words)):
        return _NEVER
    return _OWN if re.match(_OWN_FOLDER, lower) else _ADRS


def _names_collection(words: list[str]) -> bool:
    while words and words[0].isdigit():
        words = words[1:]
    if not words:
        return False
    if words[-1] in ("adr", "adrs", "decisions"):
        return True
    others = _AROUND.issuperset
    core = [word for word in words if word in _RECORDS or word.endswith(_DECISIONS)]
    return bool(core) and others(word for word in words if word not in core)


def _words(name: str) -> list[str]:
    if not name.isascii():
        from unicodedata import normalize

        name = normalize("NFC", name)
    if not name.islower():
        name = re.sub(_BREAK, " ", name).lower()
    return name.translate(_BLANKS).split()
