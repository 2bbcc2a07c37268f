"""A command of the settings as words: a list, or a text that is split. No shell reads it."""

import shlex

from ..yaml_values import Value

_SIGNS_OF_A_SHELL = frozenset(("|", "||", "&&", "&", ";", ">", ">>", "<", "2>&1"))


def words_of(value: Value) -> tuple[str, ...]:
    """Return the words of a command. Raises ConfigError for none, and for signs of a shell."""
    if not isinstance(value.data, str):
        words = value.texts()
    else:
        try:
            words = tuple(shlex.split(value.text()))
        except ValueError as error:
            raise value.fail(f"the command can't be split into words: {error}") from None
        signs = _SIGNS_OF_A_SHELL & {*words}
        if signs:
            raise value.fail(
                f"no shell runs the command, so {min(signs)!r} has no meaning; write "
                '["sh", "-c", "..."] where one is needed'
            )
    if not words:
        raise value.fail("expected a command, as in pytest -q")
    return words
