"""The autonomy of the gate: the actions that need a person, by the level of the repository.

The matrix is that of seed 4, "Approval Matrix".
"""

LEVELS = ("full_control", "milestone", "autonomous")
CRITICAL, MILESTONE, ROUTINE, UNCERTAINTY, EXPERTISE = (
    "critical",
    "milestone",
    "routine",
    "uncertainty",
    "expertise",
)
CATEGORIES = (CRITICAL, MILESTONE, ROUTINE, UNCERTAINTY, EXPERTISE)
"""Why a person must decide: always for this action; at the end of a stage; at a level where all
actions need a person; the judge is not confident enough; no judge could run.
"""

ARCHITECTURE, MERGE = "architecture_decision", "pr_merge"
MATRIX = {
    #                            full_control  milestone  autonomous
    "requirements_approval":     (True,        True,      True),
    ARCHITECTURE:                (True,        True,      True),
    "sprint_start":              (True,        True,      False),
    "story_implementation":      (True,        False,     False),
    MERGE:                       (True,        False,     False),
    "sprint_completion":         (True,        True,      False),
    "budget_threshold_exceeded": (True,        True,      True),
    "production_deployment":     (True,        True,      True),
}  # fmt: skip
"""For each action and level, true if a person must decide."""

_CATEGORIES = {
    (True, True, True): CRITICAL,
    (True, True, False): MILESTONE,
    (True, False, False): ROUTINE,
}
NEVER_BY_ITSELF = (CRITICAL, UNCERTAINTY, EXPERTISE)
"""Categories that a deadline never approves: critical changes, and changes that neither rules nor
judge could assess.
"""


def asks(action: str, level: str) -> bool:
    """Return whether an action needs a person at a level. Without a level ("") the judge suffices
    (seed 0).
    """
    return bool(level) and MATRIX[action][LEVELS.index(level)]


def category(action: str) -> str:
    """Return the category of an action, by its row in the matrix."""
    return _CATEGORIES[MATRIX[action]]
