"""What the fake GitHub answers about the repository, its pull requests, its commits and its people."""

from typing import Any

from tests.fakes.github import git, payloads
from tests.fakes.github.payloads import BLANK, Payload
from tests.fakes.github.state import Answer, Call, Pull, RefusedError, Route, State

_LEGACY = {"maintain": "write", "triage": "read"}
_BUILT_IN = ("none", "read", "triage", "write", "maintain", "admin")
MOST_FILES, MOST_COMPARED_FILES, MOST_COMMITS = 3000, 300, 250


def _repository(state: State, call: Call) -> Answer:
    role = state.role(call.actor.login) or (
        "write" if call.actor.permissions.get("contents") == "write" else "read"
    )
    return Answer(
        payloads.full_repository(
            state.repository_payload(state.place.name),
            payloads.role_flags(state.roles.get(role, role)),
        )
    )


def _permission(state: State, call: Call) -> Answer:
    """`permission` knows only the roles of old; `role_name` is the role."""
    login = next(
        (name for name in state.people if name.lower() == call.values["username"].lower()), None
    )
    if login is None:
        raise RefusedError(404, f"{call.values['username']} is not a user")
    role = state.people[login]
    built_on = role if role in _BUILT_IN else state.roles.get(role, "read")
    user = {**state.user(login), "permissions": payloads.role_flags(built_on), "role_name": role}
    return Answer({"permission": _LEGACY.get(built_on, built_on), "role_name": role, "user": user})


_WRITING = ("write", "maintain", "admin")


def _collaborators(state: State, call: Call) -> Answer:
    """The people who may write, with `permission=push`."""
    assert call.query.get("permission") == "push"
    people = {name: role for name, role in state.people.items() if role in _WRITING}
    return Answer([
        {**state.user(name), "permissions": payloads.role_flags(role), "role_name": role}
        for name, role in people.items()
    ])  # fmt: skip


def _user(state: State, call: Call) -> Answer:
    """Whose token it is; an app's token, as that of a workflow, is nobody's."""
    login = call.actor.login
    if payloads.is_bot(login):
        raise RefusedError(403, "Resource not accessible by integration")
    return Answer(payloads.public_user(state.user(login)))


def _pulls(state: State, call: Call) -> Answer:
    wanted = call.query.get("state", "open")
    found = [
        pull
        for pull in state.pulls.values()
        if wanted in ("all", "closed" if pull.closed else "open")
    ]
    if "base" in call.query:
        found = [pull for pull in found if pull.base == call.query["base"]]
    if ":" in call.query.get("head", ""):  # a head without an owner is ignored
        found = [pull for pull in found if _label(state, pull) == call.query["head"]]
    by_update = call.query.get("sort", "created") != "created"
    newest_first = call.query.get("direction", "asc" if by_update else "desc") == "desc"
    found.sort(
        key=lambda pull: (pull.updated if by_update else pull.created, pull.number),
        reverse=newest_first,
    )
    return Answer([simple(state, pull) for pull in found])


def _pull(state: State, call: Call) -> Answer:
    pull = state.pull(call.values["pull_number"])
    changes = git.changes(state.repository, *state.range(pull))
    return Answer({
        **simple(state, pull),
        "merged": pull.merged,
        "merged_by": None,
        "mergeable": None if pull.closed else True,
        "rebaseable": None if pull.closed else True,
        "mergeable_state": "unknown" if pull.closed else "draft" if pull.draft else "clean",
        "maintainer_can_modify": pull.fork != state.place.name,
        "comments": sum(comment.number == pull.number for comment in state.comments.values()),
        "review_comments": sum(remark.pull == pull.number for remark in state.remarks.values()),
        "commits": len(state.commits(pull)),
        "additions": sum(change.additions for change in changes),
        "deletions": sum(change.deletions for change in changes),
        "changed_files": len(changes),
    })  # fmt: skip


def simple(state: State, pull: Pull) -> Payload:
    """A pull request as a list shows it."""
    base, head = state.tips(pull)
    number = state.number("pull", str(pull.number))
    return {
        **BLANK,
        **payloads.pull_urls(state.place, pull.number, head),
        "id": number,
        "node_id": f"PR_{number}",
        "number": pull.number,
        "state": "closed" if pull.closed else "open",
        "locked": False,
        "title": pull.title,
        "user": state.user(pull.author),
        "body": pull.body,
        **{key: [] for key in ("labels", "assignees", "requested_reviewers", "requested_teams")},
        "created_at": pull.created,
        "updated_at": pull.updated,
        "closed_at": pull.closed,
        "merged_at": pull.closed if pull.merged else None,
        "merge_commit_sha": head if pull.merged else None,
        "head": _side(state, pull.head, head, pull.fork, _label(state, pull)),
        "base": _side(state, pull.base, base, state.place.name, f"{state.place.owner}:{pull.base}"),
        "author_association": state.association(pull.author),
        "draft": pull.draft,
    }


def _label(state: State, pull: Pull) -> str:
    return (
        f"{(pull.fork or 'unknown').partition('/')[0]}:{pull.head}"
        if pull.fork != state.place.name
        else f"{state.place.owner}:{pull.head}"
    )


