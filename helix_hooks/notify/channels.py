"""Messages to channels, by Apprise. No address is logged or told: it may hold a secret."""

import logging
import queue
import re
import threading

import apprise

from .messages import MessageText

REFUSED_ADDRESS = "its address is not supported by Apprise; see the documentation of Apprise"
REFUSED = "the channel rejected the message"
SECONDS = 20
"""Seconds that a channel has for a message."""
NO_ANSWER = f"the channel did not answer within {SECONDS} seconds"
_STATUS = re.compile(r"\berror[=: ]+([45]\d\d)\b")

logging.getLogger("apprise").addHandler(logging.NullHandler())
logging.getLogger("apprise").propagate = False


def send(address: str, text: MessageText) -> str:
    """Send a message, and return why it was not sent, "" if it was.

    With NO_ANSWER it may arrive nevertheless.
    """
    ends: queue.Queue[str] = queue.Queue()

    def work() -> None:
        try:
            ends.put(_send(address, text))
        except Exception as error:  # noqa: BLE001 - a plugin must not stop the others
            ends.put(f"{REFUSED} ({type(error).__name__})")

    # A daemon thread: a channel that hangs must not keep the program alive.
    threading.Thread(target=work, name="channel", daemon=True).start()
    try:
        return ends.get(timeout=SECONDS)
    except queue.Empty:
        return NO_ANSWER


def _send(address: str, text: MessageText) -> str:
    asset = apprise.AppriseAsset(
        app_id="helix-hooks",
        app_desc="helix-hooks",
        app_url="",
        image_url_mask="",
        image_url_logo="",
        async_mode=False,
        http_redirects=False,  # another server must not get the message
        secure_logging=True,
        service_timeout=0,  # then it sends in this thread, and no thread of its own continues
        storage_mode="memory",
        allow_templates=False,
    )
    service = apprise.Apprise.instantiate(address, asset=asset)
    if service is None:
        return REFUSED_ADDRESS
    service.optional = False  # else a failure would be told as a success
    service.retry = 0
    sender = apprise.Apprise(asset=asset)
    sender.add(service)
    format = service.resolve_format(apprise.NotifyFormat.TEXT)
    is_markdown = format == apprise.NotifyFormat.MARKDOWN
    has_title = service.title_maxlen > 0
    result = sender.notify(
        title=text.markdown.title if is_markdown and not has_title else text.title,
        body=text.markdown.body if is_markdown else text.body,
        body_format=format if is_markdown else apprise.NotifyFormat.TEXT,
    )
    return "" if result else _reason(result)


def _reason(result: apprise.AppriseResult) -> str:
    """Return why a channel failed. Of what Apprise logs only a status of HTTP is taken."""
    found = [_STATUS.search(str(entry)) for entry in result.logs()]
    status = next((match[1] for match in found if match), "")
    return f"{REFUSED} (HTTP status {status})" if status else REFUSED
