"""TOML with keys that have no end."""

import contextlib
import time
import tomllib

import pytest

from helix_hooks.toml_load import MOST_PARTS, loads


@pytest.mark.parametrize(
    "text",
    [
        "{key} = 1",
        "[{key}]",
        "[[{key}]]",
        "x = {{{key} = 1}}",
        "x = [ {{ {key}\t= 1 }} ]",
    ],
)
@pytest.mark.parametrize("part", ["a", '"a b"', "'a.b'", r'"\""', "a-1 "])
def test_a_key_with_very_many_parts_is_refused(text: str, part: str) -> None:
    begun = time.process_time()
    with pytest.raises(tomllib.TOMLDecodeError, match="more than 100 parts"):
        loads("ok = 1\n" + text.format(key=".".join([part] * 100_000)))
    assert time.process_time() - begun < 5


def test_what_people_write_is_read() -> None:
    text = 'a.b."c.d" = 1\n[tool.x]\ny = "1.2.3"\nz = [1.5, 2.5]\n'
    assert loads(text) == tomllib.loads(text)
    key = ".".join("a" * MOST_PARTS)
    assert loads(f"{key} = 1") == tomllib.loads(f"{key} = 1")


@pytest.mark.parametrize("sign", ["a", '"', "'", " ", "a ", "a.", '"a', "\\"])
def test_a_long_line_is_read_in_one_pass(sign: str) -> None:
    begun = time.process_time()
    with contextlib.suppress(tomllib.TOMLDecodeError):
        loads("# ok\n" + sign * 500_000)
    assert time.process_time() - begun < 5
