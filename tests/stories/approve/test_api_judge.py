"""A judge by API, in each protocol: what it is sent, what its tools show, and what its answer costs."""

import contextlib
import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.fakes import api_judge, judges
from tests.fakes.api_judge import KEYS, MODELS, answer, approving, results, settings
from tests.fakes.model_description import require_request, require_response
from tests.fakes.program import approve
from tests.fakes.scripted_model import Model, Reply, Request, fail, said, say, turn, use
from tests.stories.approve.scene import ADR, Place, left_behind, main_has, outcome

TOKENS = (9000, 200)
FINDING = {
    "severity": "error",
    "check": "completeness",
    "message": "Nothing is said of it.",
    "path": ADR,
    "line": 1,
    "evidence": "We will use Kafka",
    "help": "",
}


@pytest.mark.parametrize("vendor", MODELS)
def test_each_api_gives_a_verdict(change: Repository, tmp_path: Path, vendor: str) -> None:
    main_has(change, "config/approvals.yaml", settings(MODELS[vendor]))
    steps = use("search", text="orders")._replace(tokens=TOKENS)
    with Model(lambda request: approving(steps)(request)._replace(tokens=TOKENS)) as model:
        done = approve(
            "--base", "main", "--format", "json", env=api_judge.environment(model, tmp_path)
        )
    assert done.returncode == 0, done.stdout + done.stderr
    found = outcome(done)
    context = found["approvals"][0]["agent_context"]
    assert (found["decision"], context["agent"], context["turns"]) == ("approved", "api", 2)
    assert context["model"] == MODELS[vendor].partition(":")[2]
    assert context["tokens_used"] == 2 * sum(TOKENS)
    assert (context["cost_usd"] is None) == (vendor == "ollama")
    first, second = model.requests
    assert "Kafka as the broker" in said(first), "the ADR is in the first request"
    assert "docs/adr/0007-kafka.md:13: We will use Kafka" in results(second)[0]
    assert not left_behind() and not list((tmp_path / "tmp").iterdir())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc")
def test_the_process_has_the_key_of_its_model_alone(change: Repository, tmp_path: Path) -> None:
    """Attack on the judge: another key or token in the environment of a judge by API.
    Answer: its process has the key of its model, under a name of its own, and no other secret.
    """
    main_has(change, "config/approvals.yaml", settings(MODELS["openai"]))
    environments = []

    def script(request: Request) -> Reply:
        for place in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if b"model_loop" in (place / "cmdline").read_bytes():
                    environments.append((place / "environ").read_bytes())
        return answer(request)

    with Model(script) as model:
        env = api_judge.environment(model, tmp_path)
        assert approve("--base", "main", env=env).returncode == 0
    assert model.keys == {f"Bearer {KEYS['OPENAI_API_KEY']}"}
    # Tests beside this one have judges too.
    (seen,) = (item for item in environments if f"{model.url}/v1".encode() in item)
    secrets = [*KEYS.values(), *api_judge.OTHERS.values()]
    assert [value for value in secrets if value.encode() in seen] == [KEYS["OPENAI_API_KEY"]]
    assert b"HELIX_MODEL_KEY=" in seen and b"GITHUB_" not in seen


def test_the_option_wins_over_the_agent(change: Repository, tmp_path: Path) -> None:
    main_has(change, "config/approvals.yaml", settings(MODELS["openai"]))
    with Model(approving()) as model:
        env = api_judge.environment(model, tmp_path)
        done = approve("--base", "main", "--model", "anthropic:claude-haiku-4-5", env=env)
    assert "by claude-haiku-4-5" in done.stdout, done.stdout
    assert model.paths == ["POST /v1/messages"]


def test_an_answer_that_does_not_fit_is_corrected(change: Repository, tmp_path: Path) -> None:
    main_has(change, "config/approvals.yaml", settings(MODELS["anthropic"]))

    def script(request: Request) -> Reply:
        return answer(request, **({"result": "lgtm"} if turn(request) == 0 else {}))

    with Model(script) as model:
        done = approve("--base", "main", env=api_judge.environment(model, tmp_path))
    assert done.returncode == 0, done.stdout
    assert "does not fit its schema: result" in said(model.requests[1])


