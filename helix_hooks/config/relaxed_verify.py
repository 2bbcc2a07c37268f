"""List the relaxed settings of the section `verify`."""

from collections.abc import Iterator

from .places import Places, place_of
from .verify import VerifySettings


def relaxed_verify(old: VerifySettings, new: VerifySettings, where: Places) -> Iterator[str]:
    """Yield a line for each relaxed or changed setting of a verification."""
    commands = {command.name: command for command in new.commands}
    for command in old.commands:
        now = commands.get(command.name)
        at = place_of(where, f"verify.commands.{command.name}", "verify.commands", "verify")
        if now is None:
            yield f"verify.commands.{command.name} was removed{at}"
        elif now != command:
            yield f"verify.commands.{command.name} changed{at}"
    if old.blocks and not new.blocks:
        yield f"verify.blocks true -> false{place_of(where, 'verify.blocks')}"
    if new.judge.model != old.judge.model:
        at = place_of(where, "verify.judge.model", "verify.judge")
        yield f"verify.judge.model {old.judge.model} -> {new.judge.model}{at}"
