"""What the Action would post on a pull request: `demo_page.py REPOSITORY BASE HEAD [APPROVER]`.

The steps `check` and `judge` run as in a workflow, and the functions of the step `publish`
write the page. Only GitHub is missing: a clone of REPOSITORY and the facts below stand in for it.
"""

import html
import os
import re
import subprocess
import sys
import tempfile

from helix_hooks.decision.decide import NO_VOTES, decide, of_pull_request
from helix_hooks.decision.handover import Handover, RunTarget
from helix_hooks.decision.pull_request import (
    GITHUB_ACTIONS,
    Comment,
    Commit,
    Person,
    PullRequest,
)
from helix_hooks.decision.votes import EffectiveVotes, count_votes, effective_votes
from helix_hooks.decision.who_may import VoterFacts
from helix_hooks.pull.payloads import payloads
from helix_hooks.pull.runner import Work

NUMBER, BRANCH = 12, "main"
AUTHOR = Person("noor", 1)


def main() -> None:
    repository, *names = sys.argv[1:4]
    base, head = (commit(repository, name) for name in names)
    with tempfile.TemporaryDirectory() as folder:
        handover = steps(repository, base, head, folder)
    pull = PullRequest(NUMBER, AUTHOR, head, base, is_open=True, base_ref=BRANCH)
    votes = NO_VOTES
    for login in sys.argv[4:]:
        comment = Comment(1, Person(login, 2), f"/helix approve {head}")
        pull = pull._replace(comments=(comment,))
        votes = approval(handover, pull, login)
        print(f"@{login}, a maintainer, comments: {comment.body[:22]}\n")
    decided = decide(of_pull_request(handover, pull, votes))
    sent = payloads(handover, pull, decided, GITHUB_ACTIONS)
    if sent.check_run:
        print(f"The check `helix`: {sent.check_run.conclusion}. {text(sent.check_run.title)}")
    for comment in sent.review.comments if sent.review else ():
        print(f"\nA comment at {comment['path']}:{comment['line']}\n")
        print(framed(text(comment["body"])))
    if sent.sticky:
        print(f"\nThe comment on the pull request\n\n{framed(text(sent.sticky))}")


def approval(handover: Handover, pull: PullRequest, login: str) -> EffectiveVotes:
    """Return the votes on a pull request, with GitHub's facts about a maintainer."""
    facts = VoterFacts({login: "maintain"}, (Commit((AUTHOR,), (), ""),), complete=True)
    return effective_votes(count_votes(handover, pull, facts))


def commit(repository: str, name: str) -> str:
    return git("-C", repository, "rev-parse", f"{name}^{{commit}}").strip()


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def steps(repository: str, base: str, head: str, folder: str) -> Handover:
    """Return what the steps hand over to the last one."""
    work = Work(folder)
    git("clone", "--quiet", "--bare", repository, work.objects)
    merge_base = git("-C", repository, "merge-base", base, head).strip()
    subject = RunTarget("tern/lockers", NUMBER, head, base, merge_base, "0" * 32, base_ref=BRANCH)
    work.save(Handover(subject))
    # The step asks a judge only where it finds a key or a program.
    environment = {**os.environ, "HELIX_AGENT_COMMAND": "stand-in-judge"}
    for mode in ("check", "judge"):
        command = ["helix-hooks", "github", "--mode", mode, "--work", folder]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"the step {mode} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return work.load({})


def text(markdown: str) -> str:
    """Return Markdown as a reader sees it: no tags, marks and escapes, and tables as lists."""
    found = re.sub(r"<!--.*?-->", "", markdown, flags=re.DOTALL)
    found = re.sub(r"</?(?:sub|details|summary)>|^#+ |^```\w*$|\*\*", "", found, flags=re.MULTILINE)
    found = re.sub(r"^(?:\|.*\n)+", lambda rows: table(rows[0]), found, flags=re.MULTILINE)
    found = re.sub(r"\\([^\w\s])", r"\1", found.replace("<br>", "\n     ")).replace("\u200b", "")
    return re.sub(r"\n{3,}", "\n\n", html.unescape(found)).strip()


def table(markdown: str) -> str:
    """Return the rows of a table, each cell behind the name of its column."""
    cells = [row.strip("|").split("|") for row in markdown.splitlines()]
    rows = [[cell.strip(" `") for cell in row] for row in cells]
    names, width = rows[0], max(map(len, rows[0]))
    pairs = [[*zip(names, row, strict=True)] for row in rows[2:]]
    return "\n".join("".join(f"{name:<{width}}  {cell}\n" for name, cell in row) for row in pairs)


def framed(text: str) -> str:
    return "\n".join(f"  | {line}".rstrip() for line in text.split("\n"))


if __name__ == "__main__":
    main()
