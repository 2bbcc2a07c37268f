"""Run a command where the real claude CLI speaks to a scripted model: `demo_judge.py COMMAND..`.

The script answers on loopback, with no key and at no cost; it finds what the stand-in finds.
"""

import os
import subprocess
import sys
from pathlib import Path

import claude_agent_sdk
import stand_in_judge

sys.path.insert(0, str(Path(__file__).parent.parent))

from evaluation import naive_reader
from tests.fakes.scripted_model import Model, Reply, Request, answer, tool_use, turn


def main() -> int:
    claude = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
    if not claude.exists():
        sys.exit("claude-agent-sdk brings no claude CLI for this platform")
    with Model(script) as model:
        done = subprocess.run(sys.argv[1:], env=surroundings(claude.parent, model.url), check=False)
    print(f"(the model was sent {len(model.requests)} requests)")
    return done.returncode


def surroundings(folder: Path, url: str) -> dict[str, str]:
    """Return the environment with the CLI before all others of its name, and without a real key."""
    own = ("ANTHROPIC_", "CLAUDE_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(own)}
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    direct = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    return {
        **kept,
        **direct,
        "PATH": path,
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "sk-scripted",
    }


def script(request: Request) -> Reply:
    """Read all files in the first turn, and answer in the second."""
    briefs, files = naive_reader.asked_for(request)
    if not turn(request):
        return Reply(tuple(tool_use("Read", {"file_path": path}) for path in files))
    return answer(stand_in_judge.answer(briefs, naive_reader.shown(request), "scripted model"))


if __name__ == "__main__":
    sys.exit(main())
