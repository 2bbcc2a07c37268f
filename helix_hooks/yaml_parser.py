"""PyYAML, imported without compiling the patterns of those parts that are written in Python.

PyYAML compiles them at import. The parser in C uses none of them, and one, over all of Unicode,
takes a fifth of the time of a hook. Here each is compiled when something first uses it.
"""

import re


class _CompiledLater:
    """A pattern that becomes a real one with its first use."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> object:
        return getattr(_compile(*self._source), name)


_compile = re.compile
vars(re)["compile"] = _CompiledLater
try:
    import yaml
finally:
    vars(re)["compile"] = _compile

__all__ = ["yaml"]
