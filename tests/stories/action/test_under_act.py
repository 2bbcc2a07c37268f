"""action.yml and its workflows under act, a real runner, on pull requests of the fake GitHub and with the real claude CLI."""

import compileall
import contextlib
import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from filelock import FileLock

from helix_hooks.decision.handover import Handover, RunTarget, text
from tests.conftest import ROOT, Repository, Run
from tests.fakes import api_judge, judges
from tests.fakes.github.server import FakeGitHub, Fault, Token
from tests.fakes.runner import ADR, BROKEN, WRITER, Job, hub, served
from tests.fakes.scripted_model import Model

BIN = Path(sys.executable).parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GATE = ROOT / ".github" / "workflows" / "gate.yml"
PRODUCT = (
    "action.yml",
    "action.sh",
    "requirements.txt",
    "requirements-judge.txt",
    "requirements-api.txt",
)
STEPS = """
      - uses: actions/checkout@v4 # of the pull request, as nobody should
      - id: helix
        uses: acme/helix-hooks@v1
        with: {anthropic-api-key: "${{ secrets.ANTHROPIC_API_KEY }}"}
"""
LINKED = (
    'if [ -d "$SHARED" ]; then site=$(cd "$SHARED" && echo lib/*/site-packages); venv=$RUNNER_TEMP/helix-venv; '
    'mkdir -p "$venv/$site" && ln -s "$SHARED"/{bin,pyvenv.cfg,locked} "$venv" && ln -s "$SHARED/$site"/* "$venv/$site"; fi'
)
"""Gives a job a virtual environment of its own with the packages of the shared one, since the Action writes its own place into it."""
WORKFLOW = """
name: helix
on: [pull_request_target, pull_request, merge_group, workflow_dispatch, issue_comment, pull_request_review, schedule]
permissions: {}
jobs:
  gate:
    name: gate
    runs-on: ubuntu-latest
    steps:
      - run: |
          LINKED
STEPS
      - if: always()
        run: printf %s "$STEPS" > "$STEPS_FILE"; if [ ! -d "$SHARED" ]; then rm -f "$RUNNER_TEMP"/helix-venv/lib/*/site-packages/helix-hooks.pth; cp -a "$RUNNER_TEMP/helix-venv" "$SHARED.$$" && mv -T "$SHARED.$$" "$SHARED" || true; fi
        env: {STEPS: "${{ toJSON(steps) }}"}
"""
STUBS = {
    "checkout": f'ln -s "$PRODUCT" "$GITHUB_WORKSPACE/$A_PATH"; {LINKED}',
    "upload-artifact": '[ "$A_NAME" != "$LOST" ] || exit 1; [ ! -e "$A_PATH" ] || { mkdir -p "$ARTIFACTS/$A_NAME" && cp "$A_PATH" "$ARTIFACTS/$A_NAME"; }',
    "download-artifact": 'mkdir -p "$A_PATH" && cp "$ARTIFACTS/$A_NAME"/* "$A_PATH"',
}


class Ran(NamedTuple):
    """How a run of act ended, what it printed, and what it says of its steps."""

    code: int
    out: str
    steps: dict[str, Any]

    @property
    def outputs(self) -> dict[str, str]:
        return dict(self.steps["helix"]["outputs"])


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What GitHub would fetch of this repository, with its bytecode.

    Each job has a copy of its own, whose steps would all compile it anew.
    """
    place = tmp_path_factory.mktemp("product")
    for name in ("helix_hooks", "approvals", "config"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in PRODUCT:
        shutil.copy(ROOT / name, place)
    (place / ".github" / "workflows").mkdir(parents=True)
    shutil.copy(GATE, place / ".github" / "workflows")
    # A copy has a time of its own, which the usual bytecode would not fit.
    compileall.compile_dir(
        place / "helix_hooks",
        quiet=1,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    return place


@pytest.fixture(scope="module")
def shared(for_all_workers: Path) -> Path:
    """Where the first run leaves its virtual environment for the others, also for those of other workers."""
    return for_all_workers / "venv-of-the-action"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    repository = served(tmp_path)
    monkeypatch.chdir(repository.root)
    repository.git("remote", "add", "origin", "https://github.com/acme/decisions.git")
    return repository


@pytest.fixture
def github(repository: Repository) -> Iterator[FakeGitHub]:
    with hub(repository) as fake:
        fake.open_pull(1)
        yield fake


@pytest.fixture
def model() -> Iterator[Model]:
    with Model(judges.script([[{"read": True}, {"answer": {}}]])) as model:
        yield model


def stub(name: str) -> str:
    """An action that does on this machine what GitHub's own does with its servers."""
    wanted = (
        "name",
        "path",
        "repository",
        "ref",
        "persist-credentials",
        "overwrite",
        "if-no-files-found",
    )
    step = {
        "shell": "bash",
        "run": STUBS[name],
        "env": {"A_NAME": "${{ inputs.name }}", "A_PATH": "${{ inputs.path }}"},
    }
    inputs = {name: {"description": name} for name in wanted}
    return yaml.safe_dump(
        {
            "name": name,
            "description": name,
            "inputs": inputs,
            "runs": {"using": "composite", "steps": [step]},
        }
    )


