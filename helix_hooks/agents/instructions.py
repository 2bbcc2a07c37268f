"""The block in the instruction file of an agent: text in, text out."""

BEGIN = "<!-- helix-hooks: begin -->"
END = "<!-- helix-hooks: end -->"

COMMON_FILE = "AGENTS.md"
OWN_FILES = {"claude": "CLAUDE.md", "gemini": "GEMINI.md"}
"""Agents with an instruction file of their own. Gemini CLI reads only its own by default."""

BLOCK = f"""{BEGIN}
## Architecture decisions

This repository checks its architecture decision records (ADRs), and the work on them, with
helix-hooks.

- Before you commit an ADR, run `helix-hooks check`. `helix-hooks explain RULE` says how to fix a
  finding.
- When your work on an accepted ADR is complete, claim it: end the message of its last commit with
  the line `Implements: ADR-014`, or set the status of the ADR to Implemented.
- Before you say that you are done, run `helix-hooks verify ADR-014`. It compares the work with the
  ADR as it was approved: its files, documentation and acceptance criteria. It runs again when you
  stop, and on the pull request.
- If the stop hook blocks you, `helix-hooks feedback` prints what is missing. Do what it says. Do
  not change the text of the ADR, the settings or the hook to get past it.
- If a finding is wrong, or you can't do what it asks, tell the user why and stop. A person decides.
{END}
"""

SKILL = "skills/architecture-decisions/SKILL.md"


class InstructionsError(Exception):
    """The markers of the block are incomplete or repeated."""


def file_for(agent: str, existing: frozenset[str]) -> str:
    """Return the file for the instructions: the agent's own if it exists, else the common one."""
    own = OWN_FILES.get(agent, COMMON_FILE)
    if own in existing or agent == "gemini":
        return own
    return COMMON_FILE


def skill_for(agent: str) -> str:
    """Return the file for the skill: Claude Code reads its own folder, the others a common one."""
    return f".claude/{SKILL}" if agent == "claude" else f".agents/{SKILL}"


def with_block(text: str) -> str:
    """Return a text with the current block: an old block is replaced, otherwise it is appended.

    Raises:
        InstructionsError: The markers are invalid.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    block = BLOCK.replace("\n", newline)
    place = _place(text)
    if place:
        return text[: place[0]] + block + text[place[1] :]
    if not text:
        return block
    gap = newline if text.endswith("\n") else newline * 2
    return f"{text}{gap}{block}"


def _place(text: str) -> tuple[int, int] | None:
    """Return start and end of the block, including its last line end; None without a block.

    Raises:
        InstructionsError: The markers are invalid.
    """
    if text.count(BEGIN) == text.count(END) == 0:
        return None
    start, end = text.find(BEGIN), text.find(END)
    if text.count(BEGIN) != 1 or text.count(END) != 1 or end < start:
        raise InstructionsError(f"it must have one `{BEGIN}` and, behind it, one `{END}`")
    end += len(END)
    for newline in ("\r\n", "\n"):
        if text.startswith(newline, end):
            return start, end + len(newline)
    return start, end
