"""What a scripted model says to an API judge, in either protocol, and the environment of a call."""

import os
from pathlib import Path
from typing import Any

from tests.fakes.judges import full
from tests.fakes.scripted_model import Model, Reply, Request, Script, tool_use, turn

KEYS = {
    "ANTHROPIC_API_KEY": "sk-ant-scripted-0123456789",
    "OPENAI_API_KEY": "sk-proj-scripted-0123456789",
    "GEMINI_API_KEY": "AIza-scripted-0123456789",
}
MODELS = {
    "anthropic": "anthropic:claude-sonnet-4-5",
    "openai": "openai:gpt-4.1",
    "google": "google:gemini-2.5-pro",
    "ollama": "ollama:qwen3",
}
OTHERS = {
    "GITHUB_TOKEN": "ghs-secret",
    "ACTIONS_RUNTIME_TOKEN": "runtime-secret",
    "INPUT_GITHUB-TOKEN": "input-secret",
    "SECRET_OF_SOMEONE": "other-secret",
}


def settings(model: str, more: str = "") -> str:
    """Return approvals with one API judge, which is asked once."""
    agent = f"agents: {{api: {{model: '{model}'{more}}}}}\n"
    return f"{agent}defaults: {{agent: api, max_retries: 0, retry_delay: 0}}\n"


def environment(model: Model | None, folder: Path) -> dict[str, str]:
    """Return the environment of a call: keys, addresses of the scripted model, and other secrets."""
    url = model.url if model else "http://127.0.0.1:9"
    (folder / "tmp").mkdir(exist_ok=True)
    return {
        **os.environ,
        **KEYS,
        **OTHERS,
        "ANTHROPIC_BASE_URL": url,
        "OPENAI_BASE_URL": f"{url}/v1",
        "GEMINI_BASE_URL": f"{url}/google",
        "OLLAMA_BASE_URL": f"{url}/ollama",
        "TMPDIR": str(folder / "tmp"),
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }


def schema(request: Request) -> dict[str, Any]:
    """Return the schema of the answer that a request asks for."""
    for tool in request["tools"]:
        function = tool.get("function", tool)
        if function["name"] == "answer":
            found: dict[str, Any] = function.get("parameters") or function["input_schema"]
            return found
    raise AssertionError("no request without the tool `answer`")


def answer(request: Request, **changed: Any) -> Reply:
    """Return an approval that leaves nothing out, with some of it changed."""
    properties = schema(request)["properties"]
    briefs, files = properties["checks"]["required"], properties["files"]["items"]["enum"]
    return Reply((tool_use("answer", full(briefs, files, changed)),))


def approving(*before: Reply) -> Script:
    """Return a script that answers in order, and then approves."""

    def reply(request: Request) -> Reply:
        if turn(request) < len(before):
            return before[turn(request)]
        return answer(request)

    return reply


def results(request: Request) -> list[str]:
    """Return the texts that tools have answered, in either protocol."""
    texts = []
    for message in request["messages"]:
        if message["role"] == "tool":
            texts.append(_text(message["content"]))
        elif message["role"] == "user" and isinstance(message["content"], list):
            blocks = [item for item in message["content"] if item.get("type") == "tool_result"]
            texts += [_text(item["content"]) for item in blocks]
    return texts


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(item["text"] for item in content)
