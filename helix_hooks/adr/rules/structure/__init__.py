"""The built-in rules, in the order in which they look and in which the page lists them."""

from ...model import Rule
from .acceptance_criteria_too_few import AcceptanceCriteriaTooFew
from .concept_section_missing import ConceptSectionMissing
from .concept_unreadable import ConceptUnreadable
from .file_unreadable import FileUnreadable
from .header_invalid import HeaderInvalid
from .headings_missing import HeadingsMissing
from .implemented_unticked import ImplementedUnticked
from .key_misspelt import KeyMisspelt
from .merge_conflict import MergeConflict
from .section_missing import SectionMissing
from .section_too_short import SectionTooShort
from .sections_swallowed import SectionsSwallowed
from .status_conflict import StatusConflict
from .value_misspelt import ValueMisspelt

BLOCKING: tuple[Rule, ...] = (FileUnreadable(), MergeConflict())
"""When one of these finds something there is no document to look at, and nothing else is asked."""

RULES: tuple[Rule, ...] = (
    HeaderInvalid(), KeyMisspelt(), ValueMisspelt(), StatusConflict(), HeadingsMissing(), SectionsSwallowed(), SectionMissing(), SectionTooShort(),
    AcceptanceCriteriaTooFew(), ImplementedUnticked(), ConceptUnreadable(), ConceptSectionMissing(),
)  # fmt: skip
