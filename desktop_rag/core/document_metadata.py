"""What a document says of itself beside its text: who wrote it, to whom, when, about what."""

from __future__ import annotations

from dataclasses import dataclass

MOST_NAMES = 50  # authors, recipients or keywords of one document
LONGEST_VALUE = 500  # characters of one of them, or of the subject


@dataclass(frozen=True, slots=True)
class DocumentMetadata:
    """A document's own properties; each is empty where the document does not tell it.

    `authors` are those of a text or the sender of a mail, `recipients` a mail's. `created` and
    `modified` are in Unix seconds; a mail is created when it is sent. `language` is a code of
    ISO 639-1, told by the text itself.
    """

    authors: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    subject: str = ""
    created: float | None = None
    modified: float | None = None
    language: str = ""

    def __bool__(self) -> bool:
        return self != NO_METADATA

    @property
    def dated(self) -> float | None:
        """When the text became what it is, as far as the document tells it."""
        return self.created if self.modified is None else self.modified


NO_METADATA = DocumentMetadata()
