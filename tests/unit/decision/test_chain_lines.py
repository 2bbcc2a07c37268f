"""Lines of the chain of decisions that are no JSON."""

import pytest

from helix_hooks.decision.chain import fields_of


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_line_with_a_number_that_json_does_not_have_is_no_record(number: str) -> None:
    assert fields_of('{"more": 1}') == {"more": 1}
    assert fields_of(f'{{"more": {number}}}') == {}