def installed(product: Path, place: Path) -> None:
    """Leave at a place what the Action installs."""
    inputs = {
        f"INPUT_{name}": ""
        for name in ("WORK", "AGENT", "MODEL", "TYPES", "FAIL_ON", "MAX_COST_USD", "CONFIG")
    }
    folder = Path(tempfile.mkdtemp(dir=place.parent))
    runner = {"INPUT_MODE": "all", "RUNNER_TEMP": str(folder), "GITHUB_ACTION_PATH": str(product)}
    subprocess.run(
        ["bash", product / "action.sh", "install"],
        env={**os.environ, **inputs, **runner},
        check=True,
        capture_output=True,
    )
    (written,) = (folder / "helix-venv").glob("lib/*/site-packages/helix-hooks.pth")
    written.unlink()
    (folder / "helix-venv").rename(place)


class Act:
    """act on this machine, where `acme/helix-hooks@v1` is this project."""

    def __init__(
        self,
        github: FakeGitHub,
        repository: Repository,
        model: Model,
        folder: Path,
        product: Path,
        shared: Path,
    ) -> None:
        self.github, self.repository = github, repository
        self.folder, self.product, self.shared = folder, product, shared
        self.server = f"file://{repository.root.parent.parent}"
        place = judges.programs(folder / "programs", None)
        plain = {
            name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")
        }
        with_claude = {**plain, "PATH": f"{place}{os.pathsep}{os.environ['PATH']}"}
        # act ends before it would need the memory that its garbage collection sets free.
        self.environment = {
            **judges.without_claude(with_claude),
            "HOME": str(folder),
            "GOGC": "off",
        }
        self.given = {
            "GITHUB_API_URL": github.url, "ANTHROPIC_BASE_URL": model.url, "HELIX_GITHUB_PAUSE": "0", "SHARED": str(shared),
            "STEPS_FILE": str(folder / "steps"), "PRODUCT": str(product), "ARTIFACTS": str(folder / "artifacts"), "ESCAPED": str(folder / "escaped"), "LOST": "",
        }  # fmt: skip
        self.count = 0

    def run(
        self, steps: str = STEPS, event: str = "pull_request_target", server: str = "", **head: Any
    ) -> Ran:
        """A job of these steps. The first one of all leaves its virtual environment for the others."""
        text = WORKFLOW.replace("LINKED", LINKED).replace("STEPS\n", steps.strip("\n") + "\n", 1)
        (self.folder / "workflow.yml").write_text(text, encoding="utf-8")
        return self.act(
            event,
            self.folder / "workflow.yml",
            {"acme/helix-hooks@v1": self.product},
            server,
            **head,
        )

    def act(
        self,
        event: str,
        workflow: Path,
        local: dict[str, Path],
        server: str = "",
        more: tuple[str, ...] = (),
        **head: Any,
    ) -> Ran:
        """Run a workflow. The first run of all leaves its virtual environment for the others."""
        with contextlib.ExitStack() as alone:
            if not self.shared.exists():
                alone.enter_context(FileLock(f"{self.shared}.lock"))
            if more and not self.shared.exists():
                installed(self.product, self.shared)
            if self.shared.exists():
                alone.close()
            return self._now(event, workflow, local, server or self.server, more, head)

    def _now(
        self,
        event: str,
        workflow: Path,
        local: dict[str, Path],
        server: str,
        more: tuple[str, ...],
        head: dict[str, Any],
    ) -> Ran:
        self.count += 1
        job = self.job(event)
        given = json.loads((job.folder / "event.json").read_text())
        given.get("pull_request", {}).get("head", {}).update(head)
        (job.folder / "event.json").write_text(json.dumps(given))
        (self.folder / "steps").unlink(missing_ok=True)
        command: list[str | Path] = [
            BIN / "act", event, "-W", workflow, "-e", job.folder / "event.json", "-P", "ubuntu-latest=-self-hosted", "-P", "ubuntu-24.04=-self-hosted",
            "-s", f"GITHUB_TOKEN={WRITER}", "-s", f"ANTHROPIC_API_KEY={judges.KEY}", "--no-cache-server", "--insecure-secrets", *more,
            f"--env=GITHUB_SERVER_URL={server}",
            *(f"--env={name}={value}" for name, value in self.given.items()),
            *(f"--local-repository={server}/{name}={place}" for name, place in local.items()),
        ]  # fmt: skip
        done = subprocess.run(
            command,
            cwd=self.repository.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        steps = (
            json.loads((self.folder / "steps").read_text())
            if (self.folder / "steps").exists()
            else {}
        )
        print(done.stdout, done.stderr)
        return Ran(done.returncode, done.stdout + done.stderr, steps)

    def job(self, event: str) -> Job:
        """What GitHub says of an event; of a comment, it is about the latest one of a person."""
        folder = self.folder / f"event-{self.count}"
        if event != "issue_comment":
            return Job(self.github, self.repository, folder, event=event)
        latest = max(
            item.id
            for item in self.github.comments.values()
            if item.author != "github-actions[bot]"
        )
        return Job.of_comment(self.github, self.repository, folder, latest)

    @property
    def conclusions(self) -> list[str | None]:
        return [run.conclusion for run in self.github.runs.values()]

    def escaped(self) -> bool:
        """Whether anything that a hostile change brings along was run."""
        return (self.folder / "escaped").exists()


@pytest.fixture
def act(
    github: FakeGitHub,
    repository: Repository,
    model: Model,
    tmp_path: Path,
    product: Path,
    shared: Path,
) -> Act:
    if not sys.platform.startswith("linux"):
        pytest.skip("act runs the steps on this machine, and they are those of a runner with Linux")
    assert " " not in str(tmp_path), "act splits the paths of its scripts at blanks; set TMPDIR"
    (tmp_path / "runner").mkdir()
    return Act(github, repository, model, tmp_path / "runner", product, shared)


def push(repository: Repository, path: str, text: str) -> None:
    repository.stage(path, text)
    repository.commit()


def test_a_broken_adr_then_a_fix(act: Act, repository: Repository, model: Model) -> None:
    hostile = f"open({str(act.folder / 'escaped')!r}, 'w')\nraise SystemExit('imported from the checkout')\n"
    for name in ("yaml.py", "json.py", "sitecustomize.py", "pip.py", "helix_hooks/__init__.py"):
        repository.stage(name, hostile)
    branch = "fix-$(touch${IFS}$ESCAPED)"
    good = (repository.root / ADR).read_text()
    push(repository, ADR, BROKEN)
    first = act.run(ref=branch, label=f"alice:{branch}")
    assert first.code == 1
    assert (first.outputs["decision"], first.outputs["errors"]) == ("rejected", "1")
    assert act.conclusions == ["failure"]
    assert len(act.github.reviews) == 1
    assert len(act.github.remarks) == 2
    assert not model.requests, "nothing is spent on what has to be fixed anyway"
    push(repository, ADR, good)
    second = act.run(ref=branch, label=f"alice:{branch}")
    assert second.code == 0 and second.outputs["decision"] == "approved"
    assert act.conclusions == ["failure", "success"] and model.keys == {judges.KEY}
    assert second.outputs["head"] == repository.git("rev-parse", "HEAD").stdout.strip()
    assert len(second.outputs["nonce"]) == 32
    assert re.fullmatch(r"0\.\d{4}", second.outputs["cost-usd"])
    assert second.outputs["result-file"].endswith("/helix/handover.json")
    assert second.outputs["sarif-file"].endswith("/helix/findings.sarif")
    assert not act.escaped()
    assert WRITER not in first.out + second.out and judges.KEY not in first.out + second.out


@pytest.mark.further
def test_an_output_can_not_forge_another(act: Act) -> None:
    """Whatever a value says, the runner that reads the file finds one output."""
    value = "EOF\ndecision=approved\nend\nghadelimiter_1\nforged<<EOF\nyes\nEOF\n::set-output name=forged::yes"
    put = "import os; from helix_hooks.pull.runner import put; put(os.environ, {'text': os.environ['VALUE']})"
    ran = act.run(f"""
      - uses: acme/helix-hooks@v1
        with: {{mode: snapshot}}
      - id: helix
        run: '"$RUNNER_TEMP/helix-venv/bin/python" -I -c "$PUT"'
        env:
          PUT: {json.dumps(put)}
          VALUE: {json.dumps(value)}
""")
    assert ran.code == 0 and ran.outputs == {"text": value}


@pytest.mark.sampled
@pytest.mark.parametrize(
    "given",
    [
        'mode: "all$(touch $ESCAPED)"',
        "mode: judges",
        r'agent: "x\n--mode=publish"',
        'fail-on: "$(touch $ESCAPED)"',
        'approval-types: "adr,$(touch $ESCAPED) *"',
    ],
)
def test_an_input_that_is_no_good_approves_nothing(given: str, act: Act) -> None:
    ran = act.run(f"""
      - id: helix
        uses: acme/helix-hooks@v1
        with: {{anthropic-api-key: key, {given}}}
""")
    assert ran.code == 1
    assert ran.steps["helix"]["outcome"] == "failure"
    assert ran.outputs["decision"] in ("", "failed", "broken")
    assert not act.escaped() and "success" not in act.conclusions


GATES = """gates:
  complete: {type: adr_complete, files: ["docs/adr/*.md"], semantic: false}
  reviewed: {type: approval, approval_type: adr, files: ["docs/adr/0007-kafka.md"]}
"""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("gate", "key", "decision"),
    [
        ("complete", "", "approved"),
        ("reviewed", "", "pending"),
        ("reviewed", judges.KEY, "approved"),
        ("complet", "", ""),
    ],
)
def test_a_gate_in_a_job_of_its_own(
    gate: str, key: str, decision: str, act: Act, repository: Repository
) -> None:
    repository.git("checkout", "--quiet", "main")
    push(repository, "config/approvals.yaml", GATES)
    repository.git("rebase", "--quiet", "main", "change")
    ran = act.run(f"""
      - id: helix
        uses: acme/helix-hooks@v1
        with: {{mode: gate, gate: {gate}, anthropic-api-key: "{key}"}}
""")
    assert (ran.code == 0, ran.outputs["decision"]) == (decision == "approved", decision)
    assert act.conclusions == [] and not act.github.comments


