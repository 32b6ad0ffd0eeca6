"""Intents that go down: what the window, the command line or a client asks of the engine.

Each is one frozen value with plain fields, so that it can cross a thread or a socket.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_rag.core.secret import NO_PASSWORD, Secret


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """Add paths to a knowledge base, or bring them up to date.

    `exclude` are globs on top of the default ignores; `retry` takes failed files up again.
    No paths: everything that the knowledge base already watches. With `only_known` nothing comes
    to what is followed, and no knowledge base is made; with `only_look` files are queued, not read.
    `in_background`, the run ends before Chroma was told of all, and before pages without text are
    recognised: whoever asks lives on meanwhile. With `only_recognize` nothing but that is done.
    As a `worker` it puts what it reads on the server that the knowledge base is shared on, beside
    others who see the same folders; `folder` is what they call it, empty for its own name.
    The `password` is tried on the files at these paths that have one; the system's key ring keeps
    it where it opens them if `keeps_password`.
    """

    kb: str
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    watch: bool = False
    retry: bool = False
    only_known: bool = False
    only_look: bool = False
    in_background: bool = False
    only_recognize: bool = False
    worker: bool = False
    folder: str = ""
    password: Secret = NO_PASSWORD
    keeps_password: bool = False


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Two-stage retrieval over knowledge bases, without a language model.

    With `chooses_kb` the query chooses among `kbs`; no `kbs`, or one that is not there and called
    `auto`, are all.
    """

    kbs: tuple[str, ...]
    query: str
    k: int = 10
    where: str = ""
    chooses_kb: bool = False


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A question to be answered with citations.

    `strategy` may name a preset as well; empty, the settings' own is meant. Beside a `preset`,
    strategy and transforms take the place of its own. `options` are the strategy's own (`rounds=3`)
    and the transforms' (`hyde.passages=8`). `chat_id` continues a kept conversation, without `kbs`
    in its own knowledge bases, and `new_chat` starts
    one to keep. `k` is how many passages are read; 0 leaves it to the strategy. With `chat_id`,
    `after` is the message after which the question is asked: 0 is the conversation's beginning,
    None the end of the branch that is shown. `as_written` searches a follow-up as it stands,
    without making it stand alone first. `unkept` reads the conversation and keeps nothing in it.
    With `may_reuse` a kept answer to the same question is given again, where nothing changed since.
    With `chooses_kb` the question chooses among `kbs`, as in `SearchRequest`. With `only_these` no
    other knowledge base than `kbs` is searched or named, whatever way and settings are.
    """

    kbs: tuple[str, ...]
    question: str
    strategy: str = ""
    preset: str = ""
    transforms: tuple[str, ...] = ()
    model: str = ""
    k: int = 0
    where: str = ""
    chat_id: int | None = None
    new_chat: bool = False
    options: dict[str, str] = field(default_factory=dict)
    after: int | None = None
    as_written: bool = False
    unkept: bool = False
    kept_options: str | None = None
    may_reuse: bool = False
    chooses_kb: bool = False
    only_these: bool = False


@dataclass(frozen=True, slots=True)
class ContinueRequest:
    """Write on the last answer of a kept conversation, where it was cut or broke off.

    `answer_id` is the message that must be the last one still; 0: whichever is. Without a `model`
    the one goes on that wrote it.
    """

    chat_id: int
    answer_id: int = 0
    model: str = ""


@dataclass(frozen=True, slots=True)
class KeepRequest:
    """Keep an answer of a conversation (`keep`), keep it no longer (`release`), or `list` those
    that are kept. `answer_id` is its message; 0: the last answer that is shown.
    """

    action: str
    chat_id: int = 0
    answer_id: int = 0


@dataclass(frozen=True, slots=True)
class NoteRequest:
    """Act on the user's notes: `add` one, `edit`, `move`, `remove` or `list` them.

    Added is an answer of the conversation `chat_id`: that of the message `answer_id` (0: the last
    one that is shown), whole, or of it the selected `text`, or the passage `chunk_id` that it found
    with the quote `text`. Or `text` is quoted from a document (`document_id`, or what the file at
    `path` holds), where it stands nearest to the offset `near`; or it is the user's own. `kbs` are
    the knowledge bases of such a note. A `title` or a `text` of None stays as it is when the note
    `note_id` is edited; `place` is where it is moved to, 0 being above all others.
    """

    action: str
    note_id: int = 0
    title: str | None = None
    text: str | None = None
    chat_id: int = 0
    answer_id: int = 0
    chunk_id: int = 0
    document_id: int = 0
    path: str = ""
    near: int = 0
    kbs: tuple[str, ...] = ()
    place: int = 0


@dataclass(frozen=True, slots=True)
class DocumentsRequest:
    """Read whole documents: `summarise` them, `compare` them, or ask a question of `each`.

    `paths` are files and folders of the knowledge bases. `asked` is what a conversation says was
    asked, where it is kept in one (`chat_id`, `new_chat`, `after` as in `AskRequest`). `file` is
    where the rows of `each` are written: a table (.csv, .xlsx). `language` is that of headings; ""
    for the documents' own.
    """

    action: str
    kbs: tuple[str, ...]
    paths: tuple[str, ...]
    question: str = ""
    model: str = ""
    chat_id: int | None = None
    new_chat: bool = False
    after: int | None = None
    asked: str = ""
    file: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """Why a passage is, or is not, among those that a query finds.

    The passage is named by its chunk's number, by some of its words, or by its file alone: then it
    is the file's best one. `chat_id` names a conversation, and `answer` a message of it (0: its
    last one), in whose answer the passage may be missing.
    """

    kbs: tuple[str, ...]
    query: str
    passage: int | None = None
    text: str = ""
    path: str = ""
    k: int = 5
    where: str = ""
    chat_id: int | None = None
    answer: int = 0


@dataclass(frozen=True, slots=True)
class ShowRequest:
    """The chunks of indexed documents, in order."""

    kbs: tuple[str, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RemoveRequest:
    """Take files or folders out, with every trace of their text.

    `quotes` says what becomes of what conversations quote from them: `keep` or `lose`.
    """

    kb: str
    paths: tuple[str, ...]
    quotes: str = "keep"


@dataclass(frozen=True, slots=True)
class FilesRequest:
    """Decide of files or folders: `exclude`, `include`, `first` (to be read before all others),
    `move` (to the knowledge base `to`), `patterns` (what a folder leaves out, as globs in `globs`),
    `forget_passwords`. `passwords` lists the files whose password is known, `list` all files with
    their states.
    """

    action: str
    kb: str
    paths: tuple[str, ...]
    to: str = ""
    globs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KbRequest:
    """Act on knowledge bases: `list`, `create`, `rename`, `delete`, `rebuild`, `export`, `import`,
    `health` (what their files lack), `recognize` (the text of scans: `switch` is `on`, `off` or
    `default`, as the settings say), `archives` (whether they are looked into: `on` or `off`),
    `serve` (whether other programs may ask it: `on` or `off`).

    On a Chroma server: `share`, `join`, `sync`, `unshare`; `shared` lists those that are there.

    `new_name` is what one is renamed to, or called on the other side. `agrees` says that the user
    agrees to share it, `together` that it may be one that others share, `withdraws` that it goes
    from the server, too. `quotes` says what becomes of what conversations quote from a deleted one:
    `keep` or `lose`. `numbers` lets an import whose name is taken have a number behind it; else it
    is refused. `follow` are the folders and files that an import goes on following here.
    """

    action: str
    name: str = ""
    file: str = ""
    new_name: str = ""
    quotes: str = "keep"
    numbers: bool = False
    follow: tuple[str, ...] = ()
    agrees: bool = False
    together: bool = False
    withdraws: bool = False
    switch: str = ""


@dataclass(frozen=True, slots=True)
class PrepareRequest:
    """Prepare a knowledge base for a `way`, and go on with that; without a way, for all it has.

    The `action` is `prepare`, `request` (only note the wish: what waits is done by `resume`, which
    begins nothing new), `pause`, `remove` (delete what was prepared) or `list` (what there is, and
    what each way costs). `model` is the language model; None: the one of before, else the settings'
    where there is one; empty: none. What was begun is only gone on with by a `request`.
    """

    kb: str
    way: str = ""
    action: str = "prepare"
    model: str | None = None


@dataclass(frozen=True, slots=True)
class DerivedRequest:
    """Look at what was derived from the documents of a knowledge base for a `way`.

    The `action` is `documents` (those that texts were derived from), `outline` (the texts of the
    `document`) or `passages` (up to `most` of the `chunks`); of a graph of entities, `entities` (up
    to `most` whose names hold `name`, the most connected first) or `neighbourhood` (of `name`, up
    to `most` others).
    """

    kb: str
    way: str
    action: str
    document: int = 0
    chunks: tuple[int, ...] = ()
    name: str = ""
    most: int = 40


@dataclass(frozen=True, slots=True)
class AdaptRequest:
    """Adapt a knowledge base's query vectors to its reranker, and keep it where more is found.

    The `action` is `adapt`, `remove` (go back to the model's own vectors) or `list` (what was
    measured). Up to `count` questions are proposed from its documents; or `questions` is a file of
    such, or the folder of a question set, whose own corpus is then adapted by its `train`
    questions, and `kb` has no say. With a `model` the reranker reads what it answers first as well;
    None: the settings' own, empty: none.
    """

    kb: str
    action: str = "adapt"
    questions: str = ""
    count: int = 600
    model: str | None = ""


@dataclass(frozen=True, slots=True)
class DescribeRequest:
    """List what there is: `strategies`, `models` or `doctor`'s checks.

    `get` names a model of the Hugging Face hub that the user wants to have fetched.
    """

    what: str
    get: str = ""


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """Measure strategies on a question set; `task` is `retrieval` or `answers`.

    The task `rgb` measures the language model itself, on a set of the user's own; `crud` makes its
    own tasks of what `kbs` hold, `limit` of each kind, drawn by `seed`.
    The set lies in files, or is one of the user's own, `saved`, over their knowledge bases: `kbs`,
    or those that each question names. `judge` has the language model judge the answers as well;
    `sizes` measures over that many passages of the corpus, with the second stage and without it.
    `builtin` asks the questions that come with the program; no `strategies` are then the usual
    ones. `fresh` forgets what was answered before, `so_far` asks nothing, and `out` is a file for
    the table.
    """

    task: str
    corpus: str = ""
    questions: str = ""
    strategies: tuple[str, ...] = ("single_pass",)
    ks: tuple[int, ...] = (2, 5, 10)
    limit: int | None = None
    model: str = ""
    saved: str = ""
    kbs: tuple[str, ...] = ()
    judge: bool = False
    sizes: tuple[int, ...] = ()
    builtin: bool = False
    fresh: bool = False
    so_far: bool = False
    out: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class SetsRequest:
    """Act on question sets of the user's own: `list`, `show`, `delete`, `export`, `import`.

    What is imported is asked of `kbs`; `propose` makes up to `count` questions about what they
    hold.
    """

    action: str
    name: str = ""
    file: str = ""
    kbs: tuple[str, ...] = ()
    count: int = 10
    model: str = ""


@dataclass(frozen=True, slots=True)
class SuggestedQuestionsRequest:
    """Questions that the documents of a knowledge base answer, to be offered to its user.

    The `action` is `list` (up to `limit` of those that were made, each of another document as far
    as they go, the newest first, none that was asked in a kept conversation) or `make` (look at the
    newest documents that nobody has looked at yet).
    """

    kb: str
    limit: int = 6
    action: str = "list"


@dataclass(frozen=True, slots=True)
class RecoverRequest:
    """Make a damaged catalog whole again: what can be read, and what its newest copy has.

    Nothing is changed where it is sound. It is done before the data folder is opened.
    """


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """Show the window, with paths to add to a knowledge base; empty, the one that is shown.

    With the purpose `read` or `ask` files of the library are shown, or asked, and the others are
    added where the user agrees. The window does this itself; no operation does.
    """

    paths: tuple[str, ...] = ()
    kb: str = ""
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class KeepOpenRequest:
    """Keep the data folder open for so many seconds, and do nothing.

    What is asked meanwhile, by whichever process, finds models and indexes loaded.
    """

    seconds: float


Request = (
    IndexRequest
    | SearchRequest
    | AskRequest
    | ContinueRequest
    | KeepRequest
    | NoteRequest
    | DocumentsRequest
    | ExplainRequest
    | ShowRequest
    | RemoveRequest
    | FilesRequest
    | KbRequest
    | PrepareRequest
    | DerivedRequest
    | AdaptRequest
    | DescribeRequest
    | EvalRequest
    | SetsRequest
    | SuggestedQuestionsRequest
    | RecoverRequest
    | KeepOpenRequest
)


# Actions that may be done twice.
_ON_BASES = ("list", "rebuild", "health")
_ON_FILES = ("list", "passwords")
_ON_QUESTION_SETS = ("list", "show", "propose")


def is_repeatable(request: Request) -> bool:
    """Say whether a call that may be done already can be sent again, and nothing is done twice."""
    if isinstance(request, KbRequest):
        return request.action in _ON_BASES
    if isinstance(request, SetsRequest):
        return request.action in _ON_QUESTION_SETS
    if isinstance(request, FilesRequest):
        return request.action in _ON_FILES
    if isinstance(request, NoteRequest):
        return request.action != "add"
    if isinstance(request, (AskRequest, DocumentsRequest)):
        return request.chat_id is None and not request.new_chat
    once = (ContinueRequest, RemoveRequest, RecoverRequest)
    return not isinstance(request, once)
