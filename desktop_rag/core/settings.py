"""Every setting, declared once: its key, default, bounds, name and effect.

A setting is a field of a dataclass, made by `declare` or `advanced`; its key is `section.field`
(`retrieval.candidates`). The window's pages, `--set` and the settings file all follow from these
declarations. Loading and saving is `settings_file`'s work.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from desktop_rag.core import way_options

VERSION = 1


def declare(default: Any, title: str, effect: str, **limits: Any) -> Any:
    """Declare one setting.

    `limits` may hold `low`, `high` (inclusive) and `choices` (`others`: these are not all); a
    `pattern` that a text must match, with an `example`; `restart`, where it takes effect when the
    data folder is next opened; and `run_only`, where it is for `--set` alone and never kept.
    """
    return field(default=default, metadata={"title": title, "effect": effect, **limits})


def advanced(default: Any, title: str, effect: str, **limits: Any) -> Any:
    """Declare a setting that hardly anybody needs: its page shows it behind the others, folded."""
    return declare(default, title, effect, advanced=True, **limits)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How passages are found."""

    candidates: int = declare(
        50, "Candidates", "How many passages each first-stage search gives.", low=5, high=500
    )
    fusion: str = advanced(
        "auto",
        "Fusion",
        "How dense and BM25 results are fused: by what their scores count, where that was measured "
        "for the embedding model, else by reciprocal ranks; always by these; by weighted scores.",
        choices=("auto", "rrf", "weighted"),
    )
    rrf_k: int = advanced(
        10, "RRF constant", "Larger values flatten the ranks' weights.", low=1, high=1000
    )
    alpha: float = advanced(
        0.5,
        "Dense weight",
        "Share of the dense score: 0 is BM25 alone, 1 dense alone.",
        low=0.0,
        high=1.0,
    )
    reranker: str = declare(
        "auto",
        "Reranker",
        "What reads the best candidates a second time.",
        choices=("auto", "none", "pair-reader", "late-interaction"),
        others=True,
    )
    exact_upto: int = advanced(
        20_000,
        "Compare every chunk up to",
        "A knowledge base of up to so many chunks is searched by comparing each of them, which "
        "misses none, for 1.5 KB of memory each. Of larger ones Chroma names the candidates: "
        "faster there, and it may miss one.",
        low=0,
        high=100_000,
        restart=True,
    )
    rerank_candidates: int = advanced(
        30, "Reranked passages", "How many fused candidates the reranker reads.", low=0, high=200
    )
    rerank_milliseconds: int = advanced(
        250,
        "Time for reranking",
        "The built-in reader reads the best candidates first, ten of them at least, until this "
        "time is over on this computer; 0: all of them.",
        low=0,
        high=10_000,
    )
    rerank_weight: float = advanced(
        0.5,
        "Reranker weight",
        "Share of the reranker against the fused rank in the final order. "
        "The built-in reader has learnt its own.",
        low=0.0,
        high=1.0,
    )
    rerank_with_question: bool = advanced(
        True,
        "Also score for the question",
        "In later rounds a passage's score is the better of the query's and the question's.",
    )
    mmr_lambda: float = advanced(
        1.0, "Diversity (MMR λ)", "1 is relevance alone; 0.5 is the usual mix.", low=0.0, high=1.0
    )
    half_life_days: int = advanced(
        0,
        "Half-life of documents",
        "Puts newer files a little ahead: after so many days a passage's score counts three "
        "quarters, and never less than half. 0: age does not count.",
        low=0,
        high=36500,
    )
    duplicate_similarity: float = advanced(
        0.9,
        "Near-duplicate",
        "Passages whose word shingles overlap by this much count as one.",
        low=0.5,
        high=1.0,
    )
    expand: bool = declare(
        True,
        "Whole passage around a match",
        "Use the whole passage around the small piece that matched.",
    )
    refuse_below: float = advanced(
        -1.0,
        "Found nothing below",
        "Evidence under this score counts as nothing found; -1 takes the calibrated value.",
        low=-1.0,
        high=1.0,
    )


@dataclass(frozen=True, slots=True)
class Chunking:
    """How documents are cut. A change cuts documents anew when they are next indexed."""

    small_tokens: int = declare(
        175, "Chunk size", "Tokens of the small pieces that are matched.", low=32, high=512
    )
    big_tokens: int = declare(
        512, "Passage size", "Tokens of the piece around it that is read.", low=64, high=4096
    )
    overlap_tokens: int = advanced(
        20, "Overlap", "Tokens that neighbouring chunks share.", low=0, high=256
    )


