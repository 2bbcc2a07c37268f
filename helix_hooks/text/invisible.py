"""Characters that no reader sees: the one table of them.

The ranges are Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt, Unicode 16), the control characters except line ends and
tabs, interlinear annotation marks, and three letters and signs that are drawn as nothing. Blanks are not in it: they separate words.
"""

import re

INVISIBLE = (
    (0x00, 0x08), (0x0B, 0x0B), (0x0E, 0x1F), (0x7F, 0x9F),  # controls
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""First and last code point of each range."""

CLASS = "".join(f"{chr(low)}-{chr(high)}" if low < high else chr(low) for low, high in INVISIBLE)
"""The table as the inside of a character class of a regular expression. None of its characters has a meaning there."""


def without_invisible(text: str) -> str:
    """Return a text without the characters that no reader sees."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(f"[{CLASS}]", "", text)
