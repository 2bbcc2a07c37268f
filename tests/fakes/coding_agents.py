"""Coding agents as users run them, with a scripted model: the real Claude Code CLI and the real Gemini CLI."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from tests.fakes import judges
from tests.fakes.scripted_gemini import GeminiModel
from tests.fakes.scripted_model import Model

GEMINI = "@google/gemini-cli@0.61.0"
_TIMEOUT = 120
Done = subprocess.CompletedProcess[str]


def claude(model: Model, folder: Path, home: Path, programs: Path) -> Done:
    """Give a task to the Claude Code CLI, which may edit files without asking; the output is a JSON object a line."""
    home.mkdir(exist_ok=True)
    command = [judges.claude(), "-p", "--output-format", "stream-json", "--verbose"]
    options = ["--permission-mode", "acceptEdits", "--model", "claude-sonnet-5-5"]
    variables = {
        "ANTHROPIC_BASE_URL": model.url,
        "ANTHROPIC_API_KEY": judges.KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_TMPDIR": str(home),
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_TELEMETRY": "1",
    }
    return _run([*command, *options], "Implement ADR-014.", folder, home, programs, variables)


def gemini(program: str, model: GeminiModel, folder: Path, home: Path, programs: Path) -> Done:
    """Give a task to the Gemini CLI, which may edit files without asking; the output is one JSON object."""
    settings = home / ".gemini" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    settings.write_text(json.dumps(auth), encoding="utf-8")
    command = [program, "-m", "gemini-2.5-flash", "--output-format", "json", "--yolo"]
    variables = {
        "GEMINI_API_KEY": "scripted",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_TELEMETRY_ENABLED": "false",
        "GOOGLE_GEMINI_BASE_URL": model.url,
    }
    task = ["-p", "Implement ADR-014."]
    return _run([*command, *task], "", folder, home, programs, variables)


def gemini_program(folder: Path) -> tuple[str, str]:
    """Install the Gemini CLI from the npm registry, once; return it, or "" and why it is not there."""
    if not shutil.which("npm"):
        return "", "npm is not there, so the Gemini CLI is not installed"
    program, failed = folder / "node_modules" / ".bin" / "gemini", folder / "failed"
    with FileLock(f"{folder}.lock"):
        if not program.exists() and not failed.exists():
            error = _installed(folder)
            if error:
                failed.write_text(error, encoding="utf-8")
    if failed.exists():
        return "", f"npm could not install {GEMINI}: {failed.read_text(encoding='utf-8')}"
    return str(program), ""


def _installed(folder: Path) -> str:
    """Install the Gemini CLI; return "", or what npm says."""
    folder.mkdir(exist_ok=True)
    quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0"]
    authorities = os.environ.get("SSL_CERT_FILE")
    extra = {"NODE_EXTRA_CA_CERTS": authorities} if authorities else {}
    done = subprocess.run(
        ["npm", "install", *quiet, "--prefix", str(folder), GEMINI],
        env={**os.environ, **extra},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.stderr.strip()[-300:] or "it says nothing" if done.returncode else ""


def on_path(folder: Path, name: str, *command: str | Path) -> Path:
    """Write a program that starts a command, as an agent finds it on its PATH; return the folder."""
    folder.mkdir(exist_ok=True)
    place = folder / name
    place.write_text(f'#!/bin/sh\nexec {shlex.join(map(str, command))} "$@"\n', encoding="utf-8")
    place.chmod(0o755)
    return folder


def _run(
    command: list[str],
    task: str,
    folder: Path,
    home: Path,
    programs: Path,
    variables: dict[str, str],
) -> Done:
    path = f"{programs}{os.pathsep}{_without_ours(os.environ['PATH'])}"
    return subprocess.run(
        command,
        input=task,
        cwd=folder,
        env={**os.environ, **variables, "HOME": str(home), "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=_TIMEOUT,
    )


def _without_ours(path: str) -> str:
    """Return a PATH without the environment of the tests, which has `helix-hooks` too."""
    ours = str(Path(sys.executable).parent)
    return os.pathsep.join(place for place in path.split(os.pathsep) if place != ours)