def test_a_light_judge_by_api_decides(change: Repository, tmp_path: Path) -> None:
    smart = "  smart: {model: 'anthropic:claude-haiku-4-5', confidence: 0.9}\n"
    text = settings(MODELS["openai"]).replace("defaults: {", "defaults:\n  ").replace("}\n", "\n")
    agents, _, rest = text.partition("defaults:\n")
    lines = "".join(f"  {item.strip()}\n" for item in rest.split(","))
    main_has(change, "config/approvals.yaml", f"{agents.strip()}}}\ndefaults:\n{lines}{smart}")
    with Model(approving()) as model:
        done = approve("--base", "main", env=api_judge.environment(model, tmp_path))
    assert done.returncode == 0 and "claude-haiku-4-5" in done.stdout, done.stdout + done.stderr
    assert len(model.requests) == 1 and "Kafka as the broker" in said(model.requests[0])


FAULTS: dict[str, tuple[Callable[[Request], Reply], str, str]] = {
    "401": (lambda _: fail(401), "agent", "rejected the key (401)"),
    "403": (lambda _: fail(403), "agent", "rejected the key (403)"),
    "413": (lambda _: fail(413), "agent", "answered 413"),
    "500": (lambda _: fail(500), "agent", "answered 500"),
    "429": (lambda _: fail(429, ("retry-after", "7200")), "agent", "rate limit; try again at 20"),
    "529": (lambda _: fail(529), "agent", "answered 529"),
    "half an answer": (
        lambda request: answer(request)._replace(cut=True),
        "agent",
        "without sending complete message body",
    ),
    "no JSON": (lambda _: Reply(body=b"<html>busy</html>"), "agent", "answered no JSON object"),
    "deep JSON": (lambda _: Reply(body=b"[" * 200_000), "agent", "answered no JSON object"),
    "another JSON": (
        lambda _: Reply(body=b'{"choices": 1, "content": 1}'),
        "agent",
        "something else than its protocol: Expected `array`, got `int`",
    ),
    "an error with status 200": (
        lambda _: Reply(body=b'{"error": {"message": "Provider returned error", "code": 502}}'),
        "agent",
        "the model's API answered: Provider returned error",
    ),
    "compressed": (
        lambda _: Reply(body=gzip.compress(b"{}"), headers=(("content-encoding", "gzip"),)),
        "agent",
        "answered no JSON object",
    ),
    "429 until no date": (
        lambda _: fail(429, ("retry-after", "Thu, 31 Dec 2099 10:00:00 +99999999999999999999")),
        "agent",
        "answered 429",
    ),
    "fewer than no tokens": (
        lambda request: answer(request)._replace(tokens=(-9_000, 200)),
        "agent",
        "Expected `int` >= 0",
    ),
    "without end": (
        lambda _: Reply(body=b'{"x": "' + b"x" * 9_000_000),
        "agent",
        "answered more than 8 MB",
    ),
    "429 until a date": (
        lambda _: fail(429, ("retry-after", "Thu, 31 Dec 2099 10:00:00 GMT")),
        "agent",
        "rate limit; try again at 20",
    ),
    "hangs": (lambda _: Reply(hold=90), "timeout", "did not answer within 12 seconds"),
    "nothing": (lambda _: say(""), "parse", "no answer of the model matched"),
    "prose": (lambda _: say("It is approved."), "parse", "no answer of the model matched"),
    "refusal": (lambda _: say("")._replace(stop="refusal"), "agent", "refused to answer"),
    "cut at its limit": (
        lambda request: answer(request)._replace(stop="max_tokens"),
        "output",
        "was cut",
    ),
    "another model": (
        lambda request: answer(request)._replace(model="smaller-model"),
        "agent",
        "the model changed: smaller-model",
    ),
    "another model later": (
        lambda request: (
            use("list_files") if turn(request) == 0 else answer(request)._replace(model="smaller")
        ),
        "agent",
        "the model changed: smaller",
    ),
    "a brief is missing": (lambda request: answer(request, checks={}), "parse", "matched"),
    "a file is missing": (lambda request: answer(request, files=[]), "parse", "matched"),
    "another result": (lambda request: answer(request, result="lgtm"), "parse", "matched"),
    "confidence in words": (lambda request: answer(request, confidence="high"), "parse", "matched"),
    "findings are null": (lambda request: answer(request, findings=[None]), "parse", "matched"),
    "a forged quote": (
        lambda request: answer(request, findings=[{**FINDING, "evidence": "never written"}]),
        "parse",
        "quote not found",
    ),
    "a quote from elsewhere": (
        lambda request: answer(request, findings=[{**FINDING, "path": "/etc/passwd"}]),
        "parse",
        "does not have",
    ),
    "turns without end": (lambda _: use("list_files"), "budget", "turn limit"),
    "several answers": (
        lambda request: Reply(
            (
                *answer(request).blocks,
                *answer(request, result="rejected", findings=[FINDING]).blocks,
            )
        ),
        "output",
        "several answers",
    ),
    "a part of the request": (
        lambda request: answer(request)._replace(tokens=(900, 200)),
        "setup",
        "only a part of the request (900 tokens)",
    ),
    "no count": (lambda request: answer(request)._replace(tokens=(0, 0)), "setup", "only a part"),
    "the next model": (
        lambda request: answer(request)._replace(model=f"{request['model']}-1"),
        "agent",
        "the model changed",
    ),
    "no end": (
        lambda request: answer(request)._replace(stop="pause_turn"),
        "output",
        "did not finish its answer",
    ),
    "many calls": (
        lambda _: Reply(use("list_files").blocks * 31),
        "agent",
        "called 31 tools at once",
    ),
    "too dear": (
        lambda request: answer(request)._replace(tokens=(900_000, 200)),
        "budget",
        "max_cost_usd",
    ),
    "too many tokens": (
        lambda request: answer(request)._replace(tokens=(60_000, 200)),
        "budget",
        "token limit was reached (60200 of 50000",
    ),
}
"""What a model does, the step that fails, and what is told of it."""

