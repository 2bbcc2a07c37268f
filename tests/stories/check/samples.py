"""Texts that several tests check, and what they expect of a call."""

from tests.conftest import Result

GOOD = "# 7. Use Kafka\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nKafka.\n\n## Consequences\n\nx\n"


def expect(
    result: Result, code: int, out: str = "", *, err: str = "", times: int | None = None
) -> None:
    """Require an exit code, a text in the result (so many times), and one in the messages."""
    printed = f"exit {result.code}\n{result.out}{result.err}"
    assert result.code == code, printed
    assert err in result.err, printed
    assert out in result.out if times is None else result.out.count(out) == times, printed
