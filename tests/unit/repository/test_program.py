"""Programs with pipes, started by `posix_spawn` or, where that is missing, by `subprocess`."""

import os
import subprocess
import sys

import pytest

from helix_hooks.repository import program

MUCH = 3_000_000
"""More bytes than any pipe holds."""
VARIABLES = {"PATH": os.environ["PATH"], "NAME": "caf\udce9"}

pytestmark = pytest.mark.parametrize("spawns", [True, False], ids=["spawn", "subprocess"])


@pytest.fixture(autouse=True)
def way(spawns: bool, monkeypatch: pytest.MonkeyPatch, capfd: object) -> None:
    """Start programs in one of the two ways."""
    monkeypatch.setattr(program, "_HAS_SPAWN", spawns)


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-c", f"import os, signal, sys; {code}"]


def opened() -> int:
    """Return the number of open files of this program."""
    return len(os.listdir("/dev/fd"))


@pytest.mark.parametrize(
    ("code", "output", "errors", "returned"),
    [
        ("pass", b"", b"", 0),
        ("print('a', end=''); print('b', end='', file=sys.stderr); sys.exit(3)", b"a", b"b", 3),
        ("os.kill(os.getpid(), 9)", b"", b"", -9),
        (f"os.write(2, b'b' * {MUCH}); os.write(1, b'a')", b"a", b"b" * MUCH, 0),
        (f"os.write(1, b'a' * {MUCH}); os.write(2, b'b')", b"a" * MUCH, b"b", 0),
        ("os.close(2); print('a', end='')", b"a", b"", 0),
        ("os.write(1, os.fsencode(os.environ['NAME']))", b"caf\xe9", b"", 0),
        ("print(signal.getsignal(signal.SIGPIPE) is signal.SIG_DFL, end='')", b"False", b"", 0),
    ],
    ids=["nothing", "both", "killed", "stderr", "stdout", "closed", "variables", "signals"],
)
def test_output_errors_and_exit_code(
    code: str, output: bytes, errors: bytes, returned: int
) -> None:
    before = opened()
    started = program.start(python(code), VARIABLES)
    assert started.communicate() == (output, errors)
    assert (started.wait(), started.returncode) == (returned, returned)
    assert opened() == before


def test_both_pipes_are_read_in_turn() -> None:
    code = "[os.write(n, b'x' * 100_000) for _ in range(20) for n in (2, 1)]"
    started = program.start(python(code), VARIABLES)
    assert [len(part) for part in started.communicate()] == [2_000_000, 2_000_000]


def test_questions_and_answers() -> None:
    code = "[print(line.upper(), end='', flush=True) for line in sys.stdin]"
    started = program.start(python(code), VARIABLES, stdin=True, stderr=False)
    assert started.stdin and started.stdout and not started.stderr
    for _ in range(3):
        started.stdin.write(b"why\n")
        started.stdin.flush()
        assert started.stdout.readline() == b"WHY\n"
    started.stdin.close()
    started.stdout.close()
    assert started.wait() == 0


def test_a_program_that_is_not_waited_for_is_killed() -> None:
    started = program.start(python("print('a', flush=True); signal.pause()"), VARIABLES)
    assert started.stdout and started.stdout.read(1) == b"a"
    started.kill()
    started.communicate()
    started.kill()
    assert started.returncode == -9


def test_a_program_that_is_not_there() -> None:
    before = opened()
    with pytest.raises(FileNotFoundError):
        program.start(["/nowhere/git"], VARIABLES)
    assert opened() == before


def test_a_pipe_that_nobody_reads_ends_a_program(spawns: bool) -> None:
    loop = "exec /bin/sh -c 'while echo y; do :; done 2>/dev/null; kill -9 $$'"
    started = program.start(["/bin/sh", "-c", loop], VARIABLES, stderr=False)
    assert started.stdout
    started.stdout.close()
    assert started.wait() == -13, "SIGPIPE is not ignored"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-"])
def test_a_closed_stream_of_ours_mixes_nothing_up(closed: str, spawns: bool) -> None:
    code = (
        "import os, sys; from helix_hooks.repository import program; "
        f"program._HAS_SPAWN = {spawns}; "
        "started = program.start(['/bin/sh', '-c', 'echo a; echo b >&2; exit 7'], os.environ); "
        "os._exit(started.communicate() == (b'a\\n', b'b\\n') and started.wait())"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -c "$1" {closed}', sys.executable, code], check=False
    )
    assert done.returncode == 7
