"""What the fake GitHub answers to a query of GraphQL. Types and fields are those of GitHub's public schema
(docs.github.com/graphql/reference); graphql-core checks and carries out the query."""

from typing import Any

from graphql import GraphQLError, GraphQLSchema, build_schema, graphql_sync

from tests.fakes.github.payloads import Payload
from tests.fakes.github.state import Comment, Pull, RefusedError, Run, State, Token

MOST = 100
_SCHEMA = """
scalar DateTime
scalar GitObjectID
enum PullRequestState { OPEN CLOSED MERGED }
enum IssueOrderField { CREATED_AT UPDATED_AT COMMENTS }
enum OrderDirection { ASC DESC }
input IssueOrder { field: IssueOrderField! direction: OrderDirection! }
interface Node { id: ID! }
type Query {
  viewer: User!
  nodes(ids: [ID!]!): [Node]!
  repository(owner: String!, name: String!, followRenames: Boolean = true): Repository
}
type User { login: String! }
type Actor { login: String! }
type IssueComment implements Node {
  author: Actor
  id: ID!
  body: String!
  createdAt: DateTime!
  updatedAt: DateTime!
  lastEditedAt: DateTime
  includesCreatedEdit: Boolean!
  isMinimized: Boolean!
}
type Repository {
  databaseId: Int
  pullRequests(states: [PullRequestState!], first: Int, after: String, orderBy: IssueOrder): PullRequestConnection!
}
type PageInfo { hasNextPage: Boolean! endCursor: String }
type PullRequestConnection { nodes: [PullRequest] pageInfo: PageInfo! totalCount: Int! }
type PullRequest {
  number: Int!
  title: String!
  createdAt: DateTime!
  headRefOid: GitObjectID!
  comments(first: Int, last: Int): IssueCommentConnection!
  commits(first: Int, last: Int): PullRequestCommitConnection!
}
type IssueCommentConnection { nodes: [IssueComment] }
type PullRequestCommitConnection { nodes: [PullRequestCommit] }
type PullRequestCommit { commit: Commit! }
type Commit { oid: GitObjectID! statusCheckRollup: StatusCheckRollup }
type StatusCheckRollup { contexts(first: Int): StatusCheckRollupContextConnection! }
type StatusCheckRollupContextConnection { nodes: [StatusCheckRollupContext] pageInfo: PageInfo! }
union StatusCheckRollupContext = CheckRun | StatusContext
type StatusContext { context: String! }
type CheckRun {
  databaseId: Int
  name: String!
  externalId: String
  text: String
  completedAt: DateTime
  checkSuite: CheckSuite!
}
type CheckSuite { app: App }
type App { databaseId: Int }
"""
_MAY = ("issues", "pull-requests")


def _schema() -> GraphQLSchema:
    schema = build_schema(_SCHEMA)
    for name in ("Node", "StatusCheckRollupContext"):
        kind: Any = schema.get_type(name)
        kind.resolve_type = lambda value, *_: value["__typename"]
    return schema


SCHEMA = _schema()


