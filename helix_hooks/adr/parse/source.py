"""The bytes of a file as text: line ends, encoding and front matter."""

from typing import NamedTuple

from ...paths import MAX_BYTES
from ...yaml_reader import Defect

TOO_LARGE = "the file is larger than 1 MB and is not read; move images and logs out of the ADR"
_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
# UTF-32 comes first, since its little-endian mark begins with the one of UTF-16.


class FrontMatter(NamedTuple):
    """The YAML text between its markers, and the line on which it starts; None without any.

    `body` is the offset at which the Markdown begins. `closed` is False without an end marker.
    """

    text: str | None
    line: int
    closed: bool
    body: int


_NO_FRONT_MATTER = FrontMatter(None, 1, True, 0)


def with_line_feeds(raw: bytes) -> bytes:
    """Return the content of a file with LF line ends and no BOM."""
    data = raw.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def defect_of(raw: bytes, data: bytes) -> Defect | None:
    """Return why the bytes of a file are not text; `data` is their content with LF line ends."""
    if len(raw) > MAX_BYTES:
        return Defect(1, TOO_LARGE)
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return Defect(1, f"the file is {encoding}; save it as UTF-8")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        return Defect(line, "binary file (contains NUL bytes); save it as UTF-8 text")
    return None


def invalid_byte(data: bytes, offset: int) -> Defect:
    """Return the defect of a file with a byte that is not valid UTF-8."""
    line = data.count(b"\n", 0, offset) + 1
    return Defect(line, f"byte 0x{data[offset]:02x} is not valid UTF-8; save the file as UTF-8")


def front_matter(data: bytes) -> FrontMatter:
    """Return the YAML header of a file, which only blank lines may precede."""
    blank = len(data) - len(data.lstrip())
    opening = data[blank : data.find(b"\n", blank) + 1]
    is_indented = data.rfind(b"\n", 0, blank) + 1 != blank
    if opening.rstrip() != b"---" or is_indented:
        return _NO_FRONT_MATTER
    start = blank + len(opening)
    line = data.count(b"\n", 0, start) + 1
    position = start
    while position < len(data):
        stop = data.find(b"\n", position) + 1 or len(data)
        if data[position:stop].rstrip() in (b"---", b"..."):
            return FrontMatter(data[start:position].decode(), line, True, stop)
        position = stop
    # Without a closing marker, `---` may also be a thematic break above the text.
    if _looks_like_yaml(data[start:]):
        return FrontMatter(data[start:].decode(), line, False, len(data))
    return _NO_FRONT_MATTER


def _looks_like_yaml(data: bytes) -> bool:
    first = data[: data.find(b"\n")]
    return b":" in first and not first.lstrip().startswith((b"#", b"-"))
