"""The work of `helix-hooks queue serve`: the queue in a browser."""

import os

from ..console.output import print_message
from ..dashboard import queue_sources, serve
from ..dashboard.options import Flags, options_of
from ..queue import place as queue_place
from ..queue.collect import Wanted
from .person import refuse_inside


def serve_queue(
    wanted: Wanted, *, host: str, port: int, path: str, user_header: str, proxies: tuple[str, ...]
) -> int:
    """Serve the queue of this work tree until the process ends."""
    # A program inside of a run could decide on the pages that it serves.
    refuse_inside(os.environ, "`helix-hooks queue serve`")
    flags = Flags(host=host, port=port, path=path, user_header=user_header, proxies=proxies)
    options = options_of(flags, os.environ)
    place = queue_place.here(os.environ)
    with (
        serve.listener(options) as listener,
        queue_sources.opened(place, wanted, os.environ) as sources,
    ):
        print_message(f"the queue of {place.project} is at {options.address.url}/")
        serve.serve(options, sources, listener)
    return 0
