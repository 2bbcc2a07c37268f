"""The steps of the Action with a judge by API: the settings of the base name it, and `openai-api-key` is its key."""

from tests.conftest import Repository
from tests.fakes.api_judge import MODELS, answer, approving, settings
from tests.fakes.github.server import FakeGitHub
from tests.fakes.scripted_model import Model
from tests.stories.pull_request.scene import Runner, check, main_has, summary

APPROVALS = "config/approvals.yaml"
KEY = "sk-of-the-action-0123456789"


def environment(model: Model) -> dict[str, str]:
    return {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{model.url}/v1", "NO_PROXY": "127.0.0.1"}


def test_it_approves_with_the_key_of_the_action(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, APPROVALS, settings(MODELS["openai"]))
    with Model(approving()) as model:
        done = runner.job().steps(None, **environment(model))
    assert (done.code, check(github).conclusion) == (0, "success"), done
    assert model.keys == {f"Bearer {KEY}"} and len(model.requests) == 1
    assert "gpt-4.1" in summary(github)


def test_its_rejection_is_on_the_page(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, APPROVALS, settings(MODELS["openai"]))
    with Model(lambda request: answer(request, result="rejected")) as model:
        done = runner.job().steps(None, **environment(model))
    assert (done.code, check(github).conclusion) == (1, "failure"), done


def test_without_its_key_a_person_decides(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, APPROVALS, settings(MODELS["openai"]))
    with Model(approving()) as model:
        done = runner.job().steps(OPENAI_BASE_URL=f"{model.url}/v1")
    assert (done.code, check(github).conclusion) == (4, "action_required"), done
    assert (
        not model.requests
        and "there is no key of a model, such as anthropic-api-key" in summary(github)
    )
