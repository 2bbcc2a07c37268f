"""The big nested objects of GitHub's answers, whole: users, repositories, commits, files, apps. They hold no state."""

import urllib.parse
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from tests.fakes.github.git import Change, Commit, Signature

Payload = dict[str, Any]
FOUNDED = "2020-01-01T00:00:00Z"
BLANK = {
    "milestone": None,
    "active_lock_reason": None,
    "closed_at": None,
    "merged_at": None,
    "assignee": None,
    "auto_merge": None,
}

_OF_USER = {
    "followers_url": "/followers",
    "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}",
    "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions",
    "organizations_url": "/orgs",
    "repos_url": "/repos",
    "events_url": "/events{/privacy}",
    "received_events_url": "/received_events",
}
_OF_REPOSITORY = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
    "hooks_url": "/hooks",
}
_COUNTS = (
    "forks_count",
    "stargazers_count",
    "watchers_count",
    "open_issues_count",
    "forks",
    "open_issues",
    "watchers",
    "size",
)


class Place(NamedTuple):
    """Where things are: pages at `host`, the API at `api`, both of a repository with the full name `name`."""

    host: str
    api: str
    name: str

    @property
    def owner(self) -> str:
        return self.name.partition("/")[0]

    @property
    def page(self) -> str:
        return f"{self.host}/{self.name}"

    @property
    def root(self) -> str:
        """The repository in the API."""
        return f"{self.api}/repos/{self.name}"


