"""Work for which no customer waits: a timer in the web process."""

import threading
from collections.abc import Callable


def later(seconds: float, work: Callable[..., None], *arguments: object) -> None:
    timer = threading.Timer(seconds, work, arguments)
    timer.daemon = True
    timer.start()
