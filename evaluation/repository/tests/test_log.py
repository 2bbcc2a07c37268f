import json

import pytest

from rental import log


def test_only_numbers_of_things_are_logged(capsys: pytest.CaptureFixture[str]) -> None:
    log.event("signed-in", customer=7, mail="ada@example.org")
    written = json.loads(capsys.readouterr().err)
    assert written["customer"] == 7
    assert "mail" not in written
