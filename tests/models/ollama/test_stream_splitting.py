"""However a reply is cut into pieces, what comes out is the same."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.models.ollama.continuation_joiner import ContinuationJoiner, ReplyRestarted
from desktop_rag.models.ollama.thinking_filter import ThinkingFilter
from desktop_rag.models.protocols import ReplyPiece
from testing.ollama_double.words import tokenize

BEGINNING = "Paris is the capital of France"
REPLIES = st.lists(
    st.sampled_from(["<think>", "</think>", "<", "think", "\n", " ", "Paris", "is 1 < 2", "。"])
).map("".join)
CONTINUATIONS = st.sampled_from(
    [
        BEGINNING + " now.",
        BEGINNING,
        "Paris is the capital of Texas",
        " and",
        "Paris",
        "",
        BEGINNING[:27],
    ]
)


def cut(text: str, places: list[int]) -> list[ReplyPiece]:
    marks = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [ReplyPiece(text[a:b]) for a, b in pairwise(marks)]


def answered(pieces: list[ReplyPiece]) -> str:
    thought = ThinkingFilter()
    out = [thought.feed(piece) for piece in pieces] + [thought.end()]
    return "".join(piece.text for piece in out if piece)


def joined(pieces: list[ReplyPiece]) -> str | None:
    seam = ContinuationJoiner(BEGINNING)
    try:
        out = [each for piece in pieces for each in seam.feed(piece)] + seam.end()
    except ReplyRestarted:
        return None
    return "".join(piece.text for piece in out)


@given(REPLIES, st.lists(st.integers(0, 200)))
def test_thinking_is_found_however_the_reply_is_cut(reply: str, places: list[int]) -> None:
    assert answered(cut(reply, places)) == answered([ReplyPiece(reply)] if reply else [])


@given(REPLIES)
def test_a_reply_that_does_not_begin_with_thinking_is_kept_whole(reply: str) -> None:
    if not reply.lstrip().startswith("<think>"):
        assert answered([ReplyPiece(token) for token in tokenize(reply)]) == reply


@given(CONTINUATIONS, st.lists(st.integers(0, 200)))
def test_the_seam_is_found_however_the_reply_is_cut(reply: str, places: list[int]) -> None:
    assert joined(cut(reply, places)) == joined([ReplyPiece(reply)] if reply else [])
