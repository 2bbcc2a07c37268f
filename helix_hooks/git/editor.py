"""The editor of the user, found and started in the same way as by git."""

import os
import subprocess

from ..errors import HelixError
from ..proc import find
from . import environment, run


def edit(root: str | None, path: str) -> None:
    """Open a file in the editor, and wait for its end.

    The editor is set by GIT_EDITOR, `core.editor`, VISUAL or EDITOR. A shell runs it, as for git,
    since it may have arguments.

    Raises:
        HelixError: There is no editor, or it fails.
    """
    setting = run(["var", "GIT_EDITOR"], root, check=False)
    editor = os.fsdecode(setting.stdout).removesuffix("\n")
    variables = environment()
    shell = find.find("sh", variables)
    if setting.returncode or not editor or not shell:
        settings = "GIT_EDITOR, core.editor (git config), VISUAL or EDITOR"
        raise HelixError(f"there is no editor for {path}; set {settings}")
    command = [shell, "-c", f'{editor} "$@"', editor, os.path.abspath(path)]
    done = subprocess.run(command, env=variables, check=False)
    if done.returncode:
        name = editor if editor.isprintable() else "of the settings"
        ended = f"the editor {name} ended with exit code {done.returncode}"
        raise HelixError(f"{ended}; {path} is written, open it by hand")
