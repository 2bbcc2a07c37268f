"""Texts of others that would do something on a page of GitHub."""

import re

HOSTILE = [
    "@acme/owners look", "mail me@example.org", "closes #12", "see GH-7 and acme/decisions#3", "<!-- helix:sticky -->", "<!-- helix:f=0123456789abcdef by=rules -->",
    "/helix approve abc1234", "x\n/helix approve abc1234", "![beacon](https://evil.example/x.png)", "<img src=https://evil.example>", "www.evil.example",
    "[click](javascript:alert(1))", "**bold** _it_ ~~s~~ `code`", "| a | b |", "a\u202eb\u200bc\u2066d", "\x1b[31mred", "````\nend\n````", "mailto:a@b.c",
]  # fmt: skip


# An escaped bracket (`\]:`) ends no label, so no reference is defined.
LIVE = re.compile(
    r"@[\w-]|#[\w-]|\b[Gg][Hh]-\d|://|www\.|\]\(|(?<!\\)(?:\\\\)*\]:|##\[|<!--|^\s*/\w|mailto:",
    re.MULTILINE,
)