@pytest.mark.further
def test_a_judge_by_api_is_installed_and_asked(act: Act, repository: Repository) -> None:
    """The packages come from the lock; another test may not see them, so the environment is new."""
    repository.git("checkout", "--quiet", "main")
    push(repository, "config/approvals.yaml", api_judge.settings("openai:gpt-4.1"))
    repository.git("rebase", "--quiet", "main", "change")
    act.shared = act.folder / "environment"
    with Model(api_judge.approving()) as model:
        act.given |= {"OPENAI_BASE_URL": f"{model.url}/v1", "SHARED": str(act.shared)}
        ran = act.run("""
      - id: helix
        uses: acme/helix-hooks@v1
        with: {openai-api-key: sk-of-the-action-0123456789}
""")
    assert (ran.code, ran.outputs["decision"], act.conclusions) == (0, "approved", ["success"])
    assert model.keys == {"Bearer sk-of-the-action-0123456789"}


@pytest.mark.sampled
@pytest.mark.parametrize("fault", ["no commits", "no answer"])
def test_what_is_not_known_is_not_approved(fault: str, act: Act) -> None:
    """The snapshot fails before it has seen the pull request, or after."""
    if fault == "no answer":
        act.github.faults.append(
            Fault("GET", "/repos/acme/decisions/compare/.*", 404, {"message": "Not Found"})
        )
    ran = act.run(server="file:///nowhere" if fault == "no commits" else "")
    assert ran.code == 1 and ran.outputs["decision"] == "failed" and act.conclusions == ["failure"]


