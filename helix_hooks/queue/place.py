"""The place of a queue: the work tree, the database of its flows, and its project."""

import os
from collections.abc import Mapping
from typing import NamedTuple

from ..flow import place as flow_place
from ..flow.place import FlowPlace
from ..pull.access import repository_name
from ..verify.base_policy import base_policy
from ..waiting.project_policy import ProjectPolicy

_OWN = 8
"""Characters of the clone's own name."""


class QueuePlace(NamedTuple):
    """The work tree with the database of its flows and requests.

    `repository` is OWNER/NAME of its remote `origin` on GitHub, "" for none.
    """

    flow: FlowPlace
    repository: str = ""

    @property
    def root(self) -> str:
        return self.flow.root

    @property
    def project(self) -> str:
        """The project of this place: OWNER/NAME, else the name of the clone's folder.

        All work trees of a clone have one project. In a shared database, a part of the clone's own
        name follows, since another clone may have a folder of the same name.
        """
        if self.repository:
            return self.repository
        common = os.path.dirname(self.flow.folder)
        main = os.path.dirname(common) if os.path.basename(common) == ".git" else common
        name = os.path.basename(main).removesuffix(".git")
        return f"{name}-{self.flow.name[-_OWN:]}" if self.flow.is_shared else name


class Wanted(NamedTuple):
    """The sources to read (all if empty), and the repositories whose pull requests are read.

    Without repositories and owner these are the pull requests of the work tree's own repository.
    Those of `also` are read in any case.
    """

    sources: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    owner: str = ""
    also: tuple[str, ...] = ()


def here(environment: Mapping[str, str]) -> QueuePlace:
    """Return the place of the work tree around this folder. Raises UsageError outside of one."""
    return of_flow(flow_place.here(environment, "the queue"), environment)


def place_of(root: str, environment: Mapping[str, str]) -> QueuePlace:
    """Return the place of a work tree, without the database that its settings name."""
    return of_flow(flow_place.place_of(root, environment), environment)


def of_flow(place: FlowPlace, environment: Mapping[str, str]) -> QueuePlace:
    """Return the place beside that of the flows.

    The repository is that of `origin`: a variable that names another one changes nothing.
    """
    known = {**environment, "GITHUB_REPOSITORY": ""}
    return QueuePlace(place, repository_name(place.root, "", known))


def policy_of(place: QueuePlace) -> ProjectPolicy:
    """Return the policy of the main branch, which applies to decisions here."""
    last = base_policy(place.root)
    return ProjectPolicy(
        project=place.project,
        policy=last.policy,
        is_on_github=bool(place.repository) or _is_on_github_com(place.root),
        names_deciders=last.names_deciders,
    )


def _is_on_github_com(root: str) -> bool:
    """Return whether `origin` is on github.com, even if a variable names another server."""
    return bool(repository_name(root, "", {}))
