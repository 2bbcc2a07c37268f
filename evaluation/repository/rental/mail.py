"""The adapter of the mail provider; nothing else speaks to it."""

import os

import httpx

URL = "https://api.mail.test/v1"
TIMEOUT = 5


def send(to: str, subject: str, text: str) -> None:
    answer = httpx.post(
        f"{URL}/messages",
        json={"to": to, "subject": subject, "text": text},
        headers={"Authorization": f"Bearer {os.environ['MAIL_KEY']}"},
        timeout=TIMEOUT,
    )
    answer.raise_for_status()