@dataclass(frozen=True, slots=True)
class Ingest:
    """How files are read."""

    parsers: int = advanced(2, "Parser processes", "Files read at a time.", low=1, high=16)
    parse_seconds: float = advanced(
        120.0, "Time limit", "Seconds that one file may take to be read.", low=1.0, high=3600.0
    )
    parse_megabytes: int = advanced(
        2048, "Memory limit", "MiB that one parser process may use.", low=512, high=65536
    )
    max_megabytes: int = declare(
        512, "Largest file", "Files above this many MiB are not read.", low=1, high=65536
    )
    max_characters: int = declare(
        40_000_000,
        "Longest text",
        "Files with more characters of text are not read; a long novel has one million.",
        low=100_000,
        high=1_000_000_000,
    )
    answer_seconds: float = advanced(
        20.0,
        "Wait for a drive",
        "Seconds that a drive may take to answer; then its files are passed over.",
        low=1.0,
        high=600.0,
    )
    recognize_text: bool = declare(
        True,
        "Read scans and pictures",
        "Recognise the text of scanned pages and pictures, after all other files.",
    )
    suggest_questions: bool = declare(
        True,
        "Suggest questions",
        "When everything is read, look for questions that the documents answer, and offer them.",
    )
    follow_links: bool = declare(
        False,
        "Follow links to files elsewhere",
        "Read files outside a followed folder that links in it lead to.",
    )
    exclude: str = declare(
        "", "Ignored names", "Globs, separated by commas, on top of the built-in ones."
    )
    pause_on_battery: bool = declare(
        True,
        "Rest on battery",
        "Read no new files while the computer runs on its battery.",
    )
    poll_seconds: float = advanced(
        0.0,
        "Look for changes every",
        "Seconds between looks at folders that send no events; 0 lets the program choose.",
        low=0.0,
        high=86400.0,
    )


@dataclass(frozen=True, slots=True)
class Models:
    """Which models are used."""

    embedder: str = declare(
        "builtin",
        "Embedding model",
        "The model that finds passages by their meaning.",
        restart=True,
    )
    threads: int = advanced(
        0,
        "Threads",
        "CPU threads of the built-in models; 0 takes all cores.",
        low=0,
        high=256,
        restart=True,
    )


@dataclass(frozen=True, slots=True)
class Ollama:
    """The local language model."""

    host: str = declare(
        "",
        "Address",
        "Where Ollama, LM Studio, llama.cpp or vLLM listens; empty takes OLLAMA_HOST or "
        "127.0.0.1:11434.",
    )
    model: str = declare("", "Model", "The model that answers; empty takes the first one there is.")
    num_ctx: int = declare(
        8192, "Context length", "Tokens of context, sent with every call.", low=512, high=1048576
    )
    answer_tokens: int = advanced(
        1024, "Longest answer", "Tokens an answer may have.", low=16, high=32768
    )
    temperature: float = advanced(
        0.0, "Temperature", "0 answers the same each time.", low=0.0, high=2.0
    )
    keep_alive: str = declare(
        "5m",
        "Keep loaded",
        "How long Ollama keeps the model in memory after an answer: 30s, 5m, 2h; -1 for good.",
        pattern=r"-?\d+(\.\d+)?|-?(\d+(\.\d+)?(ms|s|m|h))+",
        example="5m",
    )
    think: bool = declare(False, "Thinking", "Let a thinking model think before its answer.")


