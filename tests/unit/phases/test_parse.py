"""`phases.yaml`: what it may say, and one line for each thing that it may not."""

import pytest

from helix_hooks.config.agents import parse_agents
from helix_hooks.config.approvals import Creator, FlowSettings
from helix_hooks.config.gates import FILES_EXIST, KINDS, SYNTAX, Gate
from helix_hooks.errors import ConfigError
from helix_hooks.phases.flow import Budget, Flow, Phase
from helix_hooks.phases.flow_files import required_files, unattended
from helix_hooks.phases.parse import MOST_PHASES, flow_of
from helix_hooks.verification.syntax import PARSED

SETTINGS = FlowSettings("", {"consultant": Creator(("claude", "-p"), 60)})
GATES = {"there": Gate("there", FILES_EXIST, "config/approvals.yaml:3", files=("a.md",))}
AGENTS = parse_agents(None)
A = "  - {id: a, type: consultant, output: a.md}\n"
B = "  - {id: b, type: consultant, output: b.md}\n"
APPROVAL = "type: approval, approval_type: adr, input: a.md"


def flow(*lines: str, top: str = "") -> Flow:
    text = f"{top}phases:\n" + "".join(lines)
    return flow_of(text.encode(), "phases.yaml", SETTINGS, GATES, AGENTS, ("adr", "code"))


def phase(line: str) -> Phase:
    """Return a phase that comes behind one that writes a.md."""
    return flow(A, f"  - {{id: x, {line}}}\n").phase("x")


def refused(*lines: str, top: str = "") -> str:
    with pytest.raises(ConfigError) as error:
        flow(*lines, top=top)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_phase_with_all_keys() -> None:
    found = flow(
        A,
        """  - id: x
    type: writer
    depends_on: a
    run: claude -p --model "a b"
    timeout: 30
    prompt: "Do {{task}} with {{ inputs }} and {x}"
    prompt_gate: {type: approval, approval_type: adr, checks: [completeness]}
    input: {files: [a.md, docs/**]}
    output: x/*.md
    quality_gate: there
    max_retries: 3
    allow_rewrite: true
    verify_agent: true
    on_rejection:
      action: retry_phase
      target_phase: a
      max_retries: 1
      feedback_template: "{{blocking_issues}} {{suggestions}} {{phase}} {{attempt}} {{max_retries}}"
""",
        top="name: All of it\nbudget: {soft_usd: 1, hard_usd: 2.5}\n",
    )
    assert (found.name, found.budget) == ("All of it", Budget(1, 2.5))
    x = found.phase("x")
    assert x.creator == ("claude", "-p", "--model", "a b")
    assert (x.place, x.depends_on, x.timeout) == ("phases.yaml:5", ("a",), 30)
    assert (x.inputs, x.outputs, x.gate) == (("a.md", "docs/**"), ("x/*.md",), GATES["there"])
    assert x.prompt_gate
    assert (x.prompt_gate.kind, x.max_retries) == ("approval", 3)
    assert (x.allow_rewrite, x.verify_agent) == (True, True)
    assert x.on_rejection[:3] == ("retry_phase", "a", 1)


def test_defaults() -> None:
    found = flow(A, B)
    a, b = found.phases
    assert (found.name, a.creator, a.timeout) == ("phases", ("claude", "-p"), 60)
    assert (a.depends_on, b.depends_on) == ((), ("a",))
    assert a.gate == Gate("a", FILES_EXIST, "phases.yaml:2", files=("a.md",), is_default=True)
    assert a.on_rejection.action == "fail"


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("type: consultant", "fail"),
        ("type: consultant, max_retries: 1", "escalate"),
        ("type: writer", "escalate"),
        ("type: consultant, max_retries: 1, on_rejection: {action: fail}", "fail"),
    ],
)
def test_what_follows_a_rejection_by_default(line: str, action: str) -> None:
    assert phase(line).on_rejection.action == action


def test_what_waits_for_what_by_default() -> None:
    """A phase waits for all above it, so that a rejected approval starts no later one."""
    found = flow(
        A,
        "  - {id: c1, " + APPROVAL + "}\n",
        "  - {id: c2, " + APPROVAL + "}\n",
        B,
        "  - {id: free, type: consultant, depends_on: [], output: f.md}\n",
    )
    waits = {phase.id: phase.depends_on for phase in found.phases}
    assert waits == {"a": (), "c1": ("a",), "c2": ("c1",), "b": ("c2",), "free": ()}


