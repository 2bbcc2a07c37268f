"""Places of files in a repository, and their largest size.

Light, so that git can be asked for them before all else is loaded.
"""

SETTINGS = ".helix-hooks.yaml"
PYPROJECT = "pyproject.toml"
RULES_FILE = "config/adr-completeness-rules.yaml"
APPROVALS_FILE = "config/approvals.yaml"
APPROVALS = "approvals"
"""The folder of rubrics and briefs, where the setting of that name says no other."""
WORKFLOW = ".github/workflows/helix.yml"
"""The workflow that runs the gate on pull requests."""

NEARLY_SETTINGS = {
    ".helix-hooks.yml": SETTINGS,
    ".helix_hooks.yaml": SETTINGS,
    ".helix_hooks.yml": SETTINGS,
    "helix-hooks.yaml": SETTINGS,
    "helix-hooks.yml": SETTINGS,
    "config/adr-completeness-rules.yml": RULES_FILE,
}
"""Misspelt names of settings and rules, with the right one; no program reads such a file."""

ADR_DIR = ".adr-dir"
LOG4BRAINS = ".log4brains.yml"
DECLARATIONS = (ADR_DIR, LOG4BRAINS)
"""Files of other ADR tools that name the folders of ADRs."""

READ_FIRST = (SETTINGS, PYPROJECT, RULES_FILE, *NEARLY_SETTINGS, *DECLARATIONS)
"""The files that are read before any ADR."""

INSTRUCTION_NAMES = frozenset(
    "claude.md claude.local.md agents.md agents.override.md agent.md gemini.md .mcp.json "
    ".cursorrules .windsurfrules .clinerules .aider.conf.yml "
    "copilot-instructions.md .goosehints .rules qwen.md warp.md crush.md conventions.md "
    "opencode.json".split()
)
"""Files, in small letters, that a command-line agent reads as instructions from any folder."""

_RESULT = "approval-result.json"
_RESULT_DEPTH = 3
"""Folders of a result: that of rubrics, the approval type, and `output`."""

MAX_BYTES = 1_000_000
"""No larger file is read."""


def is_named_instruction(path: str) -> bool:
    """Return whether a file is called what a command-line agent reads as instructions, wherever it
    lies.
    """
    name = path.rpartition("/")[2].casefold()
    return name in INSTRUCTION_NAMES or name.endswith(".instructions.md")


def is_result(path: str) -> bool:
    """Return whether a path below a folder of rubrics is that of a run's result, as in
    `approvals/adr/output/approval-result.json`. No rubric, brief or skill is read there.
    """
    *folders, name = path.split("/")
    return len(folders) >= _RESULT_DEPTH and folders[-1] == "output" and name == _RESULT


def beside(path: str, name: str) -> str:
    """A name in the folder of a file."""
    return f"{path.rpartition('/')[0]}/{name}".lstrip("/")


def relative(path: str, folder: str) -> str:
    """Return a path of the repository as a link from a folder of it has it ("" is the root)."""
    names, above = path.split("/"), folder.split("/") if folder else []
    common = 0
    while common < min(len(names), len(above)) and names[common] == above[common]:
        common += 1
    return "/".join([".."] * (len(above) - common) + names[common:])


def neighbours(paths: list[str]) -> list[str]:
    """ADRs and the places where their concepts may lie."""
    found = []
    for path in paths:
        folder = path.rpartition("/")[0]
        found += [
            path,
            f"{path.removesuffix('.md')}.concept.md",
            f"{folder}/concept.md" if folder else "concept.md",
        ]
    return found


def folders(paths: list[str]) -> list[str]:
    """The folders in which the other ADRs lie; the root is none, since git would list all there is
    below it.
    """
    found: dict[str, None] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        found[
            folder.rpartition("/")[0] if name.lower() in ("readme.md", "index.md") else folder
        ] = None
    return [folder for folder in found if folder]


def wanted(paths: list[str]) -> list[str]:
    """All that a check of some paths begins with."""
    return [*READ_FIRST, *neighbours(paths), *folders(paths)]
