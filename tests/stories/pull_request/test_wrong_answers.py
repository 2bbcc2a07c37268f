"""A write is done when the answer names the object that was written; no other answer is taken for a stored check or comment."""

from typing import Any

import pytest

from tests.fakes.github.server import FakeGitHub, Fault
from tests.stories.pull_request.scene import People

ELSEWHERE = "http://127.0.0.1:1/repositories/4711"
MOVED: dict[str, Any] = {"message": "Moved Permanently", "url": ELSEWHERE, "documentation_url": "x"}
ANSWERS: dict[str, tuple[int, Any, dict[str, str]]] = {
    "nothing": (200, "", {}),
    "an empty object": (200, {}, {}),
    "a list": (200, [], {}),
    "a page of a proxy": (200, "<html>Welcome</html>", {}),
    "accepted for later": (202, {"message": "Accepted"}, {}),
    "no content": (204, "", {}),
    "a part of the JSON": (201, '{"id": 5, "url', {}),
    "an object of another repository": (201, {"id": 5, "url": f"{ELSEWHERE}/repos/o/r/x/5"}, {}),
    "a redirect of a write": (307, MOVED, {"Location": ELSEWHERE}),
    "a redirect for ever": (308, MOVED, {"Location": ELSEWHERE}),
    "a redirect to a sign-in": (302, "<html>Sign in</html>", {"Location": "/login"}),
    "a redirect to another scheme": (
        301,
        MOVED,
        {"Location": "https://127.0.0.1/repositories/4711"},
    ),
}
WRITES = {
    "the check run": ("POST", "/repos/acme/decisions/check-runs"),
    "the summary comment": ("POST", "/repos/acme/decisions/issues/1/comments"),
    "any change": ("PATCH", "/repos/acme/decisions/.*"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("write", WRITES)
def test_no_other_answer_is_a_stored_object(
    write: str, answer: str, github: FakeGitHub, people: People
) -> None:
    (verb, path), (status, body, headers) = WRITES[write], ANSWERS[answer]
    github.faults.append(Fault(verb, path, status, body, headers, times=1000))
    approving = people.job()
    approving.step("snapshot", GITHUB_TOKEN="ghs_reader0000000000000")
    approving.step("check")
    approving.step("judge", **people.judge(structured={"confidence": 0.5}))
    ended = approving.step("publish", GITHUB_TOKEN="ghs_writer0000000000000")
    stored = github.runs if write == "the check run" else github.comments
    if write != "any change":
        assert not stored, "the fake carries nothing out that it answers with a fault"
        assert ended.code in (3, 4) and "could not be written: " in ended.err, ended.err
        assert ended.err.startswith("helix-hooks: ") and "Traceback" not in ended.err
