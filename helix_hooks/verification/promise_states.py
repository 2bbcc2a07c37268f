"""Compare a contract with the evidence. Pure.

Only what asserts is compared so that it can be missing: `files:` in the header, a test by its file
and name, and a command of the settings. A path or a test in a sentence is a mention: it is present
or unchecked, and no agent is asked to write, restore or delete it.
"""

from ..adr.promises import COMMAND, PATH, Contract, Named, Promise
from . import result
from .evidence import (
    ELSEWHERE,
    FAILED,
    FILE,
    FOLDER,
    NOTHING,
    PASSED,
    CommandFact,
    DefinitionFact,
    Evidence,
    PathFact,
    RunFact,
)
from .result import (
    MISSING,
    PRESENT,
    SHOWN,
    UNCHECKED,
    WORDS,
    Expectation,
    VerificationResult,
    state_of,
)

_State = tuple[str, str, str]
"""State, reason and action."""

_SHOWN: _State = (SHOWN, "", "")


def verified(contract: Contract, evidence: Evidence, since: str) -> VerificationResult:
    """Return the state of each promise of a contract. `since` is the commit of its approval."""
    expectations = [_expectation(promise, evidence) for promise in contract.promises]
    expectations += _syntax(contract, evidence)
    expectations += _commands(evidence)
    problems = [fact.reason for fact in evidence.commands.values() if fact.is_broken]
    broken = next(iter(problems), evidence.problem)
    return VerificationResult(
        adr_id=contract.adr_id,
        path=contract.path,
        title=contract.title,
        state=result.FAILED if broken else state_of(expectations),
        expectations=tuple(expectations),
        reason=broken,
        contract=contract.hash,
        since=since,
    )


def _expectation(promise: Promise, evidence: Evidence) -> Expectation:
    if promise.kind == "criterion":
        state, reason, action = _criterion(promise, evidence)
    else:
        fact = evidence.paths.get(promise.subject, PathFact())
        state, reason, action = _STATES[promise.kind](promise.subject, fact)
    return Expectation(
        kind=promise.kind,
        subject=promise.subject,
        state=state,
        line=promise.line,
        reason=reason,
        action=action,
    )


def _created(path: str, fact: PathFact) -> _State:
    if unknown := _unknown(path, fact):
        return unknown
    if fact.now == NOTHING:
        return MISSING, "the file does not exist", f"create {path}"
    if uncommitted := _uncommitted(path, fact):
        return uncommitted
    if fact.is_empty:
        return MISSING, "the file is empty", f"write {path}"
    if fact.before != NOTHING and not fact.changed:
        action = f"write what the ADR asks for in {path}"
        return MISSING, "it was there before the approval and has not changed", action
    return _written(path, fact)


def _modified(path: str, fact: PathFact) -> _State:
    if unknown := _unknown(path, fact):
        return unknown
    if fact.now == NOTHING:
        verb = "create" if fact.before == NOTHING else "restore"
        return MISSING, "the file does not exist", f"{verb} {path}"
    if uncommitted := _uncommitted(path, fact):
        return uncommitted
    if not fact.changed:
        return MISSING, "it has not changed since the approval", f"change {path}"
    if fact.is_empty:
        return MISSING, "the file is empty", f"write {path}"
    return _written(path, fact)


def _written(path: str, fact: PathFact) -> _State:
    """Return the state of a new or changed file, in which something may have been written."""
    if fact.now == FOLDER and not path.endswith("/"):
        return PRESENT, f"it is a folder; the ADR would name one as {path}/", ""
    if fact.is_stub:
        return PRESENT, "it has no code, or none but imports and what is not implemented", ""
    return _SHOWN


def _deleted(path: str, fact: PathFact) -> _State:
    if fact.astray:
        return MISSING, f"it is still there: {fact.astray}", f"delete {path}"
    if unknown := _unknown(path, fact):
        return unknown
    # With the bit set, git does not see the deletion, so no commit will have it.
    if fact.unseen:
        return _uncommitted(path, fact) or _SHOWN
    if fact.now != NOTHING:
        return MISSING, "it still exists", f"delete {path}"
    if fact.before == NOTHING:
        reason = "it does not exist, and did not exist at the approval: check the path in the ADR"
        return UNCHECKED, reason, ""
    return _SHOWN