@pytest.mark.further
def test_a_judge_that_can_not_be_installed_is_told(act: Act, product: Path, model: Model) -> None:
    """publish runs behind a step that failed, and nothing is approved."""
    act.product = act.folder / "other"
    shutil.copytree(product, act.product)
    (act.product / "requirements-judge.txt").write_text(f"idna==3.20 --hash=sha256:{'0' * 64}\n")
    (act.folder / "programs" / "claude").unlink()
    ran = act.run()
    assert ran.code == 1
    assert ran.outputs["decision"] == "failed"
    assert act.conclusions == ["failure"]
    assert not model.requests
    assert "what requirements-judge.txt names could not be installed" in ran.out
    assert "the judge did not run" in ran.out


@pytest.mark.further
def test_modes_on_their_own(act: Act, repository: Repository) -> None:
    """Steps of one's own: each fails with its own code, and a hand-over of another run is none."""
    push(repository, ADR, BROKEN)
    ran = act.run("""
      - {id: snapshot, uses: acme/helix-hooks@v1, with: {mode: snapshot, work: "${{ runner.temp }}/of my own"}}
      - {id: check, continue-on-error: true, uses: acme/helix-hooks@v1, with: {mode: check, work: "${{ runner.temp }}/of my own"}}
      - id: publish
        continue-on-error: true
        uses: acme/helix-hooks@v1
        with: {mode: publish, work: "${{ runner.temp }}/of my own", nonce: "${{ steps.snapshot.outputs.nonce }}"}
      - id: helix
        if: always()
        uses: acme/helix-hooks@v1
        with: {mode: publish, work: "${{ runner.temp }}/of my own", nonce: 0123456789abcdef0123456789abcdef}
""")
    assert {name: ran.steps[name]["outcome"] for name in ("snapshot", "check", "publish")} == {
        "snapshot": "success", "check": "failure", "publish": "failure",
    }  # fmt: skip
    assert ran.steps["publish"]["outputs"]["decision"] == "rejected"
    assert ran.code == 1
    assert ran.outputs["decision"] == "failed"
    assert "the hand-over belongs to another run" in ran.out