PROTOCOLS = ("anthropic", "openai")


@pytest.mark.parametrize("vendor", PROTOCOLS)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.sampled
def test_no_fault_becomes_a_verdict(
    change: Repository, tmp_path: Path, fault: str, vendor: str
) -> None:
    """Attack on the judge: a model behind an API that refuses, hangs, stops in the middle, is another one, forges quotes or leaves out briefs.
    Answer: no verdict, with the reason; what is asked again is bounded by turns, tokens and dollars.
    """
    script, check, words = FAULTS[fault]
    text = settings(MODELS[vendor], ", max_tokens: 50_000")
    main_has(
        change, "config/approvals.yaml", text.replace("defaults: {", "defaults: {max_turns: 4, ")
    )
    with Model(script) as model:
        env = api_judge.environment(model, tmp_path)
        done = approve("--base", "main", "--format", "json", "--timeout", "12", env=env)
    assert done.returncode == 3, done.stdout + done.stderr
    (verdict,) = outcome(done)["approvals"]
    (finding,) = verdict["findings"]
    assert (verdict["result"], verdict["confidence"]) == ("rejected", 0)
    assert finding["check"] == check
    assert words in finding["message"]
    assert not [key for key in KEYS.values() if key in done.stdout + done.stderr]
    assert not left_behind()


@pytest.mark.parametrize("vendor", PROTOCOLS)
def test_a_request_that_is_refused_for_now_is_sent_again(
    change: Repository, tmp_path: Path, vendor: str
) -> None:
    main_has(change, "config/approvals.yaml", settings(MODELS[vendor]))
    replies = [fail(529, ("retry-after", "0.1")), fail(429, ("retry-after", "0"))]
    with Model(lambda item: replies.pop() if replies else answer(item)) as model:
        done = approve(
            "--base", "main", "--format", "json", env=api_judge.environment(model, tmp_path)
        )
    assert done.returncode == 0, done.stdout + done.stderr
    context = outcome(done)["approvals"][0]["agent_context"]
    assert (len(model.requests), context["turns"]) == (3, 1)


ONCE = ["half an answer", "429", "429 until a date", "401", "refusal"]


@pytest.mark.parametrize("fault", ONCE)
def test_a_request_that_may_cost_is_not_sent_again(
    change: Repository, tmp_path: Path, fault: str
) -> None:
    main_has(change, "config/approvals.yaml", settings(MODELS["openai"]))
    with Model(FAULTS[fault][0]) as model:
        done = approve("--base", "main", env=api_judge.environment(model, tmp_path))
    assert done.returncode == 3 and len(model.requests) == 1, done.stdout


@pytest.mark.parametrize("is_chat", [True, False])
def test_the_scripted_model_knows_the_apis(is_chat: bool) -> None:
    """The check of what the scripted model is sent and says, which the other tests rely on."""
    request = {"model": "m", "messages": [{"role": "user", "content": "a"}], "max_tokens": 1}
    require_request(request, is_chat)
    with pytest.raises(ValueError, match="max_token: 1 is read as None"):
        require_request({**request, "max_token": 1}, is_chat)
    with pytest.raises(ValueError, match="Field required"):
        require_request({**request, "messages": [{"role": "user"}]}, is_chat)
    with pytest.raises(ValueError, match="content" if not is_chat else "choices"):
        require_response({"id": "1", "model": "m"}, is_chat)


