"""The place of a queue: the work tree, the database of its flows, and its project."""

import os
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

from ..flow import place as flow_place
from ..flow.place import FlowPlace
from ..flow.stored_name import LOCAL_PROJECT, PROJECT, store_name, stored_name
from ..git.commits import remote_address
from ..pull.access import forge_name, name_of, repository_name, server
from ..verify.base_policy import base_policy
from ..waiting.entry import ProjectPolicy

PAGE = "HELIX_DASHBOARD_URL"
"""The variable with the address of the queue's pages."""

_OWN = 8
"""Characters of the clone's own name."""


class QueuePlace(NamedTuple):
    """The work tree with the database of its flows and requests.

    `repository` is OWNER/NAME of its remote `origin` on GitHub, "" for none. `forge` is HOST/PATH
    of an `origin` elsewhere, "" for none. `stored_key` is the key that this clone has stored, "" as
    long as it has none.
    """

    flow: FlowPlace
    repository: str = ""
    forge: str = ""
    stored_key: str = ""

    @property
    def root(self) -> str:
        return self.flow.root

    @property
    def project(self) -> str:
        """The name of the project for people: that of `origin`, else that of the clone's folder.

        All work trees of a clone have one project.
        """
        return self.repository or self.forge or self._folder

    @property
    def key(self) -> str:
        """The key of the project's requests in a shared database.

        It is `flow.name` of the settings, else the name that the project had when this clone stored
        it: a later `origin` or path changes nothing. The name of a folder is followed by a part of
        the clone's own name, since another clone may have such a folder.
        """
        of_folder = self._folder
        if self.flow.is_shared:
            of_folder = f"{of_folder}-{self.flow.own_name[-_OWN:]}"
        computed = self.repository or self.forge or of_folder
        return self.flow.given_name or self.stored_key or computed

    @property
    def filter(self) -> str:
        """The key of the requests to read, "" for all: a database in a clone has no others."""
        return self.key if self.flow.is_shared else ""

    def store_key(self) -> None:
        """Store the key in the clone: requests have it from now on."""
        if not self.flow.given_name:
            store_name(self.flow.folder, _file(self.flow), self.key)

    @property
    def _folder(self) -> str:
        common = os.path.dirname(self.flow.folder)
        main = os.path.dirname(common) if os.path.basename(common) == ".git" else common
        return os.path.basename(main).removesuffix(".git")


class Wanted(NamedTuple):
    """The sources to read (all if empty), and the repositories whose pull requests are read.

    Without repositories and owner these are the pull requests of the work tree's own repository.
    Those of `also` are read in any case.
    """

    sources: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    owner: str = ""
    also: tuple[str, ...] = ()


def page_of(id: str, environment: Mapping[str, str]) -> str:
    """Return the address of an entry's page, "" if the variable names no pages."""
    pages = environment.get(PAGE, "").strip().rstrip("/")
    return f"{pages}/entry?id={quote(id)}" if pages else ""


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
    address = remote_address(place.root, "origin")
    return QueuePlace(
        flow=place,
        repository=name_of(address, server(environment)),
        forge=forge_name(address),
        stored_key=stored_name(place.folder, _file(place)),
    )


def _file(place: FlowPlace) -> str:
    """Return the file with the key: in a shared database another clone may have the local one."""
    return PROJECT if place.is_shared else LOCAL_PROJECT


def policy_of(place: QueuePlace) -> ProjectPolicy:
    """Return the policy of the main branch, which applies to decisions here."""
    last = base_policy(place.root)
    return ProjectPolicy(
        project=place.project,
        repository=place.repository,
        policy=last.policy,
        # `origin` may be on github.com even if a variable names another server.
        is_on_github=bool(place.repository or repository_name(place.root, "", {})),
        names_deciders=last.names_deciders,
    )