def stamp(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_bot(login: str) -> bool:
    return login.endswith("[bot]")


def user(place: Place, login: str, number: int) -> Payload:
    url = f"{place.api}/users/{urllib.parse.quote(login)}"
    kind = "Bot" if is_bot(login) else "Organization" if login == place.owner else "User"
    return {
        "login": login,
        "id": number,
        "node_id": f"U_{number}",
        "avatar_url": f"{place.host}/avatars/{number}",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{place.host}/apps/{slug(login)}"
        if kind == "Bot"
        else f"{place.host}/{login}",
        **{key: url + end for key, end in _OF_USER.items()},
        "type": kind,
        "user_view_type": "public",
        "site_admin": False,
    }


def public_user(inner: Payload) -> Payload:
    """What a user tells of themselves."""
    told = dict.fromkeys(("name", "company", "blog", "location", "email", "hireable", "bio"))
    counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
    return {**inner, **told, **counts, "created_at": FOUNDED, "updated_at": FOUNDED}


def slug(login: str) -> str:
    """The name of the app that acts as a bot."""
    return login.removesuffix("[bot]")


def app(place: Place, login: str, number: int, owner: Payload) -> Payload:
    name = slug(login)
    return {
        "id": number,
        "client_id": f"Iv1.{number}",
        "slug": name,
        "node_id": f"A_{number}",
        "owner": owner,
        "name": name.replace("-", " ").title(),
        "description": "",
        "external_url": f"{place.host}/apps/{name}",
        "html_url": f"{place.host}/apps/{name}",
        "created_at": FOUNDED,
        "updated_at": FOUNDED,
        "permissions": {
            "checks": "write",
            "contents": "read",
            "metadata": "read",
            "pull_requests": "write",
            "statuses": "write",
        },
        "events": ["check_run", "pull_request"],
    }


def repository(
    place: Place, number: int, owner: Payload, *, default_branch: str, fork: bool
) -> Payload:
    """A repository as it stands inside of a pull request."""
    switched_on = (
        "has_downloads",
        "has_issues",
        "has_projects",
        "has_pull_requests",
        "has_wiki",
        "allow_forking",
    )
    switched_off = (
        "archived",
        "disabled",
        "has_discussions",
        "has_pages",
        "is_template",
        "web_commit_signoff_required",
        "private",
    )
    return {
        "id": number,
        "node_id": f"R_{number}",
        "name": place.name.partition("/")[2],
        "full_name": place.name,
        "owner": owner,
        "html_url": place.page,
        "description": None,
        "fork": fork,
        "url": place.root,
        **{key: place.root + end for key, end in _OF_REPOSITORY.items()},
        **_remotes(place),
        **dict.fromkeys(("license", "homepage", "language", "mirror_url")),
        **dict.fromkeys(_COUNTS, 0),
        **dict.fromkeys(switched_on, True),
        **dict.fromkeys(switched_off, False),
        **dict.fromkeys(("created_at", "updated_at", "pushed_at"), FOUNDED),
        "topics": [],
        "visibility": "public",
        "default_branch": default_branch,
    }


def _remotes(place: Place) -> Payload:
    host = place.host.partition("://")[2]
    return {
        "git_url": f"git://{host}/{place.name}.git",
        "ssh_url": f"git@{host}:{place.name}.git",
        "clone_url": f"{place.page}.git",
        "svn_url": place.page,
    }


def full_repository(inner: Payload, permissions: Mapping[str, bool]) -> Payload:
    """A repository as it answers for itself."""
    return {
        **inner,
        "permissions": permissions,
        "organization": inner["owner"],
        "temp_clone_token": None,
        "subscribers_count": 0,
        "network_count": 0,
    }


def role_flags(role: str) -> dict[str, bool]:
    """What a role may do, as GitHub lists it: each role may do what those before it may."""
    flags = {
        "read": "pull",
        "triage": "triage",
        "write": "push",
        "maintain": "maintain",
        "admin": "admin",
    }
    rank = [*flags].index(role) if role in flags else -1
    return {flag: place <= rank for place, flag in enumerate(flags.values())}


def commit(
    place: Place, made: Commit, author: Payload | None, committer: Payload | None
) -> Payload:
    """A commit with the GitHub users, if any, behind the names that git knows."""
    url = f"{place.root}/commits/{made.sha}"
    return {
        "sha": made.sha,
        "node_id": f"C_{made.sha}",
        "commit": {
            "author": _signature(made.author),
            "committer": _signature(made.committer),
            "message": made.message,
            "tree": {"sha": made.tree, "url": f"{place.root}/git/trees/{made.tree}"},
            "url": f"{place.root}/git/commits/{made.sha}",
            "comment_count": 0,
            "verification": {
                "verified": False,
                "reason": "unsigned",
                "signature": None,
                "payload": None,
                "verified_at": None,
            },
        },
        "url": url,
        "html_url": f"{place.page}/commit/{made.sha}",
        "comments_url": f"{url}/comments",
        "author": author,
        "committer": committer,
        "parents": [
            {
                "sha": sha,
                "url": f"{place.root}/commits/{sha}",
                "html_url": f"{place.page}/commit/{sha}",
            }
            for sha in made.parents
        ],
    }


def _signature(made: Signature) -> Payload:
    return {
        "name": made.name,
        "email": made.email,
        "date": stamp(datetime.fromtimestamp(made.time, UTC)),
    }


def file(place: Place, change: Change, head: str) -> Payload:
    path = urllib.parse.quote(change.filename)
    found = {
        "sha": change.sha,
        "filename": change.filename,
        "status": change.status,
        "additions": change.additions,
        "deletions": change.deletions,
        "changes": change.additions + change.deletions,
        "blob_url": f"{place.page}/blob/{head}/{path}",
        "raw_url": f"{place.page}/raw/{head}/{path}",
        "contents_url": f"{place.root}/contents/{path}?ref={head}",
    }
    optional = {"previous_filename": change.previous, "patch": change.patch}
    return found | {key: value for key, value in optional.items() if value is not None}


def pull_urls(place: Place, number: int, sha: str) -> Payload:
    pull, issue, page = (
        f"{place.root}/pulls/{number}",
        f"{place.root}/issues/{number}",
        f"{place.page}/pull/{number}",
    )
    urls = {
        "comments": f"{issue}/comments",
        "commits": f"{pull}/commits",
        "review_comment": f"{place.root}/pulls/comments{{/number}}",
        "review_comments": f"{pull}/comments",
        "statuses": f"{place.root}/statuses/{sha}",
    }
    return {
        "url": pull,
        "html_url": page,
        "diff_url": f"{page}.diff",
        "patch_url": f"{page}.patch",
        "issue_url": issue,
        **{f"{key}_url": url for key, url in urls.items()},
        "_links": {
            key: {"href": url}
            for key, url in {**urls, "self": pull, "html": page, "issue": issue}.items()
        },
    }


def issue(place: Place, number: int, kind: str) -> Payload:
    """What each issue has; the page of a pull request is one of the kind `pull`."""
    url = f"{place.root}/issues/{number}"
    return {
        "number": number,
        "url": url,
        "repository_url": place.root,
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "html_url": f"{place.page}/{kind}/{number}",
        "labels": [],
        "assignee": None,
        "assignees": [],
        "milestone": None,
        "locked": False,
        "comments": 0,
    }


def reactions(url: str, contents: Iterable[str]) -> Payload:
    given = list(contents)
    kinds = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")
    return {
        "url": f"{url}/reactions",
        "total_count": len(given),
        **{kind: given.count(kind) for kind in kinds},
    }