@pytest.fixture
def gate(act: Act, repository: Repository, run: Run) -> Callable[..., Ran]:
    """The workflow that `init --github` writes, with the reusable one that it calls; artifacts and checkouts are played."""
    commit = "0" * 40
    assert run("init", "--github", "--rev", commit).code == 0
    (act.folder / "helix.yml").write_text(
        (repository.root / ".github/workflows/helix.yml").read_text()
    )
    repository.git("clean", "--force", "-d", "--quiet")
    used = {f"helix-hooks/helix-hooks@{commit}": act.product}
    for name, pin in re.findall(r"uses: actions/([\w-]+)@(\w+)", GATE.read_text()):
        place = act.folder / name
        place.mkdir(exist_ok=True)
        (place / "action.yml").write_text(stub(name))
        used[f"actions/{name}@{pin}"] = place

    def call(event: str = "pull_request_target") -> Ran:
        shutil.rmtree(act.folder / "artifacts", ignore_errors=True)
        return act.act(event, act.folder / "helix.yml", used, more=("--no-skip-checkout",))

    return call


def permissions(job: str) -> dict[str, str]:
    found: dict[str, str] = yaml.safe_load(GATE.read_text())["jobs"][job]["permissions"]
    return found


@pytest.mark.further
def test_the_gate_in_three_jobs(
    act: Act, gate: Callable[..., Ran], repository: Repository, model: Model
) -> None:
    """With the rights that the workflow asks for, and no more."""
    act.github.tokens[WRITER] = Token("github-actions[bot]", permissions("publish"))
    good = (repository.root / ADR).read_text()
    assert gate().code == 0 and act.conclusions == ["success"] and model.keys == {judges.KEY}
    asked = len(model.requests)
    push(repository, ADR, BROKEN)
    broken = gate()
    assert broken.code == 1 and act.conclusions == ["success", "failure"]
    assert (act.folder / "artifacts/helix-findings/findings.sarif").read_text().count(
        '"ruleId"'
    ) == 2
    assert "[gate/gate/judge]" not in broken.out
    assert "Author to fix: 1 error" in broken.out
    assert len(model.requests) == asked
    push(repository, ADR, good)
    act.given["LOST"] = "helix-judge"
    lost = gate()
    assert lost.code == 1
    assert act.conclusions == ["success", "failure", "failure"]
    assert "the judge did not run" in lost.out


def test_the_gate_of_a_fork_reads_alone(
    act: Act, gate: Callable[..., Ran], repository: Repository, model: Model
) -> None:
    act.github.tokens[WRITER] = Token("github-actions[bot]", permissions("check"))
    push(repository, ADR, BROKEN)
    ran = gate("pull_request")
    assert ran.code == 1 and f"file={ADR},line=1" in ran.out
    assert "[gate/gate/judge]" not in ran.out and "[gate/gate/publish]" not in ran.out
    assert not model.requests and {seen.verb for seen in act.github.requests} == {"GET"}


