"""The names of jobs that are, or may be, the name of the gate's check."""

import pytest

from helix_hooks.config.workflows import ways_to_write

HAS, MAY = "the job `a` has the name", "the name of the job `a` is computed"


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("helix", HAS),
        (" Helix ", HAS),
        ("helix-2", ""),
        ("${{ matrix.name }}", MAY),
        ("hel${{ matrix.end }}", MAY),
        ("${{ matrix.start }}lix", MAY),
        ("HE${{ a }}${{ b }}X", MAY),
        ("helix ${{ '' }}", MAY),
        ("${{ format('}}') }}helix", MAY),
        ("tests ${{ matrix.python }}", ""),
        ("${{ matrix.python }} tests", ""),
    ],
)
def test_a_name(name: str, way: str) -> None:
    text = f'permissions: {{}}\njobs:\n  a: {{name: "{name}"}}\n'
    ways = ways_to_write(text.encode(), ".github/workflows/x.yml")
    assert [line.startswith(way) for line in ways] == [True] * bool(way)