@dataclass(frozen=True, slots=True)
class Answering:
    """How answers are written."""

    strategy: str = declare(
        "balanced", "Way to answer", "A preset, or a strategy: how a question is researched."
    )
    options: str = advanced(
        "",
        "Options of ways",
        "What is changed of ways to answer, as it is set beside the way under a question.",
        pattern=way_options.PATTERN,
        example="iter_retgen.rounds=2, react.k=8",
    )
    only_documents: bool = declare(
        True, "Only from my documents", "Say so when they do not hold the answer."
    )
    condense: bool = declare(
        True, "Condense follow-ups", "Make a follow-up question stand alone before searching."
    )
    reuse: bool = declare(
        True,
        "Answer repeated questions at once",
        "Give the earlier answer of a conversation where the same question is asked in the same "
        "way and no document has changed since. It says so, and can be asked anew.",
    )
    earlier: bool = declare(
        True,
        "Tell of kept answers",
        "Below an answer, show those that you have kept to questions near this one. They are "
        "never a source.",
    )
    other_kbs: bool = declare(
        True,
        "Name another knowledge base",
        "Where one does not hold the answer, look whether another clearly does, and say which. "
        "Nothing is answered from it until you ask it.",
    )
    order: str = advanced(
        "reverse",
        "Order of passages",
        "Where the best passage stands in the prompt.",
        choices=("forward", "reverse", "sides"),
    )
    examples: int = advanced(
        0,
        "Examples of cited answers",
        "How many made-up questions with cited answers the model sees before the passages; the "
        "second is one that is not answered. Each adds about 110 tokens to what it reads.",
        low=0,
        high=2,
    )
    compression: str = advanced(
        "none",
        "Shorten passages",
        "What the model is told of each passage: all of it, its best sentences, its most useful "
        "words, or a summary, which takes another call. The sources that you see stay whole.",
        choices=("none", "extractive", "tokens", "abstractive"),
    )
    compression_share: float = advanced(
        0.5,
        "Share that is kept",
        "How much of the passages stays where they are shortened to their best sentences or words.",
        low=0.1,
        high=1.0,
    )


_SERVER_NAME = r"[^/?#\s]{1,128}"


@dataclass(frozen=True, slots=True)
class Privacy:
    """What this program may contact."""

    block_remote: bool = declare(
        False,
        "Connect to this computer only",
        "Refuse every connection to another computer, whatever was allowed before.",
    )
    allow_remote: bool = declare(
        False,
        "Allow another computer",
        "Let Ollama or Chroma be on a host that is not this one, for this run.",
        run_only=True,
    )
    chroma_url: str = advanced(
        "",
        "Shared Chroma server",
        "Where knowledge bases are shared with others: an http:// address.",
        pattern=r"(https?://[^\s/]+/?)?",
        example="http://127.0.0.1:8000",
    )
    chroma_tenant: str = advanced(
        "default_tenant",
        "Tenant there",
        "On the shared Chroma server: whose databases are used.",
        pattern=_SERVER_NAME,
    )
    chroma_database: str = advanced(
        "default_database",
        "Database there",
        "On the shared Chroma server: where the knowledge bases lie.",
        pattern=_SERVER_NAME,
    )
    chroma_token_file: str = advanced(
        "",
        "Token for it",
        "A file with the token by which the shared Chroma server knows this program.",
    )
    chroma_certificate: str = advanced(
        "",
        "Certificate for it",
        "A PEM file with this program's certificate, for mutual TLS.",
    )
    chroma_key: str = advanced(
        "",
        "Key of that certificate",
        "A PEM file; empty where the certificate's file holds the key as well.",
    )
    chroma_authority: str = advanced(
        "",
        "Its certificate's authority",
        "A PEM file of who signed it, where this system does not know.",
    )


@dataclass(frozen=True, slots=True)
class Window:
    """How the window looks; `auto` follows the system."""

    language: str = declare(
        "auto", "Language", "The language of the window.", choices=("auto", "en", "zh")
    )
    theme: str = declare(
        "auto",
        "Appearance",
        "The colours of the window.",
        choices=("auto", "light", "dark", "contrast"),
    )
    scale: int = declare(
        100,
        "Size",
        "Percent of the usual size of text and controls.",
        low=100,
        high=300,
        restart=True,
    )
    expert_tools: bool = declare(
        False,
        "Expert tools",
        "Show scores, steps, tokens and model calls, every way to answer by its name, the "
        "workbench, and the settings of retrieval and chunking.",
    )
    keep_running: bool = declare(
        False,
        "Keep running when closed",
        "Closing the window leaves the program in the notification area, where the desktop has "
        "one, and reading goes on. “Quit” ends it.",
    )
    notify_reading: bool = declare(
        True,
        "Tell when files are read",
        "A notification when reading ends while you use another program. It holds numbers, no "
        "names and nothing of your documents.",
    )
    notify_answers: bool = declare(
        True,
        "Tell when an answer is ready",
        "A notification when an answer is ready while you use another program. It holds your "
        "question, which a locked screen may show, too; nothing of the answer or the documents.",
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, read once at start and passed in."""

    retrieval: Retrieval = field(default_factory=Retrieval)
    chunking: Chunking = field(default_factory=Chunking)
    ingest: Ingest = field(default_factory=Ingest)
    models: Models = field(default_factory=Models)
    ollama: Ollama = field(default_factory=Ollama)
    answering: Answering = field(default_factory=Answering)
    privacy: Privacy = field(default_factory=Privacy)
    window: Window = field(default_factory=Window)
