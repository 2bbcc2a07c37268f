"""The form of values in the database: JSON alone.

DBOS can also read pickled values, and does where a row says so. Whoever can write to a database
could run code by that, so it is made impossible here.
"""

import json
from typing import NoReturn

from dbos import Serializer
from dbos._serialization import DefaultSerializer

from ..errors import HelixError


class JsonSerializer(Serializer):
    """Values as JSON. An error of DBOS, which it records for its own eyes, becomes a text."""

    def serialize(self, data: object) -> str:
        return json.dumps(data, default=str)

    def deserialize(cls, serialized_data: str) -> object:  # noqa: N805 -- as DBOS has it
        return json.loads(serialized_data)

    def name(self) -> str:
        return "helix_json"


def _refuse(*_values: object) -> NoReturn:
    raise HelixError("the database of flows has a value that helix-hooks did not write")


for _name in ("serialize", "deserialize"):
    setattr(DefaultSerializer, _name, _refuse)