def test_an_approval_has_its_result_as_output() -> None:
    gate = phase(f"{APPROVAL}, output: [r/approval-result.json], checks: [completeness]").gate
    assert gate
    assert (gate.kind, gate.files, gate.checks) == ("approval", ("a.md",), ("completeness",))
    assert gate.result_file == "r/approval-result.json"


def test_files_that_must_be_there() -> None:
    found = flow(
        "  - {id: a, type: consultant, input: [in.md, docs/*.md], output: out/a.md}\n",
        "  - {id: b, type: consultant, input: 'out/*.md', prompt: {file: p.md}, output: b.md}\n",
    )
    assert required_files(found) == {"in.md": "a", "docs/*.md": "a", "p.md": "b"}
    assert required_files(found, ("b",)) == {"p.md": "b"}


def test_what_needs_people() -> None:
    found = flow(
        A,
        "  - {id: w, type: writer, output: w.md}\n",
        "  - {id: m, type: approval, approver: manual, input: a.md}\n",
        "  - {id: n, type: approval, approval_type: code, input: a.md}\n",
    )
    assert unattended(found) == (
        (
            "phases.yaml:3: w: a person creates its content; add a command with `run`, or configure a "
            "creator for the type writer"
        ),
        "phases.yaml:4: m: its quality_gate requires a person; set an agent as the approver",
    )
    assert len(unattended(found, ("code",))) == 3
    assert unattended(found, ("code",), ("a",)) == ()


