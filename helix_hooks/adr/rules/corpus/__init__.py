"""The rules on an ADR among others, in the order in which the page lists them."""

from ...corpus import CorpusRule
from .dangling_reference import DanglingReference
from .dependency_cycle import DependencyCycle
from .duplicate_id import DuplicateId
from .id_filename_mismatch import IdFilenameMismatch
from .referenced_file_missing import ReferencedFileMissing
from .supersede_asymmetric import SupersedeAsymmetric
from .superseded_dependency import SupersededDependency

ACROSS: tuple[CorpusRule, ...] = (
    DuplicateId(), IdFilenameMismatch(), DanglingReference(), SupersedeAsymmetric(), DependencyCycle(), SupersededDependency(),
    ReferencedFileMissing(),
)  # fmt: skip