@pytest.mark.further
def test_people_decide_in_four_jobs(
    act: Act, gate: Callable[..., Ran], repository: Repository, model: Model
) -> None:
    """Findings, a fix, a question; the author is refused, a maintainer counts, and a push takes it back. With the rights of each job."""
    github = act.github
    github.tokens[WRITER] = Token("github-actions[bot]", permissions("people"))
    github.people["alice"] = "admin"
    repository.git("checkout", "--quiet", "main")
    push(repository, "config/approvals.yaml", "policy: {autonomy: milestone}\n")
    repository.git("checkout", "--quiet", "change")
    repository.git("rebase", "--quiet", "main")
    good = (repository.root / ADR).read_text()
    push(repository, ADR, BROKEN)
    assert gate().code == 1 and act.conclusions == ["failure"]
    push(repository, ADR, good)
    assert gate().code == 1 and act.conclusions[-1] == "action_required"
    head, asked = github.head(1)[:7], len(model.requests)
    github.comment(1, "alice", f"/helix approve {head}")
    refused = gate("issue_comment")
    assert refused.code == 0
    assert act.conclusions[-1] == "action_required"
    assert "[gate/gate/check]" not in refused.out
    assert "authors cannot approve their own pull request" in [*github.comments.values()][-1].body
    github.comment(1, "max", f"/helix approve {head}")
    assert gate("issue_comment").code == 0
    assert act.conclusions[-1] == "success"
    assert len(model.requests) == asked
    github.comment(1, "max", "thank you")
    assert "[gate/gate/people]" not in gate("issue_comment").out
    push(repository, ADR, good + "\nOne more sentence.\n")
    assert gate().code == 1 and act.conclusions[-1] == "action_required"
    assert (
        f"The approval of max: it was for {head}" in [*github.runs.values()][-1].output["summary"]
    )
    github.comment(1, "max", "/helix review adr")
    asked = len(model.requests)
    assert gate("issue_comment").code == 1
    assert len(model.requests) > asked
    assert act.conclusions[-1] == "action_required"


@pytest.mark.further
def test_time_decides_in_four_jobs(
    act: Act, gate: Callable[..., Ran], repository: Repository
) -> None:
    """A deadline passes, somebody is called once, and then it is blocked."""
    github = act.github
    github.tokens[WRITER] = Token("github-actions[bot]", permissions("people"))
    repository.git("checkout", "--quiet", "main")
    expiry = "{action: escalate, escalate_to: [anna]}"
    push(
        repository,
        "config/approvals.yaml",
        f"policy: {{autonomy: milestone, deadlines: {{critical: 24h}}, on_expiry: {expiry}}}\n",
    )
    repository.git("checkout", "--quiet", "change")
    repository.git("rebase", "--quiet", "main")
    assert gate().code == 1
    github.now += timedelta(hours=25)
    assert gate("schedule").code == 0
    assert github.assigned[1] == ["anna"]
    assert act.conclusions == ["action_required"]
    github.now += timedelta(hours=24)
    assert gate("schedule").code == 0 and act.conclusions == ["failure"]
    assert (
        sum(
            "Its deadline has passed" in item.body
            for item in github.comments.values()
            if "helix:escalated" in item.body
        )
        == 1
    )


@pytest.mark.further
def test_one_job_hears_people_too(act: Act) -> None:
    head = act.github.head(1)[:7]
    act.github.comment(1, "max", "/helix review")
    assert act.run(event="issue_comment").code == 0 and act.conclusions == ["success"]
    act.github.comment(1, "anna", "/helix reject not yet")
    assert act.run(event="issue_comment").code == 0 and act.conclusions == ["failure"]
    act.github.comment(1, "anna", f"/helix approve {head}")
    assert act.run(event="issue_comment").code == 0 and act.conclusions == ["success"]
    assert act.run(event="schedule").code == 0


