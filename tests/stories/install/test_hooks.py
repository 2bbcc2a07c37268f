"""The main job, for real: `git commit` through pre-commit and through prek, with the hooks of this very source tree."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from filelock import FileLock

from tests.conftest import ROOT, Repository

STORY = ROOT / "tests" / "cases" / "install"
BLOCKED = (STORY / "014-documentation.md").read_text(encoding="utf-8")
REPAIRED = (STORY / "014-repaired.md").read_text(encoding="utf-8")
CONCEPT = (STORY / "014-documentation.concept.md").read_text(encoding="utf-8")
ADR = "docs/adr/014-documentation.md"

SOURCE = (".", ":(exclude)tests", ":(exclude)evaluation")
CONFIG = """repos:
  - repo: {url}
    rev: {rev}
    hooks:
      - id: helix-adr
      - id: helix-adr-repo
      - id: helix-config
"""

pytestmark = pytest.mark.sampled


@pytest.fixture(scope="module")
def hooks(for_all_workers: Path) -> tuple[str, str]:
    """This source tree without its tests, uncommitted work included, as a repository: its place and its commit."""
    place = for_all_workers / "hooks"
    with FileLock(f"{place}.lock"):
        if not place.exists():
            unfinished = Path(tempfile.mkdtemp(dir=for_all_workers))
            _commit_the_source(unfinished)
            unfinished.rename(place)
    return str(place), Repository(place).git("rev-parse", "HEAD").stdout.strip()


def _commit_the_source(place: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *SOURCE],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    source = Repository(place)
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
    source.git("add", "--all")
    source.commit("hooks")


@pytest.fixture(params=["pre-commit", "prek"])
def gated(
    request: pytest.FixtureRequest,
    repository: Repository,
    hooks: tuple[str, str],
    for_all_workers: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Repository:
    """A repository with the hooks installed by a real runner.

    The tests share the environments of the runners, which lock them while they make them.
    """
    monkeypatch.setenv("PRE_COMMIT_HOME", str(for_all_workers / "pre-commit"))
    monkeypatch.setenv("PREK_HOME", str(for_all_workers / "prek"))
    monkeypatch.setenv("VIRTUALENV_NO_PERIODIC_UPDATE", "1")  # it would load newer packages
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    url, rev = hooks
    repository.stage(".pre-commit-config.yaml", CONFIG.format(url=url, rev=rev))
    repository.commit()
    runner = shutil.which(request.param)
    assert runner, f"{request.param} is a development dependency"
    subprocess.run([runner, "install"], check=True, capture_output=True)
    return repository


def commit(repository: Repository) -> tuple[int, str]:
    done = repository.git("commit", "--message", "ADR-014", check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_commit_that_lost_its_migration_is_blocked_and_the_repaired_one_goes_through(
    gated: Repository,
) -> None:
    gated.stage("docs/adr/014-documentation.concept.md", CONCEPT)
    gated.stage(ADR, BLOCKED)
    gated.write(ADR, REPAIRED)
    code, output = commit(gated)
    assert code == 1, output
    assert (
        f"{ADR}:7:1: error: change_scope=major needs a migration plan: the section 'Migration' is missing [major-needs-migration]"
        in output
    )
    assert "add `## Migration` with at least 100 characters" in output
    assert (
        "the concept's section 'Migration plan' (docs/adr/014-documentation.concept.md:11) is missing from the ADR [concept-section-missing]"
        in output
    )
    assert (gated.root / ADR).read_text(encoding="utf-8") == REPAIRED, (
        "the unstaged edit is untouched"
    )

    gated.git("add", ADR)
    gated.write(ADR, BLOCKED)
    code, output = commit(gated)
    assert code == 0, output
    assert "## Migration" in gated.git("show", f"HEAD:{ADR}").stdout


def test_old_findings_stop_no_commit_and_still_fail_on_all_files(gated: Repository) -> None:
    gated.stage(ADR, BLOCKED)
    gated.commit("before the gate")
    before = gated.git("rev-parse", "HEAD").stdout.strip()
    mended = BLOCKED.replace("contradict each other", "contradict one another")
    assert mended != BLOCKED
    gated.stage(ADR, mended)
    code, output = commit(gated)
    assert code == 0, output
    hook = (gated.root / ".git" / "hooks" / "pre-commit").read_text(encoding="utf-8")
    runner = "prek" if "prek" in hook else "pre-commit"
    whole = subprocess.run(
        [runner, "run", "--all-files"], capture_output=True, text=True, check=False
    )
    assert whole.returncode == 1 and "[major-needs-migration]" in whole.stdout
    since = [runner, "run", "helix-adr", "--from-ref", before, "--to-ref", "HEAD"]
    measured = subprocess.run(since, capture_output=True, text=True, check=False)
    assert measured.returncode == 0, measured.stdout


def test_the_escape_hatch(gated: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    gated.stage(ADR, BLOCKED)
    monkeypatch.setenv("SKIP", "helix-adr,helix-adr-repo")
    assert commit(gated)[0] == 0


def test_files_that_are_no_adrs_do_not_wake_it(gated: Repository) -> None:
    gated.stage("README.md", "# Nothing\n")
    gated.stage("src/main.py", "pass\n")
    assert commit(gated)[0] == 0


def test_deleting_and_renaming_is_no_obstacle(gated: Repository) -> None:
    gated.stage(ADR, REPAIRED)
    assert commit(gated)[0] == 0
    gated.git("mv", ADR, "docs/adr/014-renamed.md")
    assert commit(gated)[0] == 0
    gated.git("rm", "--quiet", "docs/adr/014-renamed.md")
    assert commit(gated)[0] == 0


def test_a_deleted_adr_that_others_rest_on_is_missed_by_the_whole_set(gated: Repository) -> None:
    gated.stage("docs/adr/015-search.md", REPAIRED.replace("014", "015"))
    gated.stage(ADR, REPAIRED.replace("status: Proposed", "status: Proposed\nrelated_to: [15]"))
    assert commit(gated)[0] == 0
    gated.git("rm", "--quiet", "docs/adr/015-search.md")
    code, output = commit(gated)
    assert code == 1
    assert "this ADR is related to ADR-015, which does not exist [dangling-reference]" in output
    assert "helix-adr-repo" in output


def test_a_symbolic_link_in_the_place_of_an_adr(gated: Repository) -> None:
    gated.write("real/014.md", BLOCKED)
    (gated.root / "docs" / "adr").mkdir(parents=True)
    (gated.root / ADR).symlink_to("../../real/014.md")
    gated.git("add", "--all")
    code, output = commit(gated)
    assert code == 1 and f"{ADR} is a symbolic link; commit the file itself" in output


@pytest.mark.parametrize("target", ["../settings.yaml", "broken.yaml"])
@pytest.mark.sampled
def test_settings_behind_a_link_are_blocked_too(target: str, gated: Repository) -> None:
    """Attack by a hostile ADR: settings behind a link, which hooks on files do not see.
    Answer: the hook for settings looks at links too.
    """
    gated.write("broken.yaml", "pathes: []\n")
    (gated.root / ".helix-hooks.yaml").symlink_to(target)
    gated.git("add", "--all")
    code, output = commit(gated)
    assert code == 1 and "helix-config" in output and "helix-hooks: .helix-hooks.yaml:1: " in output


def test_a_broken_rules_file_is_blocked_by_name_line_and_key(gated: Repository) -> None:
    gated.stage("config/adr-completeness-rules.yaml", "contextual_rule: []\n")
    code, output = commit(gated)
    assert code == 1
    assert (
        "config/adr-completeness-rules.yaml:1: contextual_rule: unknown key; did you mean 'contextual_rules'?"
        in output
    )


GATES = """gates:
  parsed: {type: syntax, files: ["src/*.py"]}
  reviewed: {type: approval, approval_type: adr, files: ["docs/adr/*.md"]}
