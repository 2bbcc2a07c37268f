"""No failure of `verify --hook` ends with 2, the exit code that agents take for a block."""

import pytest

from tests.conftest import Repository, Run


@pytest.mark.parametrize(
    "words",
    [
        ["verify", "--hook", "nobody"],
        ["verify", "--hook"],
        ["verify", "--later", "--hook=claude"],
        ["verify", "--hook", "claude", "--run", "true"],
        ["--nonsense", "verify", "--hook", "claude"],
    ],
    ids=" ".join,
)
def test_a_wrong_call_of_a_hook_is_no_block(
    words: list[str], repository: Repository, run: Run
) -> None:
    result = run(*words)
    assert (result.code, result.out) == (3, "")
    assert result.err


def test_other_wrong_calls_keep_their_code(repository: Repository, run: Run) -> None:
    assert run("verify", "--later").code == 2
