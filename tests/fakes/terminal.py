"""The program at a terminal of its own."""

import os
import select
import signal
import sys
from pathlib import Path


def at_a_terminal(
    arguments: list[str], folder: Path, variables: dict[str, str] | None = None, *, typed: str = ""
) -> tuple[int, str]:
    """Run the program at a terminal of its own, and return its exit code and what the terminal shows."""
    import pty

    process, terminal = pty.fork()
    if not process:
        # A shell starts `pytest &` with SIGINT ignored, and children inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.chdir(folder)
        os.execve(
            sys.executable,
            [sys.executable, "-I", "-m", "helix_hooks", *arguments],
            {**os.environ, **(variables or {})},
        )
    shown = b""
    is_asked = False
    try:
        while True:
            # Python may miss a Ctrl-C between its prompt and its read, so a person presses it again.
            while is_asked and typed == "\x03" and not select.select([terminal], [], [], 1)[0]:
                os.write(terminal, typed.encode())
            data = os.read(terminal, 4096)
            if not data:
                break
            shown += data
            if typed and shown.endswith(b": "):
                os.write(terminal, typed.encode())
                is_asked = True
    except OSError:  # how Linux says that the other side is closed
        pass
    finally:
        os.close(terminal)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status), shown.decode()
