"""What GitHub holds beside the branch's rules: the workflow that is in force, and what workflows may do by default."""

from collections.abc import Mapping
from typing import NamedTuple

from ..paths import WORKFLOW
from .line import MISSING, OK, UNSAFE, Line, Unseen, unseen

_ACTIONS = "Settings > Actions > General > Workflow permissions"


class Defaults(NamedTuple):
    """What the token of a workflow may do that names no permissions, and whether it may approve."""

    writes: bool
    approves: bool


def in_force(branch: str, here: bytes | None, there: bytes | Unseen | None) -> Line:
    """Whether the workflow that GitHub runs is the one that was looked at."""
    check = "workflow-in-force"
    if isinstance(there, Unseen):
        return unseen(check, f"{WORKFLOW} on {branch}", there, "contents: read")
    if there is None:
        return Line(check, MISSING, f"{branch} has no {WORKFLOW}, and only the one there runs on pull requests", f"merge it to {branch}")
    if here is None or _text(here) != _text(there):
        return Line(check, UNSAFE, f"{WORKFLOW} on {branch} is another one than here, and it is the one that runs",
                    f"git fetch origin && git diff origin/{branch} -- {WORKFLOW}")  # fmt: skip
    return Line(check, OK, f"{branch} has the same {WORKFLOW}")


def _text(data: bytes) -> bytes:
    """Git may have turned line ends around on this machine."""
    return data.replace(b"\r\n", b"\n")


def owners(branch: str, found: tuple[str, ...] | Unseen) -> Line:
    """Whether GitHub goes by the whole CODEOWNERS file: an owner that it does not know, or who may not write, owns nothing."""
    check = "codeowners-in-force"
    if isinstance(found, Unseen):
        return unseen(check, f"what GitHub makes of CODEOWNERS on {branch}", found, "contents: read")
    if found:
        return Line(check, UNSAFE, f"GitHub passes over {'; '.join(found)}", "name people or teams that may write to the repository")
    return Line(check, OK, f"GitHub goes by every line of CODEOWNERS on {branch}")


def defaults(found: Defaults | Unseen) -> list[Line]:
    if isinstance(found, Unseen):
        what = ("workflow-token", "what workflows may do by default"), ("actions-approve", "whether workflows may approve pull requests")
        return [unseen(check, said, found, "administration: read") for check, said in what]
    return [
        Line("workflow-token", UNSAFE, "a workflow that names no permissions gets a token that writes", f"{_ACTIONS}: read repository contents")
        if found.writes else Line("workflow-token", OK, "a workflow that names no permissions only reads"),
        Line("actions-approve", UNSAFE, "workflows may approve pull requests", f"{_ACTIONS}: don't allow GitHub Actions to approve pull requests")
        if found.approves else Line("actions-approve", OK, "no workflow may approve a pull request"),
    ]  # fmt: skip


def environments(found: Mapping[str, bool | Unseen]) -> list[Line]:
    """The environments that the workflow names, each with whether only some branches may use it."""
    return [_environment(name, limited) for name, limited in found.items()]


def _environment(name: str, limited: bool | Unseen) -> Line:
    check = "environment"
    if isinstance(limited, Unseen):
        return unseen(check, f"the environment {name}", limited, "actions: read")
    if limited:
        return Line(check, OK, f"the environment {name} is for chosen branches only")
    return Line(check, UNSAFE, f"a workflow of any branch may use the secrets of the environment {name}",
                f"Settings > Environments > {name}: limit it to the default branch")  # fmt: skip
