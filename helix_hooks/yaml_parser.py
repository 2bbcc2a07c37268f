"""PyYAML, imported without compiling the patterns of its parser in Python.

PyYAML compiles them at import. The parser in C uses none of them, and one, over all of Unicode,
takes a fifth of a hook's time. Here each is compiled at its first use.
"""

import re


class _CompiledLater:
    """A pattern that is compiled at its first use."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._source = (pattern, flags)

    def __getattr__(self, name: str) -> object:
        return getattr(_compile(*self._source), name)


_compile = re.compile
# Only while PyYAML is imported; `finally` also restores it if the import fails.
vars(re)["compile"] = _CompiledLater
try:
    import yaml
finally:
    vars(re)["compile"] = _compile

__all__ = ["yaml"]
