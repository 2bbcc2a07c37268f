"""A new ADR passes its own gate in every language once it is filled in, and a repository is set up without changing what it has."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from helix_hooks.authoring.new import LANGUAGES, TEMPLATES, NewAdr, create, planned
from helix_hooks.errors import UsageError
from helix_hooks.paths import WORKFLOW
from tests.conftest import ROOT, Repository, Run
from tests.stories.commands.blanks import filled

COMMIT = "0123456789" * 4
HOSTILE = 'A "quoted" \\ title: with {braces}, # signs and breaking changes --- <!-- x -->'


def blank_sections(text: str) -> set[str]:
    """Return the titles of the second-level sections in which a blank stands, "" for the header."""
    header, *parts = text.split("\n## ")
    sections = {part.partition("\n")[0] for part in parts if "{" in part}
    return sections | {""} if '"{one of: ' in header else sections


@pytest.mark.sampled
@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", ["Use Kafka", HOSTILE], ids=["plain", "hostile"])
def test_a_new_adr_passes_its_own_gate_once_its_blanks_are_filled_in(
    template: str, language: str, title: str, repository: Repository, run: Run
) -> None:
    created = run("new", title, "--template", template, "--language", language)
    assert created.code == 0
    path = created.out.strip()
    text = Path(path).read_text(encoding="utf-8")
    assert title in text.replace('\\"', '"').replace("\\\\", "\\")
    assert not {"{number}", "{title}", "{date}"} & set(text.split())
    for extra in ([], ["--template", template]):
        Path(path).write_text(text, encoding="utf-8")
        report = run("check", path, "--format", "json", *extra)
        findings = json.loads(report.out)["files"][0]["findings"]
        assert report.code == 1
        assert {named_section(text, finding["line"]) for finding in findings} == blank_sections(
            text
        )
        Path(path).write_text(filled(text), encoding="utf-8")
        assert (
            run("check", path, "--fail-on", "warning", *extra).out == "1 ADR checked: no findings\n"
        )


def named_section(text: str, line: int) -> str:
    above = [row for row in text.split("\n")[:line] if row.startswith("## ")]
    return above[-1].removeprefix("## ") if above else ""


def test_a_deleted_neighbour_is_none(repository: Repository, run: Run) -> None:
    first, second = run("new", "First").out.strip(), run("new", "Template engine").out.strip()
    repository.git("add", "--all")
    (repository.root / second).unlink()
    assert run("new", "Third").out.strip() == first.replace("001-first", "002-third")


def test_nothing_is_overwritten(repository: Repository) -> None:
    """Another program may write the file after its path was chosen."""
    draft = planned(str(repository.root), NewAdr("Use Kafka"))
    repository.write(draft.path, "mine\n")
    with pytest.raises(UsageError, match="exists; nothing was written"):
        create(str(repository.root), draft)
    assert Path(draft.path).read_text() == "mine\n"


def test_init_in_an_empty_repository(repository: Repository, run: Run) -> None:
    first = run("init", "--rev", "v9")
    assert first.code == 0
    assert "created  .pre-commit-config.yaml" in first.out
    assert "created  docs/adr/001-record-architecture-decisions.md" in first.out
    blank = "docs/adr/001-record-architecture-decisions.md"
    assert f"  fill in {blank}, or delete it\n" in first.out
    config = Path(".pre-commit-config.yaml").read_text()
    assert (
        "rev: v9" in config and "- id: helix-adr\n" in config and "- id: helix-config\n" in config
    )
    assert run("check").code == 1
    adr = Path("docs/adr/001-record-architecture-decisions.md")
    adr.write_text(filled(adr.read_text(encoding="utf-8")), encoding="utf-8")
    assert run("check", "--fail-on", "warning").code == 0
    second = run("init")
    assert "created" not in second.out and Path(".pre-commit-config.yaml").read_text() == config


def test_init_keeps_a_config_that_exists_and_shows_the_lines(
    repository: Repository, run: Run
) -> None:
    repository.write(".pre-commit-config.yaml", "repos: []\n")
    result = run("init", "--rev", COMMIT)
    assert "add this entry to its list `repos:`" in result.out
    entry = yaml.safe_load(
        result.out.partition("does not answer for it\n\n")[2].partition("\n\n")[0]
    )
    assert entry[0]["rev"] == COMMIT and entry[0]["hooks"][0] == {"id": "helix-adr"}
    assert Path(".pre-commit-config.yaml").read_text() == "repos: []\n"


def test_init_writes_the_gate_on_pull_requests_once(repository: Repository, run: Run) -> None:
    first = run("init", "--github", "--rev", "v9")
    assert (
        f"created  {WORKFLOW}: the gate on pull requests; `rev: v9` could not be checked"
        in first.out
    )
    assert f"{WORKFLOW} && git commit" in first.out
    assert "gh secret set ANTHROPIC_API_KEY" in first.out
    assert "require the check `helix`" in first.out
    text = Path(WORKFLOW).read_text(encoding="utf-8")
    gate = yaml.safe_load(text)
    assert gate["permissions"] == {}
    assert gate["jobs"]["gate"]["uses"] == "helix-hooks/helix-hooks/.github/workflows/gate.yml@v9"
    secrets = {"anthropic-api-key": "${{ secrets.ANTHROPIC_API_KEY }}", "signing-key": "${{ secrets.HELIX_SIGNING_KEY }}",
               "record-key": "${{ secrets.HELIX_RECORD_KEY }}"}  # fmt: skip
    assert gate["jobs"]["gate"]["secrets"] == secrets
    Path(WORKFLOW).write_text("mine\n")
    second = run("init", "--github", "--rev", COMMIT)
    assert f"kept   {WORKFLOW}: it exists and does not use the gate" in second.out
    assert "created" not in second.out
    assert Path(WORKFLOW).read_text() == "mine\n"
    assert WORKFLOW not in run("init").out
    Path(WORKFLOW).write_text(text)
    assert (
        f"kept   {WORKFLOW}: it uses the gate already\n"
        in run("init", "--github", "--rev", COMMIT).out
    )


def test_init_writes_the_judge_and_passes_its_key(repository: Repository, run: Run) -> None:
    arguments = ("init", "--github", "--judge", "openai:gpt-5.2", "--rev", COMMIT)
    first = run(*arguments)
    assert "created  config/approvals.yaml: the judge is openai:gpt-5.2\n" in first.out
    assert "gh secret set OPENAI_API_KEY" in first.out and "ANTHROPIC" not in first.out
    key = "openai-api-key: ${{ secrets.OPENAI_API_KEY }}"
    secrets = yaml.safe_load(Path(WORKFLOW).read_text())["jobs"]["gate"]["secrets"]
    assert yaml.safe_load(key).items() < secrets.items() and "anthropic-api-key" not in secrets
    settings = Path("config/approvals.yaml").read_text()
    assert run("check-config").code == 0
    second = run(*arguments)
    assert f"it uses the gate already; it must have `{key}` among its secrets\n" in second.out
    todo = "config/approvals.yaml: it exists; add these lines to it\n\n"
    assert f"{todo}{settings}" in second.out
    assert Path("config/approvals.yaml").read_text() == settings


WRONG_JUDGES = {
    "gpt-5.2": "'gpt-5.2' is not a model",
    "github:openai/gpt-5": "GitHub Models was retired",
    "ollama:qwen3": "it runs on your machine, not on GitHub",
    'openai:a"}': "invalid YAML",
}


@pytest.mark.parametrize("model", WRONG_JUDGES)
def test_init_writes_nothing_for_a_judge_that_can_not_run(
    repository: Repository, run: Run, model: str
) -> None:
    result = run("init", "--github", "--judge", model, "--rev", COMMIT)
    assert result.code == 2 and WRONG_JUDGES[model] in result.err, result.err
    assert len(result.err.splitlines()) == 1 and not Path(WORKFLOW).exists()
    assert run("init", "--judge", model).err.endswith("--judge requires --github\n")


def test_init_in_a_subfolder_says_what_to_add_from_there(
    repository: Repository, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository.root / "src").mkdir()
    monkeypatch.chdir(repository.root / "src")
    line = next(
        line
        for line in run("init", "--github", "--rev", COMMIT).out.splitlines()
        if "git add" in line
    )
    subprocess.run(shlex.split(line.replace(" && git commit", "")), check=True)
    assert repository.git("diff", "--cached", "--name-only").stdout.count("\n") == 3


def test_the_gate_gives_each_job_no_more_than_the_caller_has(
    repository: Repository, run: Run
) -> None:
    """GitHub starts no workflow that asks for more than its caller has."""
    run("init", "--github", "--rev", COMMIT)
    given = yaml.safe_load(Path(WORKFLOW).read_text(encoding="utf-8"))["jobs"]["gate"][
        "permissions"
    ]
    called = yaml.safe_load(
        (ROOT / ".github" / "workflows" / "gate.yml").read_text(encoding="utf-8")
    )["jobs"]
    for job in called.values():
        assert all(given[name] in (right, "write") for name, right in job["permissions"].items())
    assert given == {**called["check"]["permissions"], **called["publish"]["permissions"]}


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/acme/fork",
        "https://github.com/acme/fork.git",
        "git@github.com:acme/fork.git",
        "ssh://git@github.com:22/acme/fork",
    ],
)
def test_init_takes_the_gate_from_where_the_hooks_are(
    address: str, repository: Repository, run: Run
) -> None:
    assert run("init", "--github", "--repo", address, "--rev", COMMIT).code == 0
    assert f"uses: acme/fork/.github/workflows/gate.yml@{COMMIT}\n" in Path(WORKFLOW).read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("address", "rev", "says"),
    [
        ("/srv/fork", "v1", "needs the address of a repository on GitHub"),
        ("../fork", "v1", "needs the address of a repository on GitHub"),
        ("https://github.com/fork", "v1", "needs the address of a repository on GitHub"),
        (
            "https://github.com/acme/fork",
            "v1\n    x: y",
            "needs the address of a repository on GitHub",
        ),
        ("https://github.com/acme/fork", "0123abc", "GitHub needs the full hash of a commit"),
        ("https://github.com/acme/fork", "0123ABC", "GitHub needs the full hash of a commit"),
        (
            "ssh://git@ghe.acme.example:22/acme/fork",
            "v1",
            "on an Enterprise Server use the action in one job",
        ),
    ],
)
def test_init_writes_nothing_where_the_gate_has_no_address(
    address: str, rev: str, says: str, repository: Repository, run: Run
) -> None:
    result = run("init", "--github", "--repo", address, "--rev", rev)
    assert result.code == 2 and says in result.err and result.err.count("\n") == 1
    assert [path.name for path in repository.root.iterdir()] == [".git"]


def test_init_writes_nothing_where_the_gate_can_not_be_written(
    repository: Repository, run: Run
) -> None:
    repository.write(".github", "a file\n")
    result = run("init", "--github", "--rev", COMMIT)
    assert result.code == 2
    assert (
        ".github is not a folder, so .github/workflows/helix.yml can't be written; nothing was written"
        in result.err
    )
    assert sorted(path.name for path in repository.root.iterdir()) == [".git", ".github"]
    (repository.root / ".github").unlink()
    (repository.root / ".github").mkdir()
    (repository.root / ".github" / "workflows").symlink_to("nowhere")
    assert run("init", "--github", "--rev", COMMIT).code == 2
    assert not (repository.root / "docs").exists()
