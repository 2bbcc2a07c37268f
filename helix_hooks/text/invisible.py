"""The table of characters that are invisible, or that change how other characters appear.

Each name is the content of a character class of a regular expression. None of its characters is
special there.
"""

import re

DIRECTION_CONTROLS = "\u202a-\u202e\u2066-\u2069"
"""Embeddings, overrides and isolates, which change the order in which letters appear."""

DIRECTION_MARKS = "\u200e\u200f"
"""Invisible marks with a direction. Texts in Hebrew and Arabic need them."""

ARABIC_MARK = "\u061c"
DIRECTIONS = ARABIC_MARK + DIRECTION_MARKS + DIRECTION_CONTROLS
"""All characters that change the order in which letters appear."""

JOINERS = "\u200c\u200d"
"""Zero-width joiner and non-joiner, which shape letters and emoji."""

SELECTORS = "\ufe00-\ufe0f"
"""Variation selectors: they select the shape of a character."""

EMOJI_SELECTOR = "\ufe0f"
TAGS = "\U000e0000-\U000e0fff"
"""Tag characters. A whole text can be hidden in them."""

SOFT_HYPHEN = "\u00ad"
BYTE_ORDER_MARK = "\ufeff"
ZERO_WIDTH_SPACE = "\u200b"
"""An invisible character that ends a word for GitHub."""

FORM_FEED = "\x0c"
NEXT_LINE = "\x85"
WIDE_LINE_ENDS = "\u2028\u2029"
"""Line and paragraph separator of Unicode."""

ODD_LINE_ENDS = f"\x0b{FORM_FEED}\x1c-\x1e{NEXT_LINE}{WIDE_LINE_ENDS}"
"""Characters that end a line for some programs, but not for GitHub."""

SURROGATES = "\ud800-\udfff"
"""Halves of a UTF-16 character. Python uses them for bytes of a path that are not UTF-8."""

INVISIBLE = (
    (0x00, 0x08), (0x0B, 0x0B), (0x0E, 0x1F), (0x7F, 0x9F),  # controls
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""First and last code point of each range of invisible characters.

The ranges are Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt, Unicode 16), the
control characters except line ends and tabs, interlinear annotation marks, and three letters and
signs without a glyph. White space is not in it: it separates words.
"""

CLASS = "".join(f"{chr(low)}-{chr(high)}" for low, high in INVISIBLE)
"""All ranges of INVISIBLE."""


def without_invisible(text: str) -> str:
    """Return a text without invisible characters."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(f"[{CLASS}]", "", text)
