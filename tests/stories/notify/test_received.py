"""Messages as they arrive: at a real SMTP server, and at a chat's webhook."""

import pytest

from helix_hooks.notify import channels
from helix_hooks.notify.messages import MessageText
from helix_hooks.waiting.entry import ESCALATED
from tests.fakes.receivers import Mailbox, Webhook
from tests.stories.notify.scene import Scene, entry

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated")
"""A plugin of Apprise loads it."""

HOSTILE = "x\r\nBcc: all@example.org\r\n\r\n<script>alert(1)</script> @all <!channel> [x](http://evil.example)"


def test_a_mail_says_state_then_what_to_do_then_why(scene: Scene, mailbox: Mailbox) -> None:
    scene.people({"bob": mailbox.url("bob@example.org")})
    assert scene.tell(entry()) == (1, (), 0)
    [mail] = mailbox.mails
    assert mailbox.recipients == [["bob@example.org"]]
    assert mail["Subject"] == "Your turn: Adopt Kafka (acme/shop)"
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content().splitlines() == [
        "Open: https://github.com/acme/shop/pull/12#issue-comment-box",
        "In a shell:",
        "helix-hooks queue approve acme/shop#12",
        "Why: every architecture decision is for a person",
        "Id: acme/shop#12, critical, asked by @\u200balice on Wed, 18 Nov 2026 11:06 UTC",
    ]


def test_a_chat_gets_the_same(scene: Scene, chat: Webhook) -> None:
    scene.file.write_text(
        f"batch: 0s\nprojects:\n  acme/*:\n    channels:\n      team: {chat.url('mmost', '/' + 'a' * 24)}\n"
    )
    assert scene.tell(
        entry(), entry(13, state=ESCALATED, turn="Escalated to bob", title="Drop Redis")
    ) == (1, (), 0)
    [post] = chat.posts
    text = post.body["text"]
    assert post.path == f"/hooks/{'a' * 24}"
    assert text.startswith("2 decisions wait, 1 escalated (acme/shop)")
    assert text.index("Escalated to bob: Drop Redis") < text.index("Adopt Kafka")
    assert post.body["username"] == "helix-hooks"


@pytest.mark.parametrize(
    "kind", ["mailto", "mailto html", "json", "mmost", "rocket", "gotify", "ntfy"]
)
@pytest.mark.sampled
def test_a_hostile_title_does_nothing(
    kind: str, scene: Scene, chat: Webhook, mailbox: Mailbox
) -> None:
    addresses = {
        "mailto": mailbox.url("bob@example.org"),
        "mailto html": f"{mailbox.url('bob@example.org')}&format=html",
        "json": chat.url(),
        "mmost": chat.url("mmost", f"/{'a' * 24}"),
        "rocket": f"rocket://hook/one@127.0.0.1:{chat.port}/%23general",
        "gotify": chat.url("gotify", "/token"),
        "ntfy": chat.url("ntfy", "/topic"),
    }
    scene.people({"bob": addresses[kind]})
    scene.tell(entry(title=HOSTILE, reasons=(HOSTILE,), asked_by=HOSTILE))
    if kind.startswith("mailto"):
        [mail] = mailbox.mails
        assert mailbox.recipients == [["bob@example.org"]]
        assert mail["Bcc"] is None
        subject, text = mail["Subject"], mail.get_body(("html", "plain"))
        assert text is not None
        shown = [subject, text.get_content()]
    else:
        [post] = chat.posts
        shown = [value for value in post.body.values() if isinstance(value, str)]
    assert "@all" not in "".join(shown)
    assert "<!channel" not in "".join(shown)
    assert "](" not in "".join(shown).replace("\\", "")
    assert "http://evil" not in "".join(shown)
    if kind == "mailto html":
        assert "<script" not in "".join(shown[1:])
    assert any("Bcc: all" in text or "Bcc\\: all" in text for text in shown)


def test_markdown_has_the_link_whole(scene: Scene, chat: Webhook) -> None:
    scene.people({"bob": f"rocket://hook/one@127.0.0.1:{chat.port}/%23general"})
    scene.tell(entry(title="a_b_c *d*"))
    text = chat.posts[0].body["text"]
    assert "<https://github.com/acme/shop/pull/12#issue-comment-box>" in text
    assert "a\\_b\\_c \\*d\\*" in text


@pytest.mark.parametrize("address", ["nothing://x", "json://", "mailto://", "file:///etc/passwd"])
def test_an_address_that_nobody_knows_is_a_failure(address: str) -> None:
    assert channels.send(address, MessageText("x", "x")) == channels.REFUSED_ADDRESS


def test_an_optional_channel_that_fails_has_failed(scene: Scene, chat: Webhook) -> None:
    chat.status = 401
    scene.people({"bob": f"{chat.url()}?optional=yes&retry=5"})
    scene.tell(entry())
    assert len(chat.posts) == 1
    assert scene.statuses() == [("bob", 1, 0, 0, f"{channels.REFUSED} (HTTP status 401)")]


def test_another_server_does_not_get_the_message(scene: Scene, chat: Webhook) -> None:
    chat.status = 307
    scene.people({"bob": chat.url()})
    scene.tell(entry())
    assert len(chat.posts) == 1
    assert scene.statuses()[0][:3] == ("bob", 1, 0)
