"""Edits and deletions of line comments, as one GraphQL request."""

from .write import Stored

EDIT, DELETE = "updatePullRequestReviewComment", "deletePullRequestReviewComment"


def mutation(changes: list[tuple[str, dict[str, str]]]) -> tuple[str, Stored]:
    """Return a GraphQL mutation with many changes, and its variables. GitHub runs them in order."""
    types = ", ".join(
        f"$i{number}: {name[0].upper()}{name[1:]}Input!" for number, (name, _) in enumerate(changes)
    )
    calls = " ".join(
        f"c{number}: {name}(input: $i{number}) {{ clientMutationId }}"
        for number, (name, _) in enumerate(changes)
    )
    variables = {
        f"i{number}": {**body, "clientMutationId": str(number)}
        for number, (_, body) in enumerate(changes)
    }
    return f"mutation({types}) {{ {calls} }}", variables
