"""The format of values in the database: only JSON.

DBOS also reads pickled values, if a row says so. With write access to the database anyone could run
code that way, so pickling is disabled here.
"""

import json
from typing import NoReturn

from dbos import Serializer
from dbos._serialization import DefaultSerializer

from ..errors import HelixError


class JsonSerializer(Serializer):
    """Values as JSON. An error that DBOS records for itself becomes a string."""

    def serialize(self, data: object) -> str:
        return json.dumps(data, default=str)

    def deserialize(cls, serialized_data: str) -> object:  # noqa: N805 -- as DBOS has it
        return json.loads(serialized_data)

    def name(self) -> str:
        return "helix_json"


def _refuse(*_values: object) -> NoReturn:
    raise HelixError("the flow database has a value that helix-hooks did not write")


for _name in ("serialize", "deserialize"):
    setattr(DefaultSerializer, _name, _refuse)
