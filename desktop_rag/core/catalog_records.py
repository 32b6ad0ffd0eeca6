"""The values that the store takes and gives: rows of the catalog, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.path_filter import ALL_PATHS, PathPatterns
from desktop_rag.core.types import (
    BlockKind,
    ChatId,
    ChunkId,
    DerivedId,
    DocumentId,
    FileId,
    FileStatus,
    KbId,
    Locator,
)

SCORES = ("score", "dense_rank", "lexical_rank", "rerank_score", "fused_rank", "age_weight")
"""What a search says of a passage, in the order in which it is kept beside its rank."""

MAX_HITS = 200
"""The number of places that a search gives at most."""

UNOPENED_ARCHIVE = "unopened_archive"
"""The code of the reason of a file that is an archive which nobody asked to look into."""

VANISHED = "vanished"
"""The code of the reason of a file that was gone before it was read."""

REMOVED_TITLE = "Source removed"
"""The title that stands for a source that is gone."""


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """A named collection; `chunks` counts each document once, `created` is in Unix seconds.

    `recognizes_text` says whether the text of its scans is recognised; None: as the settings say.
    `opens_archives` says whether archives are looked into, `is_served` whether other programs may
    ask it.
    """

    id: KbId
    name: str
    created: float
    chunks: int
    files: int
    recognizes_text: bool | None = None
    opens_archives: bool = False
    is_served: bool = False


@dataclass(frozen=True, slots=True)
class FollowedPath:
    """A folder or file that a knowledge base follows; `exclude` are globs."""

    id: int
    kb: KbId
    path: str
    is_folder: bool
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What tells whether a file changed; `content_hash` is empty when it could not be read."""

    size: int
    mtime_ns: int
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was just read, or tried: `seconds` is how long that took.

    `stamp` is None when the file could not even be looked at.
    """

    kb: KbId
    path: str
    stamp: FileStamp | None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file of a knowledge base and what became of it.

    A queued file keeps the stamp and the document of its last run, if it had one; `stamp` is None
    for a file that was never looked at. `changed_at` is in Unix seconds. `author` is who wrote it
    where it came from a shared knowledge base, and `written` when, in Unix seconds. Of one that
    `is_unread`, pages wait until their text is recognised; in vain where `is_recognition_off`.
    """

    id: FileId
    kb: KbId
    path: str
    stamp: FileStamp | None
    status: FileStatus
    reason: str
    document_id: DocumentId | None
    chunks: int
    pages: int | None
    seconds: float
    changed_at: float
    author: str = ""
    written: float = 0.0
    is_unread: bool = False
    is_recognition_off: bool = False


@dataclass(frozen=True, slots=True)
class Share:
    """A shared knowledge base: its server and name there, as whom it writes, how far it is.

    `writer` is empty where it only reads. `synced` and `away` are Unix seconds, 0 for never.
    """

    kb: KbId
    server: str
    shared_name: str
    writer: str
    synced: float = 0.0
    away: float = 0.0


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A chunk to be stored. `embed_key` is the hash of context, newline, text.

    `big` is the range of the document's text that is read when this small piece matched.
    """

    ordinal: int
    kind: BlockKind
    text: str
    context: str
    section: str
    locator: Locator
    big: tuple[int, int]
    embed_key: str


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A parsed and cut document to be stored; `recipe` names parser and chunking settings."""

    content_hash: str
    recipe: str
    title: str
    text: str
    pages: int | None
    notes: tuple[str, ...]
    chunks: tuple[NewChunk, ...]
    metadata: DocumentMetadata = NO_METADATA


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as it lies in the catalog; `title` is its document's."""

    chunk_id: ChunkId
    document_id: DocumentId
    ordinal: int
    kind: BlockKind
    text: str
    context: str
    section: str
    title: str
    locator: Locator
    big: tuple[int, int]


@dataclass(frozen=True, slots=True)
class MetadataFilter:
    """A filter of documents; an empty one lets everything pass.

    `path` says where it may lie, `extensions` are without their dot, every word of
    `title` must stand in the document's title or file name, `after` and `before` are the file's
    modification time in Unix seconds. The others are of what the document says of itself: every
    word of `author` must stand in one of its authors' names, and so on; `language` are codes.
    """

    path: PathPatterns = ALL_PATHS
    extensions: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    after: float | None = None
    before: float | None = None
    author: tuple[str, ...] = ()
    recipient: tuple[str, ...] = ()
    keyword: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    language: tuple[str, ...] = ()
    written_after: float | None = None
    written_before: float | None = None
    fewest_pages: int | None = None
    most_pages: int | None = None

    def __bool__(self) -> bool:
        return self != MetadataFilter()


