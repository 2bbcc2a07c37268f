"""Untrusted Markdown as HTML, without raw HTML and images. Links lead only to the web."""

import re
from collections.abc import Iterable

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from .shown import block

_LIMIT = 60_000
"""Characters of a text that are shown."""
_HEADING = 3
"""The level of the highest heading. The page itself uses the levels 1 and 2."""

_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---(?:\n|\Z)", re.DOTALL)


def html_of(text: str) -> Markup:
    """Return Markdown as HTML. Raw HTML and images are shown as text."""
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False})
    parser.enable(["table", "strikethrough"])
    tokens = parser.parse(_fenced(block(text, _LIMIT)))
    return Markup(  # noqa: S704 - markdown-it escapes all text, and html is off
        parser.renderer.render(_inert(tokens), parser.options, {})
    )


def _fenced(text: str) -> str:
    """Return a text with its front matter as a block of code.

    Markdown would read the front matter as a heading with rules.
    """
    match = _FRONT_MATTER.match(text)
    if not match or "```" in match[1]:
        return text
    return f"```yaml\n{match[1]}\n```\n\n{text[match.end() :]}"


def _inert(tokens: Iterable[Token]) -> list[Token]:
    """Return tokens without images, and without links to this server or to nowhere."""
    inert: list[Token] = []
    links_out: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            links_out.append(_leads_out(token))
        leads_out = not links_out or links_out[-1]
        if token.type == "link_close":
            links_out.pop()
        if leads_out or token.type not in ("link_open", "link_close"):
            inert += _shown(token)
    return inert


def _leads_out(link: Token) -> bool:
    return str(link.attrs.get("href", "")).startswith(("https://", "http://"))


def _shown(token: Token) -> list[Token]:
    """Return the tokens that replace one."""
    if token.type == "image":  # loading it would tell its server who reads the page
        return [Token("text", "", 0, content=f"[image: {token.content or 'no alt text'}]")]
    if token.type in ("fence", "code_block"):
        attributes: dict[str, str | int | float] = {"tabindex": "0"}  # the keyboard can scroll it
        return [Token("code_block", "", 0, content=token.content, attrs=attributes)]
    if token.type == "table_open":
        return [Token("html_block", "", 0, content='<div class="wide" tabindex="0">'), token]
    if token.type == "table_close":
        return [token, Token("html_block", "", 0, content="</div>")]
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1]) + _HEADING - 1)}"
    if token.type == "link_open":
        token.attrs = {"href": token.attrs["href"], "rel": "noreferrer nofollow"}
    if token.children:
        token.children = _inert(token.children)
    return [token]