def _side(state: State, ref: str, sha: str, name: str | None, label: str) -> Payload:
    user = state.user(name.partition("/")[0]) if name else None
    return {
        "label": label,
        "ref": ref,
        "sha": sha,
        "user": user,
        "repo": state.repository_payload(name) if name else None,
    }


def _files(state: State, call: Call) -> Answer:
    base, head = state.range(state.pull(call.values["pull_number"]))
    return Answer(
        [
            payloads.file(state.place, change, head)
            for change in git.changes(state.repository, base, head)[:MOST_FILES]
        ]
    )


def _commits(state: State, call: Call) -> Answer:
    made = state.commits(state.pull(call.values["pull_number"]))
    return Answer([state.commit_payload(commit) for commit in made[:MOST_COMMITS]])


def _commit(state: State, call: Call) -> Answer:
    made = git.commit(state.repository, state.sha(call.values["ref"]))
    empty = git.git(state.repository, "hash-object", "-t", "tree", "/dev/null").strip()
    changes = git.changes(state.repository, made.parents[0] if made.parents else empty, made.sha)
    additions, deletions = (
        sum(change.additions for change in changes),
        sum(change.deletions for change in changes),
    )
    stats = {"additions": additions, "deletions": deletions, "total": additions + deletions}
    files = [
        payloads.file(state.place, change, made.sha) for change in changes[:MOST_COMPARED_FILES]
    ]
    return Answer({**state.commit_payload(made), "stats": stats, "files": files})


def _pulls_of_commit(state: State, call: Call) -> Answer:
    sha = state.sha(call.values["commit_sha"])
    return Answer(
        [
            simple(state, pull)
            for pull in state.pulls.values()
            if sha in {made.sha for made in state.commits(pull)}
        ]
    )


def _compare(state: State, call: Call) -> Answer:
    """Without paging, 250 commits at most; the files stand on the first page alone."""
    names = call.values["basehead"].split("...")
    shas = [git.resolve(state.repository, name.rpartition(":")[2]) for name in names]
    if len(shas) != 2 or not shas[0] or not shas[1]:
        raise RefusedError(404, "Not Found")
    base, head = shas[0], shas[1]
    ahead, behind = (
        git.commits(state.repository, base, head),
        git.commits(state.repository, head, base),
    )
    common = git.merge_base(state.repository, base, head)
    url, shown = (
        f"{state.place.root}/compare/{base}...{head}",
        f"{state.place.page}/compare/{base}...{head}",
    )
    found: dict[str, Any] = {
        "url": url,
        "html_url": shown,
        "permalink_url": shown,
        "diff_url": f"{shown}.diff",
        "patch_url": f"{shown}.patch",
        "base_commit": state.commit_payload(git.commit(state.repository, base)),
        "merge_base_commit": state.commit_payload(git.commit(state.repository, common)),
        "status": ("diverged" if behind else "ahead")
        if ahead
        else ("behind" if behind else "identical"),
        "ahead_by": len(ahead),
        "behind_by": len(behind),
        "total_commits": len(ahead),
        "commits": [state.commit_payload(made) for made in ahead],
    }
    if call.query.get("page", "1") == "1":
        changes = git.changes(state.repository, common, head)[:MOST_COMPARED_FILES]
        found["files"] = [payloads.file(state.place, change, head) for change in changes]
    return Answer(found, listed="commits", size=MOST_COMMITS, most=1000)


def _owned(state: State, call: Call) -> Answer:
    """The repositories of an owner; the fake has one owner, which is an organisation."""
    owner = call.values.get("org") or call.values.get("username") or call.actor.login
    if owner.lower() != state.place.owner.lower():
        raise RefusedError(404, "Not Found")
    return Answer([_minimal(state, name) for name in state.names()])


def _own(state: State, call: Call) -> Answer:
    """The repositories of whoever asks."""
    names = state.names() if call.actor.login.lower() == state.place.owner.lower() else []
    return Answer([state.repository_payload(name) for name in names])


def _minimal(state: State, name: str) -> Payload:
    return {**state.repository_payload(name), "archived": name in state.archived}


_PULLS = ("pull-requests:read",)
ROUTES = {
    "GET /user": Route(_user, ()),
    "GET /orgs/{org}/repos": Route(_owned, ()),
    "GET /users/{username}/repos": Route(_owned, ()),
    "GET /user/repos": Route(_own, ()),
    "GET /repos/{owner}/{repo}": Route(_repository, ()),
    "GET /repos/{owner}/{repo}/collaborators": Route(_collaborators, ()),
    "GET /repos/{owner}/{repo}/collaborators/{username}/permission": Route(_permission, ()),
    "GET /repos/{owner}/{repo}/pulls": Route(_pulls, _PULLS),
    "GET /repos/{owner}/{repo}/pulls/{pull_number}": Route(_pull, _PULLS),
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/files": Route(_files, _PULLS),
    "GET /repos/{owner}/{repo}/pulls/{pull_number}/commits": Route(_commits, _PULLS),
    "GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls": Route(_pulls_of_commit, _PULLS),
    "GET /repos/{owner}/{repo}/commits/{ref}": Route(_commit, ("contents:read",)),
    "GET /repos/{owner}/{repo}/compare/{basehead}": Route(_compare, ("contents:read",)),
}
