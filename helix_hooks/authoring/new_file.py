"""Files that did not exist before: nothing is ever overwritten."""

import os

from .. import writing
from ..errors import HelixError


def create_file(place: str, text: str) -> None:
    """Write a new file, with the folders above it.

    Raises: FileExistsError if something is there; HelixError if it cannot be written.
    """
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        writing.create(place, text.encode())
    except FileExistsError:
        raise
    except OSError as error:
        raise HelixError(f"{place} could not be written: {error.strerror}") from None
