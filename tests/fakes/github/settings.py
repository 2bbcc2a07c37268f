"""What the fake GitHub answers about the settings of a repository: rules, protection, files, workflows, environments."""

import base64

from tests.fakes.github import git
from tests.fakes.github.payloads import FOUNDED, Payload
from tests.fakes.github.state import Answer, Call, RefusedError, Route, State


def _rules(state: State, call: Call) -> Answer:
    """The rules of all active rulesets, each with the ruleset that it is from."""
    source = {"ruleset_source_type": "Repository", "ruleset_source": state.place.name}
    return Answer(
        [{**rule, **source, "ruleset_id": number} for number, rule in enumerate(state.rules, 1)]
    )


def _branch(state: State, call: Call) -> Answer:
    """A branch; `protected` says that a rule protects it, classic or in a ruleset."""
    name = call.values["branch"]
    made = git.commit(state.repository, _tip(state, name))
    url = f"{state.place.root}/branches/{name}"
    page = f"{state.place.page}/tree/{name}"
    return Answer({
        "name": name,
        "commit": state.commit_payload(made),
        "_links": {"self": url, "html": page},
        "protected": name in state.protected,
        "protection": {},
        "protection_url": f"{url}/protection",
    })  # fmt: skip


def _protection(state: State, call: Call) -> Answer:
    _tip(state, call.values["branch"])
    if state.protection is None:
        raise RefusedError(404, "Branch not protected")
    return Answer(
        {
            "url": f"{state.place.root}/branches/{call.values['branch']}/protection",
            **state.protection,
        }
    )


def _contents(state: State, call: Call) -> Answer:
    """A file, or what a folder holds; links are not played."""
    path, ref = call.values["path"], call.query.get("ref", state.default_branch)
    is_commit = git.resolve(state.repository, f"{ref}^{{commit}}") == ref
    tip = ref if is_commit else _tip(state, ref)
    entry = git.git(state.repository, "ls-tree", tip, "--", path).split()
    if not entry:
        raise RefusedError(404, "Not Found")
    if entry[1] != "blob":
        raise LookupError(f"{path} is no file")
    text = git.git(state.repository, "cat-file", "blob", entry[2]).encode()
    url, page = (
        f"{state.place.root}/contents/{path}?ref={ref}",
        f"{state.place.page}/blob/{ref}/{path}",
    )
    blob = f"{state.place.root}/git/blobs/{entry[2]}"
    found: Payload = {
        "type": "file", "encoding": "base64", "size": len(text), "name": path.rpartition("/")[2], "path": path, "sha": entry[2], "url": url,
        "content": base64.encodebytes(text).decode(), "git_url": blob, "html_url": page, "download_url": f"{page}?raw=true",
        "_links": {"self": url, "git": blob, "html": page},
    }  # fmt: skip
    return Answer(found)


def _tip(state: State, branch: str) -> str:
    found = git.resolve(state.repository, f"refs/heads/{branch}")
    if not found:
        raise RefusedError(404, "Branch not found")
    return found


def _tree(state: State, call: Call) -> Answer:
    """The entries of a tree, by its name or that of a branch; a long list is cut."""
    name = call.values["tree_sha"]
    branch = git.resolve(state.repository, f"refs/heads/{name}")
    options = ["-r", "-t"] if call.query.get("recursive") else []
    listed = git.git(state.repository, "ls-tree", "-z", *options, branch or name).split("\0")
    entries = []
    for line in filter(None, listed):
        about, _, path = line.partition("\t")
        mode, kind, sha = about.split()
        entries.append({"path": path, "mode": mode, "type": kind, "sha": sha})
    tree = git.git(state.repository, "rev-parse", f"{branch or name}^{{tree}}").strip()
    is_cut = len(entries) > state.most_entries
    url = f"{state.place.root}/git/trees/{tree}"
    shown = entries[: state.most_entries]
    return Answer({"sha": tree, "url": url, "tree": shown, "truncated": is_cut})


def _owner_errors(state: State, call: Call) -> Answer:
    return Answer({"errors": state.owner_errors})


def _defaults(state: State, call: Call) -> Answer:
    return Answer({
        "default_workflow_permissions": "write" if state.actions_may_write else "read",
        "can_approve_pull_request_reviews": state.actions_may_approve,
    })  # fmt: skip


def _environment(state: State, call: Call) -> Answer:
    name = call.values["environment_name"]
    if name not in state.environments:
        raise RefusedError(404, "Not Found")
    number = state.number("environment", name)
    return Answer({
        "id": number,
        "node_id": f"EN_{number}",
        "name": name,
        "url": f"{state.place.root}/environments/{name}",
        "html_url": f"{state.place.page}/deployments/activity_log?environments_filter={name}",
        "created_at": FOUNDED,
        "updated_at": FOUNDED,
        "protection_rules": [],
        "deployment_branch_policy": state.environments[name],
    })  # fmt: skip


_ADMINISTRATION = ("administration:read",)
ROUTES = {
    "GET /repos/{owner}/{repo}/rules/branches/{branch}": Route(_rules, ()),
    "GET /repos/{owner}/{repo}/branches/{branch}": Route(_branch, ("contents:read",)),
    "GET /repos/{owner}/{repo}/branches/{branch}/protection": Route(_protection, _ADMINISTRATION),
    "GET /repos/{owner}/{repo}/contents/{path}": Route(_contents, ("contents:read",)),
    "GET /repos/{owner}/{repo}/git/trees/{tree_sha}": Route(_tree, ("contents:read",)),
    "GET /repos/{owner}/{repo}/codeowners/errors": Route(_owner_errors, ("contents:read",)),
    "GET /repos/{owner}/{repo}/actions/permissions/workflow": Route(_defaults, _ADMINISTRATION),
    "GET /repos/{owner}/{repo}/environments/{environment_name}": Route(
        _environment, ("actions:read",)
    ),
}
