"""`helix-hooks doctor`: gaps in the set-up of the gate. It changes nothing."""

import os
from contextlib import closing

import click

from ..check import configuration
from ..check.standard import conclusions
from ..check.trees import Index
from ..check.work_tree import WorkTree
from ..console.output import print_result
from ..doctor import agents, clone, github
from ..report import doctor
from ..report.doctor import DoctorSection
from ..safety import agents as safe_agents
from ..safety import clone as safe_clone
from ..safety import configuration as safe_configuration
from ..safety import hosted as safe_hosted
from ..safety.line import OK, Line
from ..text.sanitize import printable
from .frame import command, console, git_root, with_format

EXAMPLE = """examples:
  helix-hooks doctor                     check this clone
  GITHUB_TOKEN=... helix-hooks doctor    check its repository on GitHub too
  helix-hooks doctor --repo acme/decisions --format json

The token must be able to read contents and administration.

states:
  ok       correct
  missing  not configured
  unsafe   configured, but it can be bypassed
  unknown  could not be determined

exit codes:
  0  nothing is missing or unsafe
  1  something is missing or unsafe
  2  usage error, or the settings are broken
  3  GitHub could not be reached; the clone was checked"""


@command("doctor", example=EXAMPLE)
@click.option(
    "--repo",
    metavar="OWNER/NAME",
    default="",
    help="repository on GitHub (default: GITHUB_REPOSITORY, else the remote `origin`)",
)
@with_format()
def run(*, repo: str, format: str) -> int:
    """Print the gaps in the set-up; return an exit code for the worst one."""
    root = git_root("doctor")
    with closing(Index(root)) as index:
        tree = WorkTree(root, index)
        config = configuration.examine(tree, index)
        facts = clone.facts(root, tree)
        agent_facts = agents.facts(tree, dict(os.environ))
        norms = conclusions(tree, config.view.settings) if config.view else []
    hosted = github.facts(root, repo, facts.workflow, os.environ)
    settings = safe_configuration.lines(config.errors, config.view, config.idle, config.cautions)
    here = [*safe_clone.lines(facts, settings, config.folder), *safe_agents.lines(agent_facts)]
    here += (Line("norm", OK, printable(line)) for line in norms)
    sections = (
        DoctorSection("here", tuple(here)),
        DoctorSection(
            "on GitHub", tuple(safe_hosted.lines(hosted, facts.workflow, config.deciders))
        ),
    )
    code = _exit_code(sections, bool(config.errors), hosted.failed)
    if format == "json":
        print_result(doctor.json(sections, passed=not code))
    else:
        print_result(doctor.text(sections, console().colored, console().quiet))
    return code


def _exit_code(sections: tuple[DoctorSection, ...], is_broken: bool, has_failed: bool) -> int:
    if is_broken:
        return 2
    if has_failed:
        return 3
    return int(not doctor.stands(sections))