def test_a_review_that_does_not_fit_is_not_begun(change: Repository, tmp_path: Path) -> None:
    """Attack on the judge: an ADR that is longer than a model's request, so that a server would cut it.
    Answer: no verdict before the first request where the limit is known, and none if a server has counted too few tokens (the fault `a part of the request`).
    """
    text = settings(MODELS["openai"], ", max_request_tokens: 2_000")
    main_has(change, "config/approvals.yaml", text)
    with Model(approving()) as model:
        env = api_judge.environment(model, tmp_path)
        done = approve("--base", "main", env=env)
        assert done.returncode == 3 and not model.requests
        assert "tokens in one request, and gpt-4.1 takes 2000" in done.stdout, done.stdout


def test_another_address_is_never_asked(change: Repository, tmp_path: Path) -> None:
    """Attack on the judge: a model's address that redirects elsewhere, or an address in a file of the change.
    Answer: a redirect is a failure; only the runner's environment names the address; the tree under review is not imported from.
    """
    for name in ("httpx2", "json", "sitecustomize", "genai_prices", "helix_hooks/__init__"):
        change.write(f"{name}.py", "import os\nos.kill(os.getppid(), 9)\n")
    change.write(".env", "OPENAI_BASE_URL=http://127.0.0.1:9/v1\n")
    change.git("add", "--all")
    change.commit()
    main_has(change, "config/approvals.yaml", settings(MODELS["openai"]))
    with Model(approving()) as elsewhere:
        target = ("location", f"{elsewhere.url}/v1/chat/completions")
        with Model(lambda _: fail(307, target)) as model:
            env = api_judge.environment(model, tmp_path)
            done = approve("--base", "main", ADR, env=env)
        assert done.returncode == 3 and "307" in done.stdout, done.stdout + done.stderr
        assert model.requests and not elsewhere.requests
        done = approve("--base", "main", ADR, env=api_judge.environment(elsewhere, tmp_path))
    assert elsewhere.requests and done.returncode == 0, done.stdout + done.stderr


def test_what_is_missing_is_told(change: Repository, tmp_path: Path) -> None:
    main_has(change, "config/approvals.yaml", settings(MODELS["openai"]))
    env = {**api_judge.environment(None, tmp_path), "OPENAI_API_KEY": ""}
    assert "set OPENAI_API_KEY" in approve("--base", "main", env=env).stdout
    env["OPENAI_API_KEY"] = "sk-…"
    assert "has a character that no key has" in approve("--base", "main", env=env).stdout
    env = {**api_judge.environment(None, tmp_path), "OPENAI_BASE_URL": "file:///etc/passwd"}
    assert "OPENAI_BASE_URL is not an address" in approve("--base", "main", env=env).stdout
    env = {
        **api_judge.environment(None, tmp_path),
        "OPENAI_BASE_URL": "http://tok9@127.0.0.1:9/tok8",
    }
    assert not {"tok8", "tok9"} & {*re.findall(r"tok\d", approve("--base", "main", env=env).stdout)}
    env = {**api_judge.environment(None, tmp_path), "OPENAI_BASE_URL": "http://[::1"}
    assert "OPENAI_BASE_URL is not an address" in approve("--base", "main", env=env).stdout
    env = api_judge.environment(None, tmp_path)
    assert "names no API" in approve("--base", "main", "--model", "gpt-4.1", env=env).stdout
    done = approve("--base", "main", env=env)
    assert done.returncode == 3 and "(asked http://127.0.0.1:9)" in done.stdout, done.stdout


BOTH = f"""agents:
  first: {{model: '{MODELS["anthropic"]}'}}
  second: {{model: '{MODELS["openai"]}'}}
defaults: {{max_retries: 0}}
approvals: {{adr: {{agents: [first, second]}}}}
"""


def differing(request: Request) -> Reply:
    """The model of OpenAI finds an error, that of Anthropic none."""
    if request["model"].startswith("gpt"):
        return answer(request, result="rejected", summary="No way back.", findings=[FINDING])
    return answer(request)


def test_two_judges_that_agree_are_one_verdict(change: Repository, tmp_path: Path) -> None:
    main_has(change, "config/approvals.yaml", BOTH)
    with Model(approving()) as model:
        env = api_judge.environment(model, tmp_path)
        done = approve("--base", "main", "--format", "json", env=env)
    found = outcome(done)
    (verdict,) = found["approvals"]
    assert done.returncode == 0 and len(model.requests) == 2
    assert verdict["agent_context"]["agent"] == "first, second"
    assert verdict["agent_context"]["model"] == "claude-sonnet-4-5, gpt-4.1"
    assert verdict["summary"].startswith("first: Sound") and " second: " in verdict["summary"]
    assert verdict["agent_context"]["turns"] == 2 and found["cost_usd"] > 0