_WRITTEN = ("create", "modify", "docs")
_STATES = {"create": _created, "modify": _modified, "delete": _deleted, "docs": _modified}


def _uncommitted(path: str, fact: PathFact) -> _State | None:
    """Return the state of a file that will be missing in commits; None for any other file."""
    if fact.ignored:
        action = f"take {path} out of .gitignore, or `git add -f` it"
        return MISSING, "git ignores the file, so no commit will have it", action
    if fact.unseen:
        action = f"`git update-index --no-assume-unchanged --no-skip-worktree {path}`"
        return MISSING, "git ignores its changes, so no commit has them", action
    return None


def _unknown(path: str, fact: PathFact) -> _State | None:
    """Return the state of a path that cannot be compared; None for any other path."""
    if fact.astray:
        return MISSING, fact.astray, f"add {path} to this repository"
    if fact.now == ELSEWHERE:
        return UNCHECKED, "it is outside of this repository", ""
    if fact.unread:
        return UNCHECKED, fact.unread, ""
    return None


def _criterion(promise: Promise, evidence: Evidence) -> _State:
    """Return the worst state of the names in a criterion; unchecked if it has none."""
    states = [_named(name, evidence) for name in promise.names]
    if not states:
        return UNCHECKED, "it names no test, file or command", ""
    return min(states, key=lambda state: WORDS.index(state[0]))


def _named(name: Named, evidence: Evidence) -> _State:
    if name.kind == COMMAND:
        return _command(name.text, evidence.commands.get(name.text))
    if name.kind == PATH:
        fact = evidence.paths.get(name.path, PathFact())
        if fact.now in (FILE, FOLDER) and not fact.is_empty:
            return (
                PRESENT,
                f"{name.path} is there; the sentence was not checked",
                "",
            )
        return UNCHECKED, f"{name.path} is not there; the sentence was not checked", ""
    fact_of_test = evidence.tests.get((name.path, name.text), DefinitionFact())
    return _test(name, fact_of_test, evidence.runs.get(name))


def _test(name: Named, fact: DefinitionFact, run: RunFact | None) -> _State:
    where = f" in {name.path}" if name.path else ""
    if fact.unread:
        return UNCHECKED, fact.unread, ""
    if fact.there and run and run.outcome == PASSED:
        return _SHOWN
    if fact.there and run and run.outcome == FAILED:
        return MISSING, run.reason, f"make the test {name.text}{where} pass"
    if fact.there and run:
        return PRESENT, run.reason, ""
    if fact.there:
        return PRESENT, f"the test {name.text} is there{where}, and was not run", ""
    reason = f"there is no test {name.text}{where or ' in a file that changed'}"
    if not name.path:
        return UNCHECKED, reason, ""
    return MISSING, reason, f"write the test {name.text}{where}"


def _command(text: str, fact: CommandFact | None) -> _State:
    if fact is None:
        reason = f"it names the command `{text}`, which verify.commands at the base lacks"
        return UNCHECKED, reason, ""
    if not fact.ran or fact.is_broken:
        return UNCHECKED, fact.reason, ""
    if not fact.passed:
        return MISSING, fact.reason, f"make `{text}` succeed"
    return _SHOWN


def _syntax(contract: Contract, evidence: Evidence) -> list[Expectation]:
    """Return an expectation for each promised file with a syntax error."""
    found = []
    for promise in contract.promises:
        fact = evidence.paths.get(promise.subject)
        if promise.kind in _WRITTEN and fact and fact.syntax:
            found.append(
                Expectation(
                    kind="syntax",
                    subject=promise.subject,
                    state=MISSING,
                    line=promise.line,
                    reason=fact.syntax,
                    action=f"correct {promise.subject}",
                )
            )
    return found


def _commands(evidence: Evidence) -> list[Expectation]:
    """Return an expectation for each command of the settings."""
    found = []
    for text, fact in evidence.commands.items():
        state, reason, action = _command(text, fact)
        found.append(
            Expectation(kind="command", subject=text, state=state, reason=reason, action=action)
        )
    return found