BAD_PHASES = [
    ("type: consultant, verify_agent: true", "without `output` nothing could be verified"),
    (
        "type: consultant, output: src/main.rs, quality_gate: {type: syntax}",
        "this gate can never approve: syntax reads .py, .pyi, .json, ",
    ),
    (
        "type: consultant, output: Makefile, quality_gate: {type: syntax}",
        "and not Makefile",
    ),
    (
        'type: consultant, quality_gate: {type: docstrings_complete, files: ["src/**/*.js"]}',
        "docstrings_complete reads .py, .pyi, and not src/**/*.js",
    ),
    (
        "type: consultant, quality_gate: {type: adr_complete, files: [c.md, d.md], concept: e.md}",
        "this gate can never approve: `concept` requires exactly one ADR",
    ),
    ("type: consultnt", "no creator is configured for the type 'consultnt'; did you mean 'consul"),
    ("type: aproval", "did you mean 'approval'?"),
    ("type: No", "invalid phase type 'No'"),
    ("type: consultant, nonsense: 1", "unknown key; allowed: "),
    ("type: consultant, max_retrys: 1", "did you mean 'max_retries'?"),
    ("type: consultant, max_retries: -1", "x.max_retries: -1 is out of range; expected between 0 and 100"),
    ("type: consultant, max_retries: 101", "x.max_retries: 101 is out of range; expected between 0 and 100"),
    ("type: writer, run: [a], timeout: 604801", "x.timeout: 604801 is out of range; expected between 1 and 604800"),
    ("type: consultant, approval_type: adr", "it has no effect on a phase of type consultant"),
    (f"{APPROVAL}, max_retries: 1", "it has no effect on a phase of type approval"),
    (f"{APPROVAL}, run: x", "it has no effect on a phase of type approval"),
    ("type: approval, approval_type: adr", "the key 'input' is missing"),
    ("type: approval, input: a.md", "missing key 'approval_type'"),
    ("type: approval, approval_type: adrs, input: a.md", "did you mean 'adr'?"),
    (f"{APPROVAL}, approver: claud", "did you mean 'claude'?"),
    (f"{APPROVAL}, output: [r.json, s.json]", "specify one path"),
    (f"{APPROVAL}, output: ['r/*.json']", "expected the path of one file, got the pattern"),
    (f"{APPROVAL}, quality_gate: there", "an approval has no gate of type"),
    (
        f"{APPROVAL}, output: r.json, quality_gate: {{type: approval_passed, result_file: s.json}}",
        "its result_file 's.json' is not the output of this phase, 'r.json'",
    ),
    ("type: consultant, depends_on: [a, a]", "'a' is named twice"),
    ("type: consultant, depends_on: x", "'x' cannot depend on itself"),
    ("type: consultant, depends_on: aa", "there is no phase 'aa'; did you mean 'a'? allowed are a, x"),
    ("type: consultant, output: ../x", "invalid pattern"),
    ("type: consultant, output: /x", "invalid pattern"),
    ("type: consultant, output: .git/config", "is inside .git, which phases cannot write"),
    ("type: consultant, output: 'x/{.Git,b}/c'", "is inside .git, which phases cannot write"),
    ("type: consultant, output: .helix/x", "is inside .helix, which phases cannot write"),
    ("type: consultant, output: '!x'", "cannot exclude files"),
    ("type: consultant, output: []", "empty list; add a file"),
    ("type: consultant, output: [x, x]", "'x' is named twice"),
    ("type: consultant, output: a.md", "'a.md' overlaps with the output 'a.md' of 'a'"),
    ("type: consultant, output: '*.md'", "'*.md' overlaps with the output 'a.md' of 'a'"),
    ("type: consultant, quality_gate: their", "did you mean 'there'?"),
    ("type: consultant, quality_gate: {type: adr_complet}", "did you mean 'adr_complete'?"),
    ("type: consultant, quality_gate: {type: files_exist}", "missing key 'files'"),
    ("type: consultant, prompt: 'Do {{taks}}'", "unknown variable '{{taks}}'; did you mean '{{task}}'?"),
    ("type: consultant, prompt: {file: p.md, command: x}", "expected either `file` or `command`"),
    ("type: consultant, prompt: {file: ../p.md}", "invalid path"),
    ("type: consultant, prompt: {file: p.md, can_regenerate_prompts: true}", "it has no effect with `file`"),
    ("type: consultant, prompt_gate: there", "`prompt_gate` requires a `prompt`"),
    ("type: consultant, prompt: x, prompt_gate: there", "a gate of type files_exist cannot check a prompt"),
    ("type: writer, timeout: 5", "it has no effect without a command"),
    ("type: writer, allow_rewrite: true", "it has no effect without a command"),
    ("type: consultant, run: 'a | b'", "commands run without a shell"),
    (
        "type: consultant, output: x, max_retries: 1, quality_gate: {type: approval, approver: manual}",
        "it has no effect: only a person can reject",
    ),
    ("type: consultant, on_rejection: {}", "missing key `action`"),
    ("type: consultant, on_rejection: {action: retry}", "invalid value 'retry'; did you mean 'retry_phase'?"),
    ("type: consultant, on_rejection: {action: retry_phase}", "missing key `target_phase`"),
    ("type: consultant, on_rejection: {target_phase: a}", "it has no effect with action: fail"),
    ("type: consultant, on_rejection: {action: escalate, max_retries: 1}", "it has no effect with action: esc"),
    ("type: consultant, on_rejection: {action: retry_phase, target_phase: aa}", "did you mean 'a'?"),
    ("type: consultant, on_rejection: {action: retry_phase, target_phase: x}", "to repeat 'x' itself; allowed are a"),
    ("type: consultant, on_rejection: {action: retry_phase, target_phase: a, max_retries: 0}", "expected between 1 and 100"),
    ("type: consultant, on_rejection: {feedback_template: '{{blocking_issue}}'}", "did you mean '{{blocking_issues}}'?"),
    (f"{APPROVAL}, on_rejection: {{feedback_template: x}}", "no phase gets feedback with action: fail"),
    ("type: approval, approver: skip, input: a.md, on_rejection: {action: escalate}", "the gate cannot reject"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "message"), BAD_PHASES, ids=[line for line, _ in BAD_PHASES])
def test_a_phase_that_is_refused(line: str, message: str) -> None:
    said = refused(A, f"  - {{id: x, {line}}}\n").replace("phases[1].", "x.")
    assert said.startswith("phases.yaml:3: ")
    assert message in said


@pytest.mark.parametrize("id", ["", "..", "a/b", ".x", "-x", "a b", "con", "LPT1", "x" * 65, "é"])
def test_an_id_that_names_no_folder(id: str) -> None:
    said = refused(f"  - {{id: '{id}', type: consultant}}\n")
    assert "phases[0].id: " in said