def test_two_judges_that_differ_ask_a_person(change: Repository, tmp_path: Path) -> None:
    """Attack on the judge: words that talk one model into an approval.
    Answer: with `agents` another vendor's model answers too, and where they differ a person decides.
    """
    main_has(change, "config/approvals.yaml", BOTH)
    with Model(differing) as model:
        env = api_judge.environment(model, tmp_path)
        done = approve("--base", "main", "--format", "json", env=env)
    found = outcome(done)
    (verdict,) = found["approvals"]
    assert (done.returncode, found["decision"], found["category"]) == (4, "pending", "expertise")
    question = verdict["needs_person"]
    assert "first says approved: Sound" in question and "second says rejected: No way" in question
    assert [item["severity"] for item in verdict["findings"]] == ["warning"]


def test_two_judges_are_two_models(change: Repository, tmp_path: Path) -> None:
    """Attack on the judge: a second opinion that the first model gives.
    Answer: refused in the settings, and for a call with --model.
    """
    main_has(change, "config/approvals.yaml", BOTH)
    env = api_judge.environment(None, tmp_path)
    done = approve("--base", "main", "--model", MODELS["openai"], env=env)
    assert done.returncode == 2 and "would give the judges of adr one model" in done.stderr
    main_has(change, "config/approvals.yaml", BOTH.replace(MODELS["anthropic"], MODELS["openai"]))
    done = approve("--base", "main", env=env)
    assert done.returncode == 2 and "the same model, so they are one opinion" in done.stderr


def test_claude_is_not_asked_for_the_model_of_another(change: Repository, tmp_path: Path) -> None:
    done = approve(
        "--base", "main", "--model", MODELS["openai"], env=api_judge.environment(None, tmp_path)
    )
    assert (
        done.returncode == 2 and "needs an agent with `model`, and adr asks claude" in done.stderr
    )


@pytest.mark.further
def test_a_request_without_an_answer_has_an_unknown_cost(
    change: Repository, tmp_path: Path
) -> None:
    """Attack on the judge: a server that takes requests and does not answer, so that they seem free.
    Answer: the cost is unknown, and the judge is not asked again.
    """
    text = settings(MODELS["openai"]).replace("max_retries: 0", "max_retries: 2")
    main_has(change, "config/approvals.yaml", text)
    with Model(lambda _: Reply(hold=90)) as model:
        env = api_judge.environment(model, tmp_path)
        done = approve("--base", "main", "--format", "json", "--timeout", "30", env=env)
    context = outcome(done)["approvals"][0]["agent_context"]
    assert (done.returncode, context["turns"], context["cost_usd"]) == (3, 1, None)
    assert len(model.requests) == 1


def test_one_of_two_judges_that_fails_is_no_verdict(change: Repository, tmp_path: Path) -> None:
    main_has(change, "config/approvals.yaml", BOTH)
    with Model(lambda item: fail(500) if item["model"] == "gpt-4.1" else answer(item)) as model:
        done = approve("--base", "main", env=api_judge.environment(model, tmp_path))
    assert done.returncode == 3 and "answered 500" in done.stdout


@pytest.mark.double
def test_claude_and_a_judge_by_api_answer_side_by_side(
    change: Repository, tmp_path: Path, place: Place
) -> None:
    text = f"agents: {{gpt: {{model: '{MODELS['openai']}'}}}}\n"
    main_has(
        change, "config/approvals.yaml", f"{text}approvals: {{adr: {{agents: [claude, gpt]}}}}\n"
    )
    cli = judges.script([[{"read": True}, {"answer": {}}]])
    with Model(lambda item: answer(item) if item["model"] == "gpt-4.1" else cli(item)) as model:
        keys = {"OPENAI_API_KEY": KEYS["OPENAI_API_KEY"], "OPENAI_BASE_URL": f"{model.url}/v1"}
        done = approve("--base", "main", "--format", "json", env={**place(model=model), **keys})
    (verdict,) = outcome(done)["approvals"]
    assert (done.returncode, verdict["agent_context"]["agent"]) == (0, "claude, gpt")
    assert verdict["agent_context"]["model"] == "claude-sonnet-5-5, gpt-4.1"
    assert model.keys == {judges.KEY, f"Bearer {KEYS['OPENAI_API_KEY']}"}