"""


def add_gate(gated: Repository, args: str) -> None:
    hook = f"      - id: helix-gate\n        args: [{args}]\n"
    place = gated.root / ".pre-commit-config.yaml"
    gated.stage(".pre-commit-config.yaml", place.read_text(encoding="utf-8") + hook)
    gated.stage("config/approvals.yaml", GATES)


def test_a_gate_reads_the_index_at_each_commit(gated: Repository) -> None:
    add_gate(gated, "parsed")
    gated.stage("src/queue.py", "def put(:\n")
    gated.write("src/queue.py", "def put(): ...\n")
    code, output = commit(gated)
    assert code == 1, output
    assert "src/queue.py:1: error: invalid syntax [syntax]" in output
    gated.git("add", "src/queue.py")
    gated.write("src/queue.py", "def put(:\n")
    code, output = commit(gated)
    assert code == 0, output


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("reviewed", "a hook does not run the gate 'reviewed'"),
        ("", "--staged requires the NAME of a gate (in .pre-commit-config.yaml: args: [NAME])"),
        ("parse", "did you mean 'parsed'?"),
    ],
)
def test_a_hook_with_a_gate_that_can_t_run_blocks(
    gated: Repository, args: str, message: str
) -> None:
    add_gate(gated, args)
    gated.stage("src/queue.py", "")
    code, output = commit(gated)
    assert code == 1 and message in output, output


def test_a_stale_index_stops_the_commit_until_it_is_added(gated: Repository) -> None:
    place = gated.root / ".pre-commit-config.yaml"
    hooks = place.read_text(encoding="utf-8") + "      - id: helix-index\n"
    gated.stage(".pre-commit-config.yaml", hooks)
    readme = "docs/adr/README.md"
    gated.stage(readme, "# Decisions\n\n<!-- helix-index -->\n<!-- /helix-index -->\n")
    gated.commit("a README before the first ADR")
    gated.stage(ADR, REPAIRED)
    gated.write("docs/adr/015-untracked.md", REPAIRED.replace("014", "015"))
    code, output = commit(gated)
    assert code == 1, output
    assert f"{readme}: the index was stale and has been written; run `git add {readme}`" in output
    gated.git("add", readme)
    code, output = commit(gated)
    assert code == 0, output
    committed = gated.git("show", f"HEAD:{readme}").stdout
    assert "014-documentation.md" in committed and "015-untracked.md" not in committed


LIMIT = 250 * 2**20
"""The size of an environment that pre-commit.ci accepts, in bytes."""


@pytest.mark.skipif(sys.platform != "linux", reason="the network is cut off with unshare")
def test_the_environment_is_small_and_needs_no_network(
    gated: Repository, for_all_workers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pre-commit.ci cuts the network off when hooks run."""
    gated.stage(ADR, REPAIRED)
    assert gated.git("commit", "--message", "make the environments", check=False).returncode in (
        0,
        1,
    )
    for runner in ("pre-commit", "prek"):
        for place in (for_all_workers / runner).glob("**/helix_hooks/__init__.py"):
            site = place.parents[1]
            size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
            assert size < LIMIT
    gated.stage(ADR, BLOCKED)
    offline = ["unshare", "--map-root-user", "--net", "git", "commit", "--message", "offline"]
    done = subprocess.run(offline, cwd=gated.root, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "[major-needs-migration]" in done.stdout + done.stderr


@pytest.mark.further
def test_try_repo_runs_the_hooks_of_a_clone(
    repository: Repository,
    hooks: tuple[str, str],
    for_all_workers: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command by which people try hooks before they add them."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(for_all_workers / "pre-commit"))
    repository.stage(ADR, BLOCKED)
    runner = Path(sys.executable).parent / "pre-commit"
    command = [str(runner), "try-repo", hooks[0], "helix-adr", "--verbose"]
    done = subprocess.run(command, cwd=repository.root, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "[major-needs-migration]" in done.stdout
