"""What a knowledge base's index lacks, by kind, with the first files of each: values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.core.types import FileStatus


class HealthKind(StrEnum):
    """What is the matter with files; the order is that in which they are told.

    `PICTURES` have no text that was read, and wait for none: recognition is off, or was given up.
    `HARD_TO_READ` were recognised with low confidence; of what is `STALE` an older text is found.
    """

    FAILED = "failed"
    PROTECTED = "protected"
    PICTURES = "pictures"
    GARBLED = "garbled"
    HARD_TO_READ = "hard_to_read"
    STALE = "stale"
    WAITING = "waiting"
    TO_RECOGNIZE = "to_recognize"
    EMPTY = "empty"
    DUPLICATE = "duplicate"
    UNSUPPORTED = "unsupported"
    EXCLUDED = "excluded"


INFORMATIVE = frozenset(
    {HealthKind.EMPTY, HealthKind.DUPLICATE, HealthKind.UNSUPPORTED, HealthKind.EXCLUDED}
)
"""The kinds of which nothing has to be mended."""

FAILED_STATES = (
    FileStatus.CORRUPT,
    FileStatus.DENIED,
    FileStatus.FAILED,
    FileStatus.TIMEOUT,
    FileStatus.TOO_LARGE,
)
"""The states of files that could not be read, for whatever reason another try may mend."""


@dataclass(frozen=True, slots=True)
class HealthFile:
    """A file, and why it is where it is; `reason` may be empty."""

    path: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """A reason, by its first sentence, and how many files have it."""

    reason: str
    files: int


@dataclass(frozen=True, slots=True)
class HealthFinding:
    """All files of one kind: how many, how many pages of them, the first by path."""

    kind: HealthKind
    files: int
    pages: int = 0
    first: tuple[HealthFile, ...] = ()
    reasons: tuple[ReasonCount, ...] = ()

    @property
    def needs_mending(self) -> bool:
        """Whether something can be missed until this is mended."""
        return self.kind not in INFORMATIVE


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """What was found of a knowledge base of so many files; kinds without a file are left out."""

    kb: str
    files: int
    recognizes_text: bool
    findings: tuple[HealthFinding, ...] = ()

    def of(self, kind: HealthKind) -> HealthFinding:
        """Return what was found of one kind."""
        none = HealthFinding(kind, 0)
        return next((each for each in self.findings if each.kind is kind), none)

    @property
    def is_whole(self) -> bool:
        """Whether nothing needs mending."""
        return not any(each.needs_mending for each in self.findings)