class _RefusedError(GraphQLError):
    """An error with a type, as GitHub gives it beside the message."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message, extensions={"type": kind})


def answer(state: State, actor: Token, body: Any) -> tuple[Payload, list[str]]:
    """Return the answer to a query, and what is wrong with the query. GitHub answers 200 for both."""
    if not isinstance(body, dict) or set(body) != {"query", "variables"}:
        return _wrong("A query attribute must be specified and must be a string.")
    done = graphql_sync(
        SCHEMA, body["query"], _Root(state, actor), variable_values=body["variables"]
    )
    if done.data is None:
        return _wrong("; ".join(error.message for error in done.errors or ()))
    errors = [_error(error) for error in done.errors or ()]
    return {"data": done.data, **({"errors": errors} if errors else {})}, []


def _wrong(message: str) -> tuple[Payload, list[str]]:
    return {"errors": [{"message": message}]}, [message]


def _error(error: GraphQLError) -> Payload:
    return {
        "type": (error.extensions or {})["type"],
        "path": list(error.path or ()),
        "message": error.message,
        "locations": [
            {"line": place.line, "column": place.column} for place in error.locations or ()
        ],
    }


class _Root:
    """The fields of a query; the name of each method is that of a field."""

    def __init__(self, state: State, actor: Token) -> None:
        self._state, self._actor = state, actor

    def viewer(self, _: Any) -> Payload:
        return {"login": self._actor.login}

    def nodes(self, _: Any, ids: list[str]) -> list[Any]:
        if len(ids) > MOST:
            raise _RefusedError(
                "ARGUMENT_LIMIT",
                f"You may not provide more than {MOST} node ids; you provided {len(ids)}.",
            )
        return [self._node(name) for name in ids]

    def _node(self, name: str) -> Any:
        comment = next(
            (item for item in self._state.comments.values() if f"IC_{item.id}" == name), None
        )
        if comment is None:
            return _RefusedError(
                "NOT_FOUND", f"Could not resolve to a node with the global id of '{name}'"
            )
        if not any(self._actor.permissions.get(permission) for permission in _MAY):
            return _RefusedError("FORBIDDEN", "Resource not accessible by integration")
        return _comment(comment)

    def repository(self, _: Any, owner: str, name: str, followRenames: bool) -> Any:  # noqa: N803 - GitHub's name
        try:
            place = self._state.named(f"{owner}/{name}")
        except RefusedError:
            raise _RefusedError(
                "NOT_FOUND", f"Could not resolve to a Repository with the name '{owner}/{name}'."
            ) from None
        return _Repository(place, self._actor)


def _comment(comment: Comment) -> Payload:
    return {
        "__typename": "IssueComment",
        "id": f"IC_{comment.id}",
        "author": {"login": comment.author.removesuffix("[bot]")},
        "body": comment.body,
        "createdAt": comment.created,
        "updatedAt": comment.updated,
        "lastEditedAt": comment.edited,
        "includesCreatedEdit": comment.edited is not None,
        "isMinimized": comment.hidden,
    }


class _Repository:
    def __init__(self, state: State, actor: Token) -> None:
        self._state, self._actor = state, actor

    def databaseId(self, _: Any) -> int:  # noqa: N802 - GitHub's name
        return self._state.number("repository", self._state.place.name)

    def pullRequests(  # noqa: N802 - GitHub's name
        self, _: Any, first: int, after: str | None = None, **filters: Any
    ) -> Payload:
        assert first <= MOST
        pulls = [*self._state.pulls.values()]
        if "states" in filters:
            assert filters.pop("states") == ["OPEN"]
            pulls = [item for item in pulls if item.closed is None]
        if "orderBy" in filters:
            assert filters.pop("orderBy") == {"field": "UPDATED_AT", "direction": "DESC"}
            pulls.sort(key=lambda item: item.updated, reverse=True)
        assert not filters
        start = int(after or 0)
        end = start + first
        return {
            "nodes": [self._pull(item) for item in pulls[start:end]],
            "pageInfo": {"hasNextPage": end < len(pulls), "endCursor": str(end)},
            "totalCount": len(pulls),
        }

    def _pull(self, pull: Pull) -> Payload:
        head = self._state.tips(pull)[1]
        commit = {"oid": head, "statusCheckRollup": lambda *_: self._rollup(head)}
        return {
            "number": pull.number,
            "title": pull.title,
            "createdAt": pull.created,
            "headRefOid": head,
            "comments": lambda _, last: {"nodes": self._comments(pull.number)[-last:]},
            "commits": lambda *_, **__: {"nodes": [{"commit": commit}]},
        }

    def _comments(self, number: int) -> list[Payload]:
        found = (item for item in self._state.comments.values() if item.number == number)
        return [_comment(item) for item in found]

    def _rollup(self, head: str) -> Payload | None:
        runs = {(run.author, run.name): run for run in self._state.runs.values() if run.sha == head}
        if not runs:
            return None
        return {"contexts": lambda _, first: self._contexts([*runs.values()], first)}

    def _contexts(self, runs: list[Run], first: int) -> Payload:
        shown: list[Any] = [self._run(run) for run in runs[:first]]
        if not self._actor.permissions.get("checks"):
            shown = [
                _RefusedError("FORBIDDEN", "Resource not accessible by personal access token")
                for _ in shown
            ]
        return {"nodes": shown, "pageInfo": {"hasNextPage": len(runs) > first, "endCursor": None}}

    def _run(self, run: Run) -> Payload:
        return {
            "__typename": "CheckRun",
            "databaseId": run.id,
            "name": run.name,
            "externalId": run.external_id,
            "text": run.output["text"],
            "completedAt": run.completed,
            "checkSuite": {"app": {"databaseId": self._state.number("app", run.author)}},
        }
