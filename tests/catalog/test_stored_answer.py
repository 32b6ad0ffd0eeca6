"""What is kept of an answer is read whatever it holds: as it was kept, or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.catalog.stored_answer import StoredAnswer, read_answer
from desktop_rag.commands.conversation_recorder import TraceRecorder
from desktop_rag.core.events import NO_QUOTE, Notice, NoticeCode, PassagesFound, Step
from desktop_rag.core.phrases import Phrase, SourceName, has_code
from desktop_rag.core.types import Box
from testing.sample_answers import answer, passage


def payload() -> dict[str, Any]:
    """Return what is kept of an answer with one source and one other passage."""
    recorder = TraceRecorder()
    recorder.take(PassagesFound("fuel", (passage(2), passage(4)), frozenset({2}), at=0.5))
    recorder.take(Step("thought", "So."))
    recorder.take(Notice("Slow."))
    said = answer("Fuel fell [2].", 2)
    kept = said.as_json() | recorder.payload(said.sources)
    return json.loads(json.dumps(kept))


def test_a_locator_is_a_list_or_an_object_and_its_boxes_may_lack_their_offsets() -> None:
    kept = payload()
    read = read_answer(json.dumps(kept))
    kind, value, start, end, cells, boxes = kept["sources"][0]["locator"]
    named = [dict(zip(("x0", "y0", "x1", "y1", "start", "end"), box, strict=True)) for box in boxes]
    kept["sources"][0]["locator"] = {
        "kind": kind, "value": value, "start": start, "end": end, "cells": cells, "boxes": named,
    }  # fmt: skip
    assert read_answer(json.dumps(kept)) == read
    assert [(box.start, box.end) for box in read.citations[0].locator.boxes] == [(0, 0)]


def test_boxes_on_another_page_are_kept_with_sources_and_citations() -> None:
    far = Box(1.0, 2.0, 3.0, 4.0, 120, 130, page=9)
    said = answer("Fuel fell [2].", 2)
    source, cited = said.sources[1], said.citations[0]
    place = replace(source.locator, boxes=(*source.locator.boxes, far))
    said = replace(
        said,
        sources=(said.sources[0], replace(source, locator=place)),
        citations=(replace(cited, locator=place),),
    )
    kept = json.dumps(said.as_json() | TraceRecorder().payload(said.sources))
    read = read_answer(kept)
    assert read.sources[1].locator.boxes == place.boxes
    marks = [(box.x0, box.page) for box in read.citations[0].locator.boxes]
    assert marks == [(72.0, None), (1.0, 9)]


def test_a_step_of_another_version_or_that_does_not_fit_is_left_out() -> None:
    kept = payload()
    steps = read_answer(json.dumps(kept)).steps()
    assert [type(each) for each in steps] == [PassagesFound, Step, Notice]
    odd = [{"event": "later"}, {}, {"event": "step", "name": 3}, {"event": "chain"}]
    odd += [{"event": "passages", "query": "q", "passages": [[1]]}]
    kept["trace"] = [*odd, *kept["trace"]]
    assert read_answer(json.dumps(kept)).steps() == steps


@pytest.mark.parametrize(
    "change",
    [
        {"sources": 3},
        {"sources": [3]},
        {"sources": [{"chunk_id": 1}]},
        {"citations": [{"locator": []}]},
        {"citations": [{"locator": {"boxes": 3}}]},
        {"retrieved": [{"locator": ["page", 1, 0, 1, None, [3]]}]},
        {"trace": [3]},
        {"seconds": "long"},
    ],
)
def test_what_cannot_be_read_is_nothing(change: dict[str, Any]) -> None:
    assert read_answer(json.dumps(payload() | change)) == StoredAnswer()


@pytest.mark.parametrize("raw", ["", "{}", "[]", "{", "null", "[" * 100_000])
def test_an_answer_without_a_payload_has_defaults(raw: str) -> None:
    assert read_answer(raw) == StoredAnswer()


def test_a_sentence_is_read_as_what_it_is_made_of() -> None:
    recorder = TraceRecorder()
    named = Phrase("From your knowledge base “{0}”: {1}.", "home", SourceName("Plan", 2))
    recorder.take(Notice(named))
    recorder.take(Notice(NO_QUOTE))
    kept = json.dumps(answer("Fuel fell [2].", 2).as_json() | recorder.payload(()))
    first, second = read_answer(kept).notices
    assert isinstance(first, Phrase)
    assert (first, first.template, first.arguments) == (named, named.template, named.arguments)
    assert has_code(second, NoticeCode.NO_QUOTE)
    assert [each.text for each in read_answer(kept).steps() if isinstance(each, Notice)] == [
        named,
        NO_QUOTE,
    ]


def test_what_version_0_1_said_of_an_answer_still_tells() -> None:
    broken = "Ollama went away. What came until then is kept."
    kept = payload() | {"notices": [broken, str(NO_QUOTE), "Slow."]}
    first, second, third = read_answer(json.dumps(kept)).notices
    assert (first, third) == (broken, "Slow.")
    assert has_code(first, NoticeCode.BROKEN_OFF)
    assert has_code(second, NoticeCode.NO_QUOTE)
