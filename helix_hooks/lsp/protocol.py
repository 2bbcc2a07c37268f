"""The protocol of pygls, with an answer to each request that can't be read."""

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol


class AnsweringProtocol(LanguageServerProtocol):
    """A protocol that answers invalid requests with an error, so that no client waits for ever."""

    def structure_message(self, data: dict[str, object]) -> object:
        """Return a message as a value of the protocol.

        Raises:
            JsonRpcException: The message is invalid.
        """
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            # Only a request has an id and a method; a notification expects no answer.
            number = data.get("id")
            if "method" in data and isinstance(number, int | str):
                self._send_response(number, error=error.to_response_error())
            raise