class OutboxAction(StrEnum):
    """What became of a chunk: it came, it went, or its file has another path."""

    ADD = "add"
    DELETE = "delete"
    UPDATE = "update"


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """One thing that the indexes of a knowledge base must still be told."""

    seq: int
    chunk_id: ChunkId
    action: OutboxAction


@dataclass(frozen=True, slots=True)
class Conversation:
    """A kept conversation; times are in Unix seconds."""

    id: ChatId
    title: str
    kbs: tuple[str, ...]
    created: float
    changed: float
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message of a conversation; `payload` is JSON with citations, sources and the like.

    `parent` is the message that it follows, 0 at the conversation's beginning.
    """

    id: int
    role: str
    text: str
    payload: str
    created: float
    parent: int = 0


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A place where all words of a search stand.

    `message_id` is 0 and `role` is `title` for the title itself. `marks` are the words' character
    ranges in the snippet; `when` is in Unix seconds.
    """

    chat_id: ChatId
    message_id: int
    role: str
    title: str
    snippet: str
    marks: tuple[tuple[int, int], ...]
    when: float


@dataclass(frozen=True, slots=True)
class Preparation:
    """What a knowledge base is prepared for; `is_paused` while nothing is to be done for it.

    `model` is the language model that was chosen for it, empty where it is done without one.
    """

    kb: KbId
    way: str
    model: str = ""
    is_paused: bool = False


@dataclass(frozen=True, slots=True)
class PreparedState:
    """How far a knowledge base is prepared for a way.

    Of its `documents`, so many are `done`; `texts` counts the derived texts of them all, and
    `chunks` the chunks of the documents that still wait.
    """

    documents: int
    done: int
    texts: int
    chunks: int


@dataclass(frozen=True, slots=True)
class PendingDocument:
    """A document that waits to be prepared, from `position` on (0: nothing of it is)."""

    document_id: DocumentId
    title: str
    chunks: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class NewDerivedText:
    """A text made of chunks, or of the derived texts `children` of the level below.

    `sources` are the chunks that it leads to; there is at least one. `level` is 0 where a way makes
    texts of chunks alone; in a tree, whose leaves are the chunks, summaries of chunks are of level
    1, and those of summaries one higher than these.
    """

    text: str
    sources: tuple[ChunkId, ...]
    level: int = 0
    children: tuple[DerivedId, ...] = ()


@dataclass(frozen=True, slots=True)
class DerivedText:
    """A derived text as it lies in the catalog."""

    derived_id: DerivedId
    document_id: DocumentId
    text: str
    level: int
    sources: tuple[ChunkId, ...]
    children: tuple[DerivedId, ...] = ()


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document that `texts` texts were derived from for a way, by a recipe."""

    document_id: DocumentId
    title: str
    recipe: str
    texts: int


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """A step of a document's preparation for a way, by a recipe.

    It went from `begin` to `position`, both in the way's own count, where the next one begins;
    `is_done` says that none is left.
    """

    document_id: DocumentId
    way: str
    recipe: str
    begin: int
    position: int
    is_done: bool


@dataclass(frozen=True, slots=True)
class RetrieverAdaptation:
    """What was measured of an adaptation of a knowledge base's query vectors.

    It was trained on `trained` questions and measured on `held_out` others: recall@5 of the whole
    search before and after, the 95 % interval of the gain, and recall@5 of the vector alone; all in
    percent. `fingerprint` names the embedding model, `source` where the questions came from (empty:
    proposed from the knowledge base's documents, of which there were `documents`).
    """

    fingerprint: str
    source: str
    documents: int
    trained: int
    held_out: int = 0
    recall_before: float = 0.0
    recall_after: float = 0.0
    gain_low: float = 0.0
    gain_high: float = 0.0
    vector_before: float = 0.0
    vector_after: float = 0.0

    @property
    def is_gain(self) -> bool:
        """Whether the whole search finds more by it than chance gives."""
        return self.gain_low > 0


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A line of a document's table of contents: the document itself, or a heading of it.

    `names` lead from the document's title down to the heading; that of the document stands alone.
    The chunks of the heading, and of all headings below it, have the ordinals `first` to `last`.
    `opening` is how the text there begins, `chunk_id` the chunk that it begins with.
    """

    document_id: DocumentId
    names: tuple[str, ...]
    first: int
    last: int
    chunk_id: ChunkId
    opening: str = ""

    @property
    def depth(self) -> int:
        """How far below its document it stands: 0 for the document itself."""
        return len(self.names) - 1

    def holds(self, document_id: DocumentId, ordinal: int) -> bool:
        """Say whether a chunk stands under it."""
        return document_id == self.document_id and self.first <= ordinal <= self.last
