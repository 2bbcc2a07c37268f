"""Read YAML texts and settings files as values."""

from functools import lru_cache

from . import yaml_plain
from .errors import ConfigError
from .text.invisible import NEXT_LINE, WIDE_LINE_ENDS
from .yaml_values import Defect, Value

_BREAKS = dict.fromkeys(map(ord, NEXT_LINE + WIDE_LINE_ENDS), " ")
"""Characters that end a line in YAML but not in an editor: they would shift all line numbers."""


def parse(text: str, first_line: int = 1) -> tuple[Value, list[Defect]]:
    """Return the value of a YAML text, and its errors.

    `first_line` is the line of the surrounding file on which the text starts. The value is empty
    if the text has a syntax error.
    """
    if not text.isascii():
        text = text.translate(_BREAKS)
    value = yaml_plain.read(text, first_line)
    if value:
        return value, []
    from . import yaml_events  # PyYAML's import would take a sixth of a hook's time

    return yaml_events.read(text, first_line)


@lru_cache(maxsize=16)
def load(text: str, path: str) -> Value:
    """Return the value of a settings file.

    A run reads the same files at several commits, so the last ones are cached.

    Raises:
        ConfigError: The file is empty, or is not YAML; the error has the first defect.
    """
    root, defects = parse(text)
    if defects:
        raise ConfigError(path, defects[0].line, "", defects[0].message)
    if root.data is None:
        raise ConfigError(
            path,
            1,
            "",
            "the file is empty; add a setting, or delete the file to use the defaults",
        )
    return root._replace(path=path)
