"""The protocol of pygls, but a request that can't be read is answered, too."""

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol


class AnsweringProtocol(LanguageServerProtocol):
    """A protocol in which no client waits for an answer that never comes."""

    def structure_message(self, data: dict[str, object]) -> object:
        """Return a message as a value of the protocol. Raises JsonRpcException."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            number = data.get("id")
            if "method" in data and isinstance(number, int | str):
                self._send_response(number, error=error.to_response_error())
            raise
