from collections.abc import Iterator

from ..prose import length_of
from ..rule import Adr, Found


class SectionTooShort:
    """A required section says too little.

    A heading with "TBD" beneath it passes every check for presence and tells the next reader nothing. Characters of
    prose are counted, sub-sections included; code blocks, quotes and comments are not prose. The minimum is
    `min_section_length` of the rules file for helix (50); in the other built-in templates only an empty section counts.
    """

    id = "section-too-short"
    layer = "structure"
    severity = "warning"

    def check(self, adr: Adr) -> Iterator[Found]:
        minimum = adr.template.min_section_length
        for required in adr.template.sections:
            found = [section for meaning in required.meanings for section in adr.h2.get(meaning, ())]
            if not found or "status" in required.meanings:
                continue
            sizes = [length_of(adr.doc.prose, section.start, section.stop, minimum) for section in found]
            if max(sizes) < minimum:
                section = found[0]
                size = "is empty" if not max(sizes) else f"has {max(sizes)} characters of prose; at least {minimum} are wanted"
                yield Found(adr.doc.line_at(section.heading_start), f"the section '{section.title}' {size}",
                            "write in a sentence or two what a new colleague must know")  # fmt: skip
