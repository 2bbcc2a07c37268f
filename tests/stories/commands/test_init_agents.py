"""`init --agent` adds a hook to the settings of an agent, asks first, and loses nothing."""

import json
import os
from pathlib import Path

import pytest

from helix_hooks.agents.instructions import BEGIN, BLOCK, END
from helix_hooks.agents.registry import AGENTS
from helix_hooks.authoring import agents
from helix_hooks.check.files import packaged
from helix_hooks.errors import HelixError
from tests.conftest import Repository, Run

CLAUDE = ".claude/settings.json"
NAMES = sorted(AGENTS)
ALL = [word for name in NAMES for word in ("--agent", name)]


def files(root: Path) -> dict[str, bytes]:
    """Return what is in a repository outside of git's own folder, folders too."""
    found = {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else b""
        for path in root.rglob("*")
    }
    return {path: data for path, data in found.items() if path.split("/")[0] != ".git"}


@pytest.mark.parametrize("name", NAMES)
def test_the_hook_is_added_once(name: str, repository: Repository, run: Run) -> None:
    added = run("init", "--agent", name, "--yes")
    path = AGENTS[name].file.path
    assert (added.code, added.err) == (0, "")
    assert added.out.startswith(f"created  {path}: ")
    assert AGENTS[name].trust in added.out and BLOCK in added.out
    written = files(repository.root)
    assert f"helix-hooks verify --hook {name}".encode() in written[path]
    again = run("init", "--agent", name, "--yes")
    assert again.out == f"kept  {path}: it has the hook already\n"
    assert files(repository.root) == written


def test_all_agents_at_once_with_instructions(repository: Repository, run: Run) -> None:
    repository.write("AGENTS.md", "# For agents\n\nUse make.")
    repository.write("CLAUDE.md", "Be brief.\r\n")
    shown = run("init", *ALL, "--instructions", "--yes")
    assert shown.code == 0
    assert f"\n\n{BLOCK}" in (repository.root / "AGENTS.md").read_text(encoding="utf-8")
    own = (repository.root / "CLAUDE.md").read_bytes().decode()
    assert own == "Be brief.\r\n\r\n" + BLOCK.replace("\n", "\r\n")
    assert (repository.root / "GEMINI.md").read_text(encoding="utf-8") == BLOCK
    assert "For AGENTS.md" not in shown.out
    skills = {path.read_bytes() for path in repository.root.glob(".*/skills/*/SKILL.md")}
    assert skills == {packaged("templates/skill.md")}
    assert (repository.root / ".claude/skills/architecture-decisions/SKILL.md").exists()
    assert (repository.root / ".agents/skills/architecture-decisions/SKILL.md").exists()
    written = files(repository.root)
    again = run("init", *ALL, "--instructions", "--yes").out
    assert {line.split()[0] for line in again.splitlines()} == {"kept"}
    assert files(repository.root) == written


def test_older_instructions_are_replaced_in_their_place(repository: Repository, run: Run) -> None:
    repository.write("AGENTS.md", f"First.\n\n{BEGIN}\nold\n{END}\n\nLast.\n")
    run("init", "--agent", "codex", "--instructions", "--yes")
    text = (repository.root / "AGENTS.md").read_text(encoding="utf-8")
    assert text == f"First.\n\n{BLOCK}\nLast.\n"


@pytest.mark.parametrize("text", [f"{BEGIN}\nx\n", f"{END}\n{BEGIN}\n", f"{BEGIN}{BEGIN}{END}"])
def test_half_a_block_is_left_alone(text: str, repository: Repository, run: Run) -> None:
    repository.write("AGENTS.md", text)
    result = run("init", "--agent", "codex", "--instructions", "--yes")
    assert result.code == 2
    assert "refused  AGENTS.md: it must have one" in result.out
    assert (repository.root / "AGENTS.md").read_text(encoding="utf-8") == text


def test_without_a_terminal_it_needs_yes(repository: Repository, run: Run) -> None:
    result = run("init", "--agent", "claude")
    assert (result.code, "--yes" in result.err) == (4, True)
    assert '+            "command": "helix-hooks verify --hook claude"' in result.out
    assert files(repository.root) == {}


