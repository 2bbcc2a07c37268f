"""The public definitions of a Python file, and which of them have a docstring."""

import pytest

from helix_hooks.gates.docstrings_complete import definitions

CASES = {
    "": {},
    "\n\n# only a comment\n": {},
    "x = 1\n": {"the module": False},
    '"""M."""\n': {"the module": True},
    '"""   """\n': {"the module": False},
    '"""M."""\nif x:\n    def f(): ...\nelse:\n    def g():\n        """G."""\n': {
        "the module": True,
        "f": False,
        "g": True,
    },
    '"""M."""\nclass C:\n    """C."""\n    async def m(self): ...\n    def __init__(self): ...\n': {
        "the module": True,
        "C": True,
        "C.m": False,
    },
    '"""M."""\nclass _C:\n    def m(self): ...\n': {"the module": True},
    '"""M."""\ndef f():\n    """F."""\n    def inner(): ...\n': {"the module": True, "f": True},
    '"""M."""\n@overload\ndef f(): ...\n@typing.overload\ndef f(): ...\ndef f():\n    """F."""\n': {
        "the module": True,
        "f": True,
    },
    '"""M."""\nclass C:\n    """C."""\n    @property\n    def p(self):\n        """P."""\n    @p.setter\n'
    "    def p(self, x): ...\n": {"the module": True, "C": True, "C.p": True},
    '"""M."""\ntry:\n    import a\nexcept ImportError:\n    def f(): ...\n': {
        "the module": True,
        "f": False,
    },
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_definitions(text: str, expected: dict[str, bool]) -> None:
    found = definitions("a.py", text.encode())
    assert {item.name: item.has_docstring for item in found} == expected


@pytest.mark.parametrize("data", [b"def f(:\n", b"\0", b"# coding: nonsense\nx = 1\n"])
def test_what_is_no_python_is_told(data: bytes) -> None:
    with pytest.raises((SyntaxError, ValueError)):
        list(definitions("a.py", data))
