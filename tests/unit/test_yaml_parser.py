"""PyYAML's patterns are compiled when they are used, and then do what they always do."""

import datetime as dt
import re
import subprocess
import sys

import pytest

from helix_hooks.yaml_parser import yaml

PYTHON = [sys.executable, "-c"]


def test_importing_compiles_none_of_its_patterns() -> None:
    program = """
import re, sys
from helix_hooks.yaml_parser import yaml
print(isinstance(yaml.reader.Reader.NON_PRINTABLE, re.Pattern), re.compile("a") is re.compile("a"))
"""
    done = subprocess.run([*PYTHON, program], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-01-31", dt.date(2026, 1, 31)),
        ("1.5", 1.5),
        ("0x1f", 31),
        ("[on, off, ~]", [True, False, None]),
        ("{<<: {a: 1}, b: 12:30}", {"a": 1, "b": 750}),
    ],
)
def test_values_are_read_as_ever(text: str, value: object) -> None:
    assert yaml.load(text, Loader=yaml.SafeLoader) == value
    assert yaml.load(text, Loader=yaml.CSafeLoader) == value


def test_an_unprintable_character_is_refused_as_ever() -> None:
    with pytest.raises(yaml.YAMLError, match="special characters are not allowed"):
        yaml.load("a: \x01", Loader=yaml.SafeLoader)


def test_what_is_compiled_afterwards_is_a_pattern() -> None:
    assert isinstance(re.compile("compiled afterwards"), re.Pattern)
