"""Paths in a repository, globs over them, and the largest size of a file that is read. Pure."""

import re
from functools import lru_cache

SETTINGS = ".helix-hooks.yaml"
OWN_FILES = ".helix/"
"""The folder of the program itself, which git ignores."""
PYPROJECT = "pyproject.toml"
RULES_FILE = "config/adr-completeness-rules.yaml"
APPROVALS_FILE = "config/approvals.yaml"
APPROVALS = "approvals"
"""The default folder of rubrics and briefs; the setting `approvals` replaces it."""
WORKFLOW = ".github/workflows/helix.yml"
"""The workflow that runs the gate on pull requests."""

CODEOWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Paths of the file with the owners of files; GitHub reads the first one that exists."""

NEARLY_SETTINGS = {
    ".helix-hooks.yml": SETTINGS,
    ".helix_hooks.yaml": SETTINGS,
    ".helix_hooks.yml": SETTINGS,
    "helix-hooks.yaml": SETTINGS,
    "helix-hooks.yml": SETTINGS,
    "config/adr-completeness-rules.yml": RULES_FILE,
}
"""Misspelt names of settings files, with the right name. Such a file would be ignored."""

READ_FIRST = (SETTINGS, PYPROJECT, RULES_FILE, *NEARLY_SETTINGS)
"""The files that are read before any ADR."""

INSTRUCTION_NAMES = frozenset(
    "claude.md claude.local.md agents.md agents.override.md agent.md gemini.md .mcp.json "
    ".cursorrules .windsurfrules .clinerules .aider.conf.yml "
    "copilot-instructions.md .goosehints .rules qwen.md warp.md crush.md conventions.md "
    "opencode.json".split()
)
"""Names, in lowercase, of files that a command-line agent reads as instructions in any folder."""

_RESULT = "approval-result.json"
_RESULT_DEPTH = 3
"""Minimum folders above a result: that of rubrics, the approval type, and `output`."""

MARKDOWN = (".md", ".markdown", ".mdown", ".mkd", ".mdx")
"""The suffixes of Markdown files, in lowercase."""

MARKDOWN_SUFFIX = r"(?i:\.(?:md|markdown|mdown|mkd|mdx))"
"""A pattern of `re` for a suffix of `MARKDOWN`, in any case."""

OTHER_TEXTS = (".adoc", ".asciidoc", ".rst", ".org", ".html", ".htm", ".txt")
"""The suffixes, in lowercase, of texts in which decisions are written, and that no rule reads."""

MAX_BYTES = 1_000_000
"""Maximum size of a file that is read."""


def is_markdown(path: str) -> bool:
    """Return whether a path has the suffix of a Markdown file, in any case."""
    return path.lower().endswith(MARKDOWN)


def without_suffix(path: str) -> str:
    """Return a path without the suffix of a Markdown file."""
    for suffix in MARKDOWN:
        if path.lower().endswith(suffix):
            return path[: -len(suffix)]
    return path


def is_entrance(name: str) -> bool:
    """Return whether a file name is that of a README or an index in Markdown, in any case."""
    return is_markdown(name) and without_suffix(name).lower() in ("readme", "index")


def is_named_instruction(path: str) -> bool:
    """Return whether an agent reads a file as instructions because of its name, in any folder."""
    name = path.rpartition("/")[2].casefold()
    return name in INSTRUCTION_NAMES or name.endswith(".instructions.md")


def is_inside(path: str) -> bool:
    """Return whether a path of the settings leads to a file in the repository, outside `.git`."""
    steps = path.casefold().split("/")
    return "\\" not in path and {"", ".", "..", ".git"}.isdisjoint(steps)


def is_result(path: str) -> bool:
    """Return whether a path below the folder of rubrics is the result of a run.

    An example is `approvals/adr/output/approval-result.json`. No rubric, brief or skill is read
    from such a path.
    """
    *folders, name = path.split("/")
    return len(folders) >= _RESULT_DEPTH and folders[-1] == "output" and name == _RESULT


def is_below(path: str, places: list[str] | tuple[str, ...]) -> bool:
    """Return whether a path is one of some places, or below one; "." is the root."""
    return any(path == place or path.startswith(f"{place}/") or place == "." for place in places)


def beside(path: str, name: str) -> str:
    """Return the path of a name in the folder of a file."""
    return f"{path.rpartition('/')[0]}/{name}".lstrip("/")


def relative(path: str, folder: str) -> str:
    """Return a link from a folder of the repository to a path; "" is the root folder."""
    names = path.split("/")
    above = [name for name in folder.split("/") if name]
    common = 0
    while common < min(len(names), len(above)) and names[common] == above[common]:
        common += 1
    return "/".join([".."] * (len(above) - common) + names[common:])


def neighbours(paths: list[str]) -> list[str]:
    """Return the ADRs, each with the paths where its concept may be."""
    files = []
    for path in paths:
        files += [path, f"{without_suffix(path)}.concept.md", beside(path, "concept.md")]
    return files


def folders(paths: list[str]) -> list[str]:
    """Return the folders of the other ADRs.

    The root is left out: git would list the whole repository.
    """
    unique: dict[str, None] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        # An ADR in a folder of its own, as in docs/adr/0001-cache/README.md.
        if is_entrance(name):
            folder = folder.rpartition("/")[0]
        unique[folder] = None
    return [folder for folder in unique if folder]


# Globs over repository-relative paths. `**` matches any number of folders. `*` and `?` stop at a
# slash. `{a,b}` matches one of its parts.

_PARTS = {"**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")"}
MOST_STARS = 8
"""Maximum stars of one pattern; real patterns have two or three."""
MOST_BRACES = 8
"""Maximum braces of one pattern; each one multiplies the ways in which it may match."""
MOST_CHARACTERS = 500
"""Maximum characters of one pattern; few paths in git are longer."""
_SIGNS = frozenset("*?{}")
_SPECIAL = re.compile(r"\*\*/|[*?{},]")


def is_pattern(text: str) -> bool:
    """Return whether a text may match more than the path of its name."""
    return not _SIGNS.isdisjoint(text)


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Return whether any of the globs matches a path. No globs match no path."""
    return bool(globs) and _compiled(globs).fullmatch(path) is not None