def test_the_linters_have_nothing_to_say(repository: Repository, run: Run) -> None:
    commit = "0" * 40
    assert run("init", "--github", "--rev", commit).code == 0
    ours, theirs = ROOT / ".github" / "workflows", repository.root / ".github" / "workflows"
    linted = subprocess.run(
        [BIN / "zizmor", "--offline", "--persona", "pedantic", ROOT / "action.yml", ours, theirs],
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout
    for folder in (ours, theirs):
        valid = subprocess.run(
            [BIN / "act", "--validate", "--strict", "-W", folder],
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert valid.returncode == 0, valid.stderr


MODEL_KEYS = {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"}


def test_each_step_has_its_secret_alone_and_no_script_is_pieced_together() -> None:
    """Attack by a hostile pull request: read the key that signs decisions from the judge's step.
    Answer: only publish, command and sweep are given it.
    """
    secrets = {
        step["name"]: {
            name for name in step["env"] if name.endswith(("TOKEN", "KEY")) and step["env"][name]
        }
        for step in ACTION["runs"]["steps"]
    }
    assert secrets == {
        "Install": set(), "Snapshot": {"GITHUB_TOKEN"}, "Check": set(), "Install the judge": set(), "Judge": {*MODEL_KEYS, "HELIX_SIGNING_KEY"},
        "Gate": MODEL_KEYS, "Publish": {"GITHUB_TOKEN", "HELIX_RECORD_KEY"}, "Command": {"GITHUB_TOKEN", "HELIX_RECORD_KEY"}, "Sweep": {"GITHUB_TOKEN", "HELIX_RECORD_KEY"},
    }  # fmt: skip
    assert all(
        {*MODEL_KEYS, "HELIX_RECORD_KEY"} <= {*step["env"]} for step in ACTION["runs"]["steps"]
    ), "empty where it is not needed, though a job has it"
    assert all(
        re.fullmatch(r'source "\$GITHUB_ACTION_PATH/action\.sh" [a-z-]+', step["run"])
        for step in ACTION["runs"]["steps"]
    )
    assert "run:" not in GATE.read_text()


class Shell:
    """action.sh by itself, with programs of our own on the PATH."""

    def __init__(self, folder: Path) -> None:
        self.temp, self.bin, self.action = (folder / name for name in ("temp", "bin", "action"))
        for place in (self.temp, self.bin, self.action):
            place.mkdir()
        for name in ("bash", "cat", "cksum", "git", "mkdir", "rm", "sed"):
            (self.bin / name).symlink_to(shutil.which(name) or "")
        shutil.copy(ROOT / "action.sh", self.action)
        self.lock("requirements.txt", "")

    def lock(self, name: str, text: str) -> None:
        (self.action / name).write_text(text)

    def has_the_program(self) -> None:
        """Install this project, as the step `install` does."""
        python = self.temp / "helix-venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)

    def run(self, step: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        inputs = dict.fromkeys(
            (
                f"INPUT_{name}"
                for name in ("WORK", "AGENT", "MODEL", "TYPES", "FAIL_ON", "MAX_COST_USD", "CONFIG")
            ),
            "",
        )
        runner = {
            "RUNNER_TEMP": str(self.temp),
            "RUNNER_TOOL_CACHE": str(self.temp / "none"),
            "GITHUB_ACTION_PATH": str(self.action),
        }
        given = {
            "PATH": str(self.bin),
            "HOME": str(self.temp),
            "INPUT_MODE": "all",
            **inputs,
            **runner,
            **environment,
        }
        return subprocess.run(
            [self.bin / "bash", self.action / "action.sh", step],
            env=given,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    if sys.platform == "win32":
        pytest.skip("the programs of these tests are scripts of a shell")
    return Shell(tmp_path)


def test_without_python_there_is_one_clear_line(shell: Shell) -> None:
    (shell.bin / "python3").write_text("#!/bin/sh\nexit 1\n")  # one that is too old
    (shell.bin / "python3").chmod(0o755)
    ran = shell.run("install")
    assert ran.returncode == 3 and not ran.stderr
    assert (
        ran.stdout
        == "::error title=helix-hooks::there is no Python 3.11 or newer, with pip and venv, on this runner; put actions/setup-python before this step\n"
    )


@pytest.mark.parametrize(("value", "is_kept"), [("true", True), ("false", False), ("", False)])
def test_the_pinned_issue_is_an_option_of_the_program(
    value: str, is_kept: bool, shell: Shell
) -> None:
    shell.run("install", INPUT_PINNED_ISSUE=value)  # which ends without a Python
    options = (shell.temp / "helix-options").read_text().splitlines()
    assert ("--pinned-issue" in options) is is_kept
    ran = shell.run("install", INPUT_PINNED_ISSUE="on request")
    assert ran.returncode == 2 and "the input pinned-issue is true or false" in ran.stdout


@pytest.mark.further
def test_another_file_than_the_locked_one_is_not_installed(shell: Shell) -> None:
    shell.lock("requirements.txt", f"idna==3.20 --hash=sha256:{'0' * 64}\n")
    ran = shell.run("install", PATH=f"{shell.bin}{os.pathsep}{os.environ['PATH']}")
    assert ran.returncode == 3 and "DO NOT MATCH THE HASHES" in ran.stderr
    assert (
        "::error title=helix-hooks::what requirements.txt names could not be installed"
        in ran.stdout
    )
    assert not list(shell.temp.rglob("idna"))
    assert not (shell.temp / "helix-venv" / "locked").exists()


@pytest.mark.parametrize(
    "why",
    [
        "",
        "draft",
        "from_fork",
        "merges",
        "no ADR",
        "claim",
        "claude",
        "agent",
        "command",
        "nothing",
        "key of another model",
    ],
)
def test_the_judge_is_installed_only_where_one_is_asked(why: str, shell: Shell) -> None:
    """It is large, and not loaded for nothing; `why` says why not."""
    pip = shell.temp / "pip"
    (shell.bin / "python3").write_text(
        f'#!/bin/sh\nif [ "$3" = pip ]; then echo "$@" > "{pip}"; fi\n'
    )
    (shell.bin / "python3").chmod(0o755)
    if why == "claude":
        shutil.copy(shell.bin / "python3", shell.bin / "claude")
    shell.has_the_program()
    (shell.temp / "helix-options").touch()
    if why != "nothing":
        (shell.temp / "helix").mkdir()
        subject = RunTarget("acme/decisions", 1, "a" * 40, "b" * 40, "b" * 40, "c" * 32)
        changed: dict[str, Any] = {why: True} if why in RunTarget._fields else {}
        (shell.temp / "helix" / "handover.json").write_text(
            text(
                Handover(
                    subject._replace(**changed),
                    applies=why != "no ADR",
                    no_judge="" if why == "claim" else None,
                )
            )
        )
    environment = {
        "agent": {"INPUT_AGENT": "mine"},
        "command": {"HELIX_AGENT_COMMAND": "mine"},
        "key of another model": {"INPUT_CLAUDE": "false"},
    }
    assert shell.run("install-judge", **environment.get(why, {})).returncode == 0
    assert pip.exists() == (not why)
    if not why:
        assert {"--require-hashes", "--no-deps", "--only-binary", "--target"} < set(
            pip.read_text().split()
        )


API = "agents: {gpt: {model: 'openai:gpt-4.1'}, sonnet: {model: 'anthropic:claude-sonnet-4-5'}}\n"


@pytest.mark.parametrize(
    ("settings", "inputs", "locks"),
    [
        ("", {}, ["judge"]),
        (API, {}, ["judge"]),
        (API + "defaults: {agent: gpt}\n", {}, ["api"]),
        (API + "defaults: {agent: sonnet}\n", {"INPUT_CLAUDE": "true"}, ["api"]),
        (API + "approvals: {adr: {agents: [claude, gpt]}}\n", {}, ["api", "judge"]),
        (API + "defaults: {agent: gpt}\n", {"INPUT_AGENT": "claude"}, ["judge"]),
        (API, {"INPUT_AGENT": "gpt"}, ["api"]),
        (API, {"INPUT_MODE": "gate"}, ["api", "judge"]),
        (API, {"INPUT_AGENT": "unknown"}, []),
        ("agents: [broken", {}, ["judge"]),
    ],
    ids=(
        "none named, claude unused beside two, by API, by API with Anthropic's key, both, "
        "input claude, input api, gate, input unknown, broken"
    ).split(", "),
)
def test_the_judges_of_the_base_are_installed(
    settings: str, inputs: dict[str, str], locks: list[str], shell: Shell
) -> None:
    pip = shell.temp / "pip"
    pip.touch()
    script = f'#!/bin/sh\nif [ "$3" = pip ]; then echo "$@" >> "{pip}"; fi\n'
    (shell.bin / "python3").write_text(script)
    (shell.bin / "python3").chmod(0o755)
    shell.has_the_program()
    (shell.temp / "helix-options").touch()
    (shell.temp / "base").mkdir()
    base = Repository(shell.temp / "base")
    base.stage("config/approvals.yaml", settings)
    base.commit()
    work = shell.temp / "helix"
    work.mkdir()
    (base.root / ".git").rename(work / "objects.git")
    commit = (work / "objects.git/refs/heads/main").read_text().strip()
    run = Handover(RunTarget("acme/decisions", 1, "a" * 40, commit, commit, "c" * 32), applies=True)
    (work / "handover.json").write_text(text(run))
    assert shell.run("install-judge", **inputs).returncode == 0
    assert re.findall(r"requirements-(\w+)\.txt", pip.read_text()) == locks
    assert all(
        "--require-hashes --no-deps --only-binary" in call for call in pip.read_text().splitlines()
    )


def named(extras: dict[str, list[str]], extra: str) -> Iterator[str]:
    """Yield what an extra names, by way of other extras of the project too."""
    for name in extras[extra]:
        other = re.fullmatch(r"helix-hooks\[(.+)\]", name)
        yield from (
            (item for part in other[1].split(",") for item in named(extras, part))
            if other
            else (name,)
        )


def test_the_locks_are_those_of_the_project() -> None:
    """`make lock` writes them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    pins = dict(
        re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    )
    wanted = [
        re.split(r"[<>=]", name, maxsplit=1)[0].lower()
        for name in (*project["dependencies"], *named(extras, "github"))
    ]
    assert set(wanted) <= set(pins)
    api = re.findall(
        r"^([\w.-]+)==(\S+)", (ROOT / "requirements-api.txt").read_text(), re.MULTILINE
    )
    assert {"genai-prices", "httpx2"} < {name for name, _ in api}
    both = [(name, version) for name, version in api if name in pins]
    assert both and all(pins[name] == version for name, version in both), "one environment"
    judge = (ROOT / "requirements-judge.txt").read_text()
    assert re.findall(r"^\S+==\S+", judge, re.MULTILINE) == extras["demo-judge"]
    assert judge.count("--hash=sha256:") >= 5, "for each platform"
