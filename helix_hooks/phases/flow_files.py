"""The files that a flow needs before it starts."""

from .flow import Flow


def required_files(flow: Flow, only: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the paths and globs that must match a file at the start, each with the phase that
    needs it.

    What another phase makes before is left out.
    """
    raise NotImplementedError


def unattended(flow: Flow, manual: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return why a flow cannot run without people, a line each.

    `manual` are the approval types that a person answers by the configuration.
    """
    raise NotImplementedError