def glob_problem(pattern: str) -> str:
    """Return why a glob takes too long or means nothing, for a message; "" for a good one."""
    if len(pattern) > MOST_CHARACTERS:
        return (
            f"the pattern {pattern[:80]!r}... is too long (maximum {MOST_CHARACTERS} "
            "characters); use several patterns"
        )
    for sign, name, most in (("*", "stars", MOST_STARS), ("{", "braces", MOST_BRACES)):
        if pattern.count(sign) > most:
            return f"the pattern {pattern!r} has too many {name} (maximum {most})"
    depth = 0
    for character in pattern:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            break
    return f"unbalanced brace in {pattern!r}" if depth else ""


def overlap(first: str, second: str) -> bool:
    """Return whether a path may match both globs. In doubt they overlap."""
    if not _SPECIAL.search(first):
        return matches(first, (second,))
    if not _SPECIAL.search(second):
        return matches(second, (first,))
    starts = [_SPECIAL.split(pattern, maxsplit=1)[0] for pattern in (first, second)]
    ends = [_SPECIAL.split(pattern)[-1] for pattern in (first, second)]
    return _agree(starts) and _agree([end[::-1] for end in ends])


def _agree(texts: list[str]) -> bool:
    """Return whether the shorter of two texts is the beginning of the other."""
    shorter, longer = sorted(texts, key=len)
    return longer.startswith(shorter)


@lru_cache(maxsize=64)
def _compiled(globs: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(f"(?s:{'|'.join(map(_regex, globs))})")


def _regex(pattern: str) -> str:
    """Return a glob as a regular expression."""
    regex, depth = "", 0
    for token in re.findall(r"(?s)(?:\*\*/)+|\*\*|.", pattern):
        depth += (token == "{") - (token == "}")
        if token.startswith("**/"):
            regex += "(?:.*/)?"
        elif token == "," and depth:
            regex += "|"
        else:
            regex += _PARTS.get(token) or re.escape(token)
    return regex