def test_a_dry_run_writes_nothing(repository: Repository, run: Run) -> None:
    result = run("init", *ALL, "--instructions", "--dry-run")
    assert result.code == 0
    assert result.out.startswith("Nothing is written; without --dry-run:\ncreated  .claude/")
    assert files(repository.root) == {}


@pytest.mark.parametrize("flag", ["--instructions", "--yes"])
def test_a_flag_of_agents_needs_an_agent(flag: str, repository: Repository, run: Run) -> None:
    result = run("init", flag)
    assert (result.code, "require --agent" in result.err) == (2, True)
    assert files(repository.root) == {}


def test_what_cannot_be_edited_is_printed_to_paste(repository: Repository, run: Run) -> None:
    repository.write(CLAUDE, '{\n  "model": "opus", // the best\n}\n')
    before = files(repository.root)
    result = run("init", "--agent", "claude", "--agent", "cursor", "--yes")
    assert result.code == 2
    assert f"refused  {CLAUDE}:2: it is not JSON" in result.out
    assert '"command": "helix-hooks verify --hook claude"' in result.out
    assert files(repository.root).keys() - before.keys() == {".cursor", ".cursor/hooks.json"}
    assert files(repository.root)[CLAUDE] == before[CLAUDE]


def test_a_byte_order_mark_stays(repository: Repository, run: Run) -> None:
    repository.write(CLAUDE, b'\xef\xbb\xbf{\r\n  "model": "opus"\r\n}\r\n')
    run("init", "--agent", "claude", "--yes")
    written = (repository.root / CLAUDE).read_bytes()
    assert written.startswith(b'\xef\xbb\xbf{\r\n  "model"')
    assert "Stop" in json.loads(written.decode("utf-8-sig"))["hooks"]


@pytest.mark.parametrize("data", [b'{"a": "\xe9"}', b" " * 1_000_001], ids=["latin-1", "large"])
def test_a_file_that_cannot_be_read_is_refused(
    data: bytes, repository: Repository, run: Run
) -> None:
    repository.write(CLAUDE, data)
    assert run("init", "--agent", "claude", "--yes").code == 2
    assert (repository.root / CLAUDE).read_bytes() == data


def test_a_file_that_changed_since_it_was_shown_is_not_written(repository: Repository) -> None:
    steps = agents.plan(str(repository.root), ("claude",), instructions=False)
    repository.write(CLAUDE, "{}")
    with pytest.raises(HelixError, match="changed meanwhile"):
        agents.write(str(repository.root), steps)
    assert (repository.root / CLAUDE).read_text(encoding="utf-8") == "{}"


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
@pytest.mark.parametrize("link", [CLAUDE, ".claude", "AGENTS.md"])
@pytest.mark.parametrize("target", ["outside", ".git/inside"])
@pytest.mark.parametrize("exists", [True, False])
def test_a_link_that_leads_out_is_never_followed(
    link: str, target: str, exists: bool, repository: Repository, run: Run, tmp_path: Path
) -> None:
    end = (tmp_path if target == "outside" else repository.root) / target
    if exists and link == ".claude":
        end.mkdir()
    elif exists:
        end.write_text("{}", encoding="utf-8")
    place = repository.root / link
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(end)
    result = run("init", "--agent", "claude", "--instructions", "--yes")
    assert result.code == 2
    assert f"refused  {CLAUDE if link != 'AGENTS.md' else link}: it is a link" in result.out
    assert end.exists() is exists
    if exists and end.is_file():
        assert end.read_text(encoding="utf-8") == "{}"


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_a_link_inside_the_repository_stays_a_link(repository: Repository, run: Run) -> None:
    repository.write("AGENTS.md", "Be brief.\n")
    (repository.root / "CLAUDE.md").symlink_to("AGENTS.md")
    run("init", "--agent", "claude", "--agent", "codex", "--instructions", "--yes")
    assert (repository.root / "CLAUDE.md").is_symlink()
    assert (repository.root / "AGENTS.md").read_text(encoding="utf-8") == f"Be brief.\n\n{BLOCK}"


def test_it_works_from_a_folder_below(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository.root / "src").mkdir()
    monkeypatch.chdir(repository.root / "src")
    assert run("init", "--agent", "claude", "--yes").code == 0
    assert (repository.root / CLAUDE).exists()
