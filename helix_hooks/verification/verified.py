"""Compare a contract with the evidence. Pure."""

from typing import NamedTuple

from ..contract.contract import Contract, Promise
from ..contract.criteria import COMMAND, PATH, Named
from ..contract.removal import GONE, OPEN, THERE
from ..globs import matches
from .evidence import ELSEWHERE, FILE, NOTHING, CommandFact, DefinitionFact, Evidence, PathFact
from .result import (
    FAILED,
    MET,
    MISSING,
    NOTHING_SHOWN,
    UNMET,
    UNVERIFIABLE,
    VERIFIED,
    Expectation,
    VerificationResult,
)

_State = tuple[str, str, str]
"""State, reason and action."""

_MET: _State = (MET, "", "")


def verified(contract: Contract, evidence: Evidence, since: str) -> VerificationResult:
    """Return the state of each promise of a contract. `since` is the commit of its approval."""
    gone = _gone(contract)
    expectations = [_expectation(promise, evidence, gone) for promise in contract.promises]
    expectations += _syntax(contract, evidence)
    expectations += _commands(evidence)
    broken = next((fact.reason for fact in evidence.commands.values() if fact.is_broken), "")
    return VerificationResult(
        adr_id=contract.adr_id,
        path=contract.path,
        title=contract.title,
        state=FAILED if broken else _state(expectations),
        expectations=tuple(expectations),
        reason=broken,
        contract=contract.hash,
        since=since,
    )


def _state(expectations: list[Expectation]) -> str:
    states = {item.state for item in expectations}
    if MISSING in states:
        return UNMET
    if MET in states:
        return VERIFIED
    return NOTHING_SHOWN


class _Gone(NamedTuple):
    """The paths that the ADR wants gone, some as patterns, and those that it wants there."""

    paths: tuple[str, ...]
    there: frozenset[str]

    def claim(self, name: Named) -> str:
        """Return what the whole ADR says about a path that a criterion names."""
        path = _plain(name.path)
        if path in self.there:
            return THERE if name.claim == THERE else OPEN
        is_gone = any(f"{path}/".startswith(f"{gone}/") for gone in self.paths)
        patterns = tuple(gone for gone in self.paths if "*" in gone)
        return GONE if is_gone or matches(path, patterns) else name.claim


def _gone(contract: Contract) -> _Gone:
    paths: list[str] = []
    there: list[str] = []
    for promise in contract.promises:
        paths += [_plain(name.path) for name in promise.names if name.claim == GONE and name.path]
        if promise.kind == "delete":
            paths.append(_plain(promise.subject))
        elif promise.kind in _WRITTEN:
            there.append(_plain(promise.subject))
    return _Gone(tuple(paths), frozenset(there))


def _plain(path: str) -> str:
    return path.removeprefix("./").rstrip("/")


def _expectation(promise: Promise, evidence: Evidence, gone: _Gone) -> Expectation:
    if promise.kind == "criterion":
        state, reason, action = _criterion(promise, evidence, gone)
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
    return _MET


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
    return _MET


def _deleted(path: str, fact: PathFact) -> _State:
    if fact.astray:
        return MISSING, f"it is still there: {fact.astray}", f"delete {path}"
    if unknown := _unknown(path, fact):
        return unknown
    # With the bit set, git does not see the deletion, so no commit will have it.
    if fact.unseen:
        return _uncommitted(path, fact) or _MET
    if fact.now != NOTHING:
        return MISSING, "it still exists", f"delete {path}"
    if fact.before == NOTHING:
        reason = "it does not exist, and did not exist at the approval: check the path in the ADR"
        return UNVERIFIABLE, reason, ""
    return _MET


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
        return UNVERIFIABLE, "it is outside of this repository", ""
    if fact.unread:
        return UNVERIFIABLE, fact.unread, ""
    return None


def _criterion(promise: Promise, evidence: Evidence, gone: _Gone) -> _State:
    """Return the worst state of the names in a criterion; unverifiable if it has none."""
    states: list[_State] = []
    for name in promise.names:
        state = _named(name, evidence, gone)
        if state:
            states.append(state)
    if not states:
        return UNVERIFIABLE, "it names no test, file or command", ""
    return min(states, key=lambda state: _WORST_FIRST.index(state[0]))


_WORST_FIRST = (MISSING, UNVERIFIABLE, MET)


def _named(name: Named, evidence: Evidence, gone: _Gone) -> _State | None:
    """Return the state of a name; None for a word that only looks like a path."""
    if name.kind == COMMAND:
        return _command(name.text, evidence.commands.get(name.text))
    if name.kind != PATH:
        return _test(name, evidence.tests.get((name.path, name.text), DefinitionFact()))
    fact, claim = evidence.paths.get(name.path, PathFact()), gone.claim(name)
    is_nowhere = fact.now == NOTHING and fact.before == NOTHING
    if claim == THERE and is_nowhere and not fact.first_folder:
        return None
    return _mentioned(name.path, fact, claim)


def _mentioned(path: str, fact: PathFact, claim: str) -> _State:
    """Return the state of a file that a criterion names. The reason includes the path.

    A mention does not say that a file must be there: one that existed at the approval is never
    asked back. The header's `files:` does that.
    """
    if claim == OPEN:
        return UNVERIFIABLE, f"it is unclear whether {path} must be gone", ""
    if claim == GONE:
        state, reason, action = _deleted(path, fact)
    elif fact.before != NOTHING and (fact.now == NOTHING or fact.astray):
        return UNVERIFIABLE, f"{path} existed at the approval and is gone: may it be?", ""
    elif fact.now == FILE and not fact.changed and not fact.unread:
        return MISSING, f"{path} has not changed since the approval", f"change {path}"
    else:
        state, reason, action = _modified(path, fact)
    return state, f"{path}: {reason}" if reason else "", action


def _test(name: Named, fact: DefinitionFact) -> _State:
    where = f" in {name.path}" if name.path else ""
    if fact.unread:
        return UNVERIFIABLE, fact.unread, ""
    if name.claim != THERE:
        return _removed_test(name, where, fact)
    if not fact.there:
        reason = f"there is no test {name.text}{where or ' in a file that changed'}"
        return MISSING, reason, f"write the test {name.text}{where}"
    if not fact.touched:
        reason = f"the file of the test {name.text} has not changed since the approval"
        return MISSING, reason, f"let {name.text} test what the ADR decides"
    return _MET


def _removed_test(name: Named, where: str, fact: DefinitionFact) -> _State:
    if name.claim == GONE and fact.there:
        reason = f"the test {name.text}{where} still exists"
        return MISSING, reason, f"delete the test {name.text}{where}"
    return UNVERIFIABLE, f"nothing shows whether the test {name.text}{where} is gone", ""


def _command(text: str, fact: CommandFact | None) -> _State:
    if fact is None:
        reason = f"it names the command `{text}`, which verify.commands at the base lacks"
        return UNVERIFIABLE, reason, ""
    if not fact.ran or fact.is_broken:
        return UNVERIFIABLE, fact.reason, ""
    if not fact.passed:
        return MISSING, fact.reason, f"make `{text}` succeed"
    return _MET


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
