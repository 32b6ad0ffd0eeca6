from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.core.errors import UsageError
from desktop_rag.core.requests import (
    AdaptRequest,
    AskRequest,
    ContinueRequest,
    DerivedRequest,
    DescribeRequest,
    DocumentsRequest,
    EvalRequest,
    ExplainRequest,
    FilesRequest,
    IndexRequest,
    KbRequest,
    KeepOpenRequest,
    KeepRequest,
    NoteRequest,
    PrepareRequest,
    RecoverRequest,
    RemoveRequest,
    Request,
    SearchRequest,
    SetsRequest,
    ShowRequest,
    SuggestedQuestionsRequest,
)
from desktop_rag.ipc.wire import VERBS, Call, decode_call, encode_call, pack, unpack


@given(st.sampled_from(sorted(VERBS.values(), key=lambda kind: kind.__name__)).flatmap(st.builds))
def test_every_request_survives_the_wire(request: Request) -> None:
    call = Call(request, {"retrieval.alpha": "0.3"}, "http://127.0.0.1:1")
    assert decode_call(unpack(pack(encode_call(call)))) == call


def test_every_kind_of_request_has_a_verb() -> None:
    kinds = {
        AdaptRequest, AskRequest, ContinueRequest, DerivedRequest, DescribeRequest,
        DocumentsRequest, EvalRequest,
        ExplainRequest, FilesRequest, IndexRequest, KbRequest, KeepOpenRequest, KeepRequest,
        NoteRequest, PrepareRequest, RecoverRequest, RemoveRequest, SearchRequest, SetsRequest,
        ShowRequest, SuggestedQuestionsRequest,
    }  # fmt: skip
    assert set(VERBS.values()) == kinds


def test_a_path_with_bytes_that_are_no_text_survives_the_wire() -> None:
    call = Call(ShowRequest(("default",), ("/caf\udce9.txt",)))
    assert decode_call(unpack(pack(encode_call(call)))) == call


@pytest.mark.parametrize(
    "frame",
    [
        {},
        {"verb": "fly", "args": {}},
        {"verb": "search", "args": []},
        {"verb": "search", "args": {"kbs": ["a"], "query": 3}},
        {"verb": "search", "args": {"kbs": "a", "query": "q"}},
        {"verb": "search", "args": {"kbs": ["a"], "query": "q", "k": True}},
        {"verb": "search", "args": {"kbs": ["a"], "query": "q", "more": 1}},
        {"verb": "search", "args": {"kbs": ["a"]}},
        {"verb": "search", "args": {"kbs": ["a"], "query": "q"}, "set": {"a": 1}},
    ],
)
def test_what_is_no_request_is_refused_in_words(frame: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        decode_call(frame)


@pytest.mark.parametrize("raw", [b"", b"[1]", b"{", b"\x80\x04."])
def test_what_is_no_frame_is_refused_in_words(raw: bytes) -> None:
    with pytest.raises(UsageError):
        unpack(raw)
