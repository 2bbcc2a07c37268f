"""`helix-hooks doctor`: gaps in the set-up of the gate, by which a change could pass it. It only looks."""

import os
from argparse import ArgumentParser, Namespace
from contextlib import closing

from ..check import configuration
from ..console.output import colored, write
from ..doctor import clone, github
from ..errors import UsageError
from ..report import doctor
from ..report.doctor import DoctorSection
from ..repository import files, git
from ..safety import clone as safe_clone
from ..safety import configuration as safe_configuration
from ..safety import hosted as safe_hosted

EXAMPLE = """examples:
  helix-hooks doctor                          this clone
  GITHUB_TOKEN=... helix-hooks doctor         its repository on GitHub too; the token needs to read contents and administration
  helix-hooks doctor --repo acme/decisions --format json

states:
  ok       as it should be
  missing  not there, so something does not run, or is not asked for
  unsafe   there, but somebody can pass it by
  unknown  could not be seen

exit codes:
  0  nothing is missing or unsafe
  1  something is missing or unsafe
  2  usage, or the settings here are broken
  3  GitHub could not answer; what is here was looked at"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--repo", metavar="OWNER/NAME", default="", help="the repository on GitHub (default: GITHUB_REPOSITORY, or that of `origin`)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print it (default: text)")


def run(options: Namespace) -> int:
    root = git.repository()
    if not root:
        raise UsageError("doctor needs a git repository, and this folder is not in one")
    with closing(git.Index(root)) as index:
        tree = files.WorkTree(root, index)
        config = configuration.examine(tree, index)
        here = clone.facts(root, tree)
    hosted = github.facts(root, options.repo, here.workflow, os.environ)
    settings = safe_configuration.lines(config.errors, config.view, config.idle, config.cautions)
    sections = (
        DoctorSection("here", tuple(safe_clone.lines(here, settings, config.folder))),
        DoctorSection("on GitHub", tuple(safe_hosted.lines(hosted, here.workflow))),
    )
    code = _exit_code(sections, bool(config.errors), hosted.failed)
    if options.format == "json":
        write(doctor.json(sections, passed=not code))
    else:
        write(doctor.text(sections, colored(options.color), options.quiet))
    return code


def _exit_code(sections: tuple[DoctorSection, ...], is_broken: bool, has_failed: bool) -> int:
    if is_broken:
        return 2
    if has_failed:
        return 3
    return 0 if doctor.stands(sections) else 1
