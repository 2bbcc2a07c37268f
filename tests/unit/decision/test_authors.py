"""The authors of a change, as people read them."""

from helix_hooks.decision.authors import writers
from helix_hooks.decision.pull_request import Commit, Person

ALICE, BOB = Person("alice", 1), Person("bob", 2)


def test_the_author_of_the_pull_request_is_the_first() -> None:
    commits = [Commit((BOB,), (), ""), Commit((Person("Alice", 1),), (), "")]
    assert writers(ALICE, commits) == ("alice", "bob")
