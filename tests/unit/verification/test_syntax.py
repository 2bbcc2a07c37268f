"""Syntax errors in the files that a contract names; nothing hostile stops the program."""

import pytest

from helix_hooks.verification.syntax import defined_in, syntax_error


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.py", "x = 1\n", ""),
        ("a.py", "x = '\\d'\n", ""),
        ("a.py", "def f(:\n", "line 1: invalid syntax"),
        ("a.py", "a\0b", "line 1: source code string cannot contain null bytes"),
        ("a.json", '{"a": 1}', ""),
        ("a.json", '{"a": 1,}', "line 1: Expecting property name enclosed in double quotes"),
        ("a.json", "1" * 5_000, ""),
        ("tsconfig.json", "{/* a comment */}", ""),
        ("a.toml", "a = 1\n", ""),
        ("a.toml", "a = \n", "Invalid value (at line 1, column 5)"),
        ("a.yaml", "a: !tag 1\n---\nb: 2\n", ""),
        ("a.yml", "a: {{ .Values.name }}\n", ""),
        ("a.md", "# A\n\n```\ncode\n```\n", ""),
        ("a.md", "# A\n\n- x\n\n  ~~~\n  code\n  ~~~\n", ""),
        ("a.md", "# A\n\n```\ncode\n", "line 3: the code fence is never closed"),
        ("a.md", "---\ntitle: A\n", "line 1: the front matter is never closed"),
        ("a.txt", "(((", ""),
    ],
)
def test_a_syntax_error(path: str, text: str, expected: str) -> None:
    assert syntax_error(path, text.encode()) == expected


def test_broken_yaml_has_its_line() -> None:
    assert syntax_error("a.yaml", b"a: 1\nb: [1\n").startswith("line 2: invalid YAML")


def test_a_file_that_is_no_utf8() -> None:
    assert syntax_error("a.py", b"x = 1\ny = '\xff'\n") == "line 2: the file is not valid UTF-8"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "(" * 100_000),
        ("a.py", "-" * 100_000 + "1"),
        ("a.py", "x." * 100_000 + "y"),
        ("a.json", "[" * 100_000),
        ("a.toml", "a = " + "[" * 100_000),
        ("a.yaml", "[" * 100_000),
    ],
)
def test_a_deeply_nested_text_is_an_error_and_no_crash(path: str, text: str) -> None:
    assert syntax_error(path, text.encode())


def test_the_definitions_of_a_module() -> None:
    text = (
        b"class TestA:\n    def test_b(self):\n        def test_e(): ...\nasync def test_c(): ...\n"
    )
    names = ("TestA", "TestA.test_b", "test_b", "test_c", "test_d", "test_e")
    assert defined_in("a.py", text + b"# def test_d\n", names) == frozenset(names[:4])
    assert defined_in("a.py", b"def test_b(:", names) == frozenset()


def test_comments_without_end_cost_little() -> None:
    assert defined_in("a.js", b"/*\n" * 300_000 + b"test_a", ["test_a"]) == frozenset()
    assert defined_in("a.sql", b" \t" * 500_000 + b"test_a", ["test_a"]) == frozenset(["test_a"])
