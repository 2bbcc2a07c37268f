"""A module imports only from those above it, and the pure part touches nothing outside of itself."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "helix_hooks"

ORDER = (
    "__init__", "errors", "finding", "places", "strict", "text", "encodings", "masking", "glob", "links", "git_formats",
    "adr.__init__", "adr.aliases", "adr.heading", "adr.status", "adr.number", "adr.phrase", "adr.raw_html", "adr.visible", "adr.document", "adr.prose", "adr.outline", "adr.aside",
    "adr.field", "adr.header_text", "adr.header",
    "adr.template", "adr.language", "adr.swallowed", "adr.concept", "adr.suppress", "adr.baseline", "adr.lifecycle", "adr.reference", "adr.mention",
    "adr.spelling", "adr.words", "adr.marks", "adr.wording", "adr.rule", "adr.corpus", "adr.profile", "adr.pattern", "adr.requirement", "adr.contextual", "adr.rulebook",
    "adr.rules", "adr.across", "adr.change", "adr.gate", "adr.check", "adr.measure", "adr.planted",
    "approval.__init__", "approval.autonomy", "approval.people", "approval.request", "approval.policy", "approval.quote", "approval.verdict", "approval.lookalike", "approval.phrases", "approval.steering", "approval.layers", "approval.injection", "approval.decision", "approval.asked",
    "approval.needed", "approval.prompt", "approval.reading", "approval.parts", "approval.figures", "settings", "watched", "relaxed", "loosened", "explain", "report",
    "pull.__init__", "pull.facts", "pull.place", "pull.harmless", "pull.fingerprint", "pull.kept", "pull.chain", "pull.handover", "pull.links", "pull.lines", "pull.command",
    "pull.statement", "pull.votes", "pull.state", "pull.override", "pull.reasons", "pull.record", "pull.outcome", "pull.decided", "pull.turn", "pull.page", "pull.answer", "pull.escalation", "pull.payloads", "pull.confirmed", "pull.audit",
    "setup.__init__", "setup.line", "setup.value", "setup",
    "program", "git", "revisions", "history", "snapshot", "trees", "files", "parallel", "agent.__init__", "agent.process", "agent.orphans",
    "agent.guard", "agent.workspace", "agent.provider", "agent",
    "github.__init__", "github.client", "github.event", "github", "cli.parser", "cli.main", "cli.rules", "cli", "__main__",
)  # fmt: skip
PURE = ORDER[: ORDER.index("program")]
OUTSIDE = {"os", "pathlib", "shutil", "socket", "subprocess", "sys", "time", "datetime", "tempfile", "urllib", "random", "argparse"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def place(module: str) -> int:
    """A module's position in the order: its own, or that of the room it is in."""
    return ORDER.index(module) if module in ORDER else ORDER.index(module.rsplit(".", 1)[0])


def imports(path: Path) -> list[tuple[str, bool]]:
    """The modules a file imports, each with whether it is one of ours."""
    package = name(path).split(".")[:-1]
    found: list[tuple[str, bool]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, alias.name.startswith("helix_hooks")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.append((node.module or "", (node.module or "").startswith("helix_hooks")))
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) - node.level + 1], *filter(None, (node.module or "").split("."))]
            targets = [".".join([*base, alias.name]) for alias in node.names]
            found += [
                (target if (PACKAGE / Path(*target.split("."))).with_suffix(".py").exists() else ".".join(base) or "__init__", True)
                for target in targets
            ]
    return found


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_imports_only_from_those_above_it(path: Path) -> None:
    for target, ours in imports(path):
        if ours and not target.startswith("helix_hooks"):
            same_room = target.rsplit(".", 1)[0] == name(path).rsplit(".", 1)[0]
            assert place(target) < place(name(path)) or (same_room and place(target) == place(name(path))), f"{name(path)} imports {target}"


@pytest.mark.parametrize("path", [path for path in MODULES if place(name(path)) < len(PURE)], ids=name)
def test_the_pure_part_touches_nothing_outside(path: Path) -> None:
    assert not {target.split(".")[0] for target, ours in imports(path) if not ours} & OUTSIDE


def test_edges_do_not_import_each_other() -> None:
    assert not [target for target, ours in imports(PACKAGE / "git.py") if ours and target == "files"]


def test_modules_stay_small() -> None:
    lines = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert not {module: count for module, count in lines.items() if count > 400}
    assert sorted(lines.values())[len(lines) // 2] <= 90