@pytest.mark.parametrize(
    ("lines", "top", "message"),
    [
        ([A, A], "", "phases.yaml:3: phases[1].id: the id 'a' is already used by the phase on line 2"),
        ([A, A.replace("id: a", "id: A")], "", "the id 'A' is already used by the phase on line 2"),
        (["  [{id: a, type: consultant}, {id: a, type: consultant}]\n"], "", "the id 'a' is already used by the phase on line 2"),
        ([A.replace("id: a", "id: budget")], "", "phases[0].id: 'budget' is a reserved phase ID"),
        ([A, B], "budget: {soft_usd: 3, hard_usd: 3}\n", "soft_usd (3) must be less than hard_usd"),
        ([A, B], "budget: {soft_usd: -1}\n", "-1 is out of range"),
        ([A, B], "nonsense: 1\n", "unknown key; allowed: budget, gates, name, phases"),
        ([A, B], "name: ''\n", "expected a string"),
        ([A, B], 'name: "a\\nb"\n', "a name on one line"),
        ([A], "gates: {own: {type: syntax, files: a.py}}\n", "unused gate"),
        (
            [A],
            "gates: {there: {type: syntax, files: a.py}}\n",
            "the gate 'there' is defined in config/approvals.yaml:3; choose",
        ),
        (
            [A.replace("output", "depends_on: c, output"),
             B.replace("output", "depends_on: a, output"),
             "  - {id: c, type: consultant, depends_on: [b]}\n"],
            "",
            "phases.yaml:2: phases[0].depends_on: dependency cycle: a -> c -> b -> a",
        ),
        (
            [A, "  - {id: c, type: consultant, depends_on: [], input: '*.md'}\n"],
            "",
            "phases.yaml:3: phases[1].input: 'a' may write it at the same time; add it to depends_on",
        ),
        (
            [A, "  - {id: c, " + APPROVAL + "}\n", ("  - {id: d, type: consultant, on_rejection: "
             "{action: retry_phase, target_phase: c}}\n")],
            "",
            "'c' is an approval and creates nothing; allowed are a",
        ),
        (
            [A, ("  - {id: c, type: consultant, depends_on: [], on_rejection: "
             "{action: retry_phase, target_phase: a}}\n")],
            "",
            "'c' does not depend on 'a'; there is no phase to repeat",
        ),
        (["  - {id: c, " + APPROVAL + "}\n"], "", "all phases are approvals; add the phase"),
    ],
)  # fmt: skip
def test_a_flow_that_is_refused(lines: list[str], top: str, message: str) -> None:
    assert message in refused(*lines, top=top)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "phases.yaml:1: the file is empty"),
        (b"phases: []\n", "phases.yaml:1: phases: the list of phases is empty"),
        (b"phases: {}\n", "expected a list"),
        (b"- a\n", "expected a mapping (key: value)"),
        (b"name: x\n", "missing key 'phases'"),
        (b"phases:\n  - a\n", "expected a mapping (key: value)"),
        (b"phases:\n\n\xff\n", "phases.yaml:3: the file is not UTF-8"),
        (b"#" * 1_000_001, "the file has more than 1000000 bytes"),
        (b"phases:\n  - id: [\n", "phases.yaml:"),
        (b"a: &a [x]\nphases: *a\n", "phases.yaml:"),
        (
            b"phases:\n"
            + b"".join(b"  - {id: p%d, type: t}\n" % n for n in range(MOST_PHASES + 1)),
            "more than",
        ),
    ],
)
def test_a_file_that_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        flow_of(data, "phases.yaml", SETTINGS)
    assert message in str(error.value)


def test_the_largest_flow_is_read() -> None:
    lines = [f"  - {{id: p{n}, type: t, output: '{n}/**/*.md'}}\n" for n in range(MOST_PHASES)]
    assert len(flow(*lines).phases) == MOST_PHASES


def test_a_gate_on_the_result_of_another_approval_type_is_refused() -> None:
    gate = "{type: approval_passed, result_file: r.json, approval_type: TYPE}"
    lines = (
        A,
        f"  - {{id: c, {APPROVAL}, output: r.json}}\n",
        f"  - {{id: d, type: consultant, quality_gate: {gate}}}\n",
    )
    own = next(type for type in ("adr", "code") if f"approval_type: {type}" in APPROVAL)
    other = next(type for type in ("adr", "code") if type != own)
    assert flow(*(line.replace("TYPE", own) for line in lines)).phase("d").gate
    message = refused(*(line.replace("TYPE", other) for line in lines))
    assert f"'c' writes r.json with the approval type {own}, not {other}" in message


@pytest.mark.parametrize(
    "gate",
    [
        '{type: syntax, files: ["src/*"]}',
        '{type: syntax, files: ["src/*.{py,rs}"]}',
        '{type: docstrings_complete, files: ["src/**"]}',
        '{type: adr_complete, files: ["docs/*.md"], concept: c.md}',
    ],
)
def test_a_gate_that_may_approve_is_not_refused(gate: str) -> None:
    assert phase(f"type: consultant, quality_gate: {gate}").gate


def test_a_gate_that_parses_files_names_all_that_are_parsed() -> None:
    assert set(KINDS[SYNTAX].suffixes) == set(PARSED)
