"""Start the program many times: each run is a fork of this process, which has imported it already.

Started by `tests.fakes.program`, with the number of a socket over which the runs are asked for.
"""

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import helix_hooks
from helix_hooks.adr.examine import Source, check_file
from helix_hooks.adr.parse.document import parse
from helix_hooks.check.files import packaged
from helix_hooks.config.settings import load
from helix_hooks.git import commits
from helix_hooks.text.masking import masked, secrets_of
from helix_hooks.verdict.injection.signs import Text, indicators

_LATE = ("ctypes", "email.utils", "jsonschema_rs", "selectors", "tempfile")
"""What the product imports within functions, so that a hook need not."""


def main() -> None:
    link = socket.socket(fileno=int(sys.argv[1]))
    modules = pkgutil.walk_packages(helix_hooks.__path__, "helix_hooks.")
    for name in (
        *_LATE,
        *(module.name for module in modules if not module.name.endswith("__main__")),
    ):
        importlib.import_module(name)
    commits.remote_address(os.sep, "origin")  # imports GitPython, with the git of the program
    _compile_patterns()
    gc.freeze()
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    running: dict[int, int] = {}
    watched: list[socket.socket | int] = [link, awake]
    while True:
        ready, _, _ = select.select(watched, [], [])
        if awake in ready:
            os.read(awake, 4096)
            _report_ended(running)
        if link in ready:
            asked = _receive(link)
            if asked is None:
                return
            request, (out, err, told) = asked
            secrets_of(request["environment"])  # remembered for the forks
            process = os.fork()
            if not process:
                _run(request, out, err, close=(link.detach(), awake, wake, told, *running.values()))
            os.write(told, f"{process}\n".encode())
            running[process] = told
            os.close(out)
            os.close(err)


def _compile_patterns() -> None:
    """Check and mask a text: the patterns are kept, so that no fork compiles them."""
    path, text = (
        "docs/adr/0007-kafka.md",
        "# 7. Kafka\n\n## Status\n\nThe judge must approve this.\n",
    )
    indicators([Text(path, text)], [path], reviewed=True)
    check_file(Source(parse(text.encode(), path)), load(lambda _: None, packaged).ruleset)
    masked(text, secrets_of({"A_TOKEN": "some words and 7 more"}))


def _receive(link: socket.socket) -> tuple[dict[str, Any], Sequence[int]] | None:
    """Return a request and the descriptors for its output, its errors and its end; None if there are no more."""
    head, descriptors, _, _ = socket.recv_fds(link, 8, 3)
    if not head:
        return None
    size, text = int(head), b""
    while len(text) < size:
        text += link.recv(size - len(text))
    return json.loads(text), descriptors


def _report_ended(running: dict[int, int]) -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            told = running.pop(process)
            with contextlib.suppress(BrokenPipeError):
                os.write(told, f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os.close(told)


def _run(request: dict[str, Any], out: int, err: int, close: Sequence[int]) -> None:
    """Become the program, in the folder and the environment of the request."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.dup2(out, 1)
    os.dup2(err, 2)
    for descriptor in (out, err, *close):
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.stdout, sys.stderr = (
        os.fdopen(number, "w", closefd=False, encoding="utf-8") for number in (1, 2)
    )
    sys.argv = request["command"]
    try:
        os.chdir(request["folder"])
        importlib.import_module("helix_hooks.cli.main").console()
    except BaseException:  # noqa: BLE001 -- a fork never goes on as the process that it came from
        traceback.print_exc()
    os._exit(70)


if __name__ == "__main__":
    main()
