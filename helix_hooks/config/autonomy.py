"""The autonomy of the gate: which actions ask for one, by the level that a repository has chosen
(seed 4, "Approval Matrix").
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
"""Reasons for asking a person: a person always decides this; a stage is reached; everything is
asked; a judge is not sure; no judge could look.
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
"""Categories that no deadline approves: critical changes, and those that neither rules nor judge
could assess.
"""


def asks(action: str, level: str) -> bool:
    """Return whether a person is asked about an action at a level; where no level is chosen ("")
    the judge suffices (seed 0).
    """
    return bool(level) and MATRIX[action][LEVELS.index(level)]


def category(action: str) -> str:
    """The category of an action, as the matrix has it."""
    return _CATEGORIES[MATRIX[action]]
