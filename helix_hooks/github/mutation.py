"""Changes of comments at lines, as one request of GraphQL."""

from .write import Stored

EDIT, DELETE = "updatePullRequestReviewComment", "deletePullRequestReviewComment"


def mutation(changes: list[tuple[str, dict[str, str]]]) -> tuple[str, Stored]:
    """Return many changes as one request of GraphQL, which carries them out one after another."""
    types = ", ".join(
        f"$i{number}: {name[0].upper()}{name[1:]}Input!" for number, (name, _) in enumerate(changes)
    )
    calls = " ".join(
        f"c{number}: {name}(input: $i{number}) {{ clientMutationId }}"
        for number, (name, _) in enumerate(changes)
    )
    given = {
        f"i{number}": {**body, "clientMutationId": str(number)}
        for number, (_, body) in enumerate(changes)
    }
    return f"mutation({types}) {{ {calls} }}", given
