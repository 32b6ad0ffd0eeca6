"""Whatever a filter, a frame, a settings file or a place says, it is read or refused in words."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from desktop_rag.catalog import locators, metadata_filter
from desktop_rag.core import events
from desktop_rag.core import settings_file as stored
from desktop_rag.core.errors import StoreDamaged, UsageError, UserError
from desktop_rag.core.sentences import sentences
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import Box, Locator, LocatorKind
from desktop_rag.gui.controllers.transcript import (
    Answered,
    InProgress,
    Stopped,
    Transcript,
    fold,
    fold_all,
)
from desktop_rag.ipc.wire import Call, decode_call, encode_call, pack, unpack
from testing.sample_answers import answer, passage

ALONE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
KEYS = [each.key for each in stored.setting_declarations()]
SECTIONS = sorted({key.partition(".")[0] for key in KEYS})
NAMES = sorted({key.partition(".")[2] for key in KEYS})
LIMIT = 1 << 63

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.sampled_from(["", "1e999", "NaN", "true", "../..", "\ud800", "\0", "http://evil:80"])
)
json_values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)

# Filters.

parts = st.sampled_from([
    "path:", "ext:", "title:", "after:", "before:", "kind:", '"', "'", "\\", "*", "[", "]", "[!",
    "?", "\n", "pdf", "2024-02-30", "2024", "0001-01-01", "9999-12-31", "1969", "%", "' OR 1=1 --",
    "\0", "a" * 200, "**/" * 40, "[z-a]", "，", "\u202e",
])  # fmt: skip
filters = st.lists(parts | st.text(max_size=6), max_size=8).map("".join)


@settings(max_examples=300)
@example("after:0001-01-01", "/a", "b", 0.0)
@example("after:9999", "/a", "b", 0.0)
@given(filters, st.text(max_size=20), st.text(max_size=20), st.floats(0, 4e9))
def test_a_filter_selects_or_is_refused_in_words(
    text: str, path: str, title: str, modified: float
) -> None:
    try:
        asked = metadata_filter.parse_filter(text)
    except UsageError as refused:
        told = refused
        assert told.what
        assert told.remedy
        return
    assert metadata_filter.matches_filter(
        asked, metadata_filter.FilterTarget(path, title, modified)
    ) in (True, False)


# Frames.

frames = st.fixed_dictionaries(
    {},
    optional={
        "verb": st.sampled_from(["search", "ask", "index", "kb", "remove", "eval"]) | leaves,
        "args": st.dictionaries(
            st.sampled_from(["kbs", "query", "k", "where", "paths", "kb", "act", "name"])
            | st.text(),
            json_values | st.just(["default"]),
        )
        | json_values,
        "set": st.dictionaries(st.text(max_size=5), json_values) | json_values,
        "ollama_host": leaves,
        "key": leaves,
    },
)


@settings(max_examples=200)
@given(frames)
def test_a_frame_is_a_request_that_survives_or_is_refused_in_words(frame: dict[str, Any]) -> None:
    try:
        call = decode_call(frame)
    except UsageError:
        return
    assert isinstance(call, Call)
    assert decode_call(unpack(pack(encode_call(call)))) == call


@settings(max_examples=200)
@example(b"[" * 100_000)
@example(b'{"a":' * 100_000)
@example(b'{"k":' + b"9" * 5000 + b"}")
@given(st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
def test_bytes_are_a_frame_or_refused_in_words(raw: bytes) -> None:
    try:
        assert isinstance(unpack(raw), dict)
    except UsageError as refused:
        told = refused
        assert told.what


# The settings file.

files = st.dictionaries(
    st.sampled_from([*SECTIONS, "version"]) | st.text(max_size=5),
    st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), json_values, max_size=5)
    | json_values,
    max_size=6,
)


@ALONE
@example(b"[" * 100_000)
@example(b'{"ingest": {"parsers": ' + b"9" * 5000 + b"}}")
@example(b'{"ingest": {"parse_seconds": NaN, "max_megabytes": 1e999}}')
@example(b'{"ollama": {"host": "\\ud800"}}')
@given(files.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=40))
def test_a_settings_file_is_read_within_bounds_or_said_to_be_damaged(
    tmp_path: Path, raw: bytes
) -> None:
    (tmp_path / stored.FILE_NAME).write_bytes(raw)
    try:
        loaded = stored.load(tmp_path)
    except StoreDamaged as refused:
        told = refused
        assert told.remedy
        return
    each: Any
    for each in stored.setting_declarations():
        value = stored.value_of(loaded, each.key)
        assert type(value) is each.kind
        assert each.low is None or each.low <= value <= (each.high or value)
    assert all(sentence.endswith(".") for sentence in stored.invalid_entries(tmp_path))
    stored.save(tmp_path, loaded)
    assert stored.load(tmp_path) == loaded


@ALONE
@given(st.sampled_from(KEYS), st.text(max_size=12) | st.sampled_from(["9" * 5000, "1e999", "NaN"]))
def test_a_setting_for_one_run_fits_or_is_refused_in_words(
    tmp_path: Path, key: str, text: str
) -> None:
    try:
        assert isinstance(stored.load(tmp_path, {key: text}), Settings)
    except UserError as refused:
        told = refused
        assert told.what


# Places.

reals = st.floats(-1e6, 1e6).map(lambda value: round(value, 2) + 0.0)
offsets = st.integers(0, 1 << 40)
boxes = st.builds(Box, reals, reals, reals, reals, offsets, offsets)
places = st.builds(
    Locator,
    st.sampled_from(LocatorKind),
    st.integers(1, 1 << 40) | st.text(max_size=8),
    st.none() | offsets,
    st.none() | offsets,
    st.lists(boxes, max_size=3).map(tuple),
    st.none() | st.text(max_size=6),
)


@given(places)
def test_a_place_comes_back_as_it_was_kept(place: Locator) -> None:
    assert locators.unpack(locators.pack(place)) == place


# Texts.


@settings(max_examples=200)
@given(st.text(max_size=120), st.booleans())
def test_sentences_cover_any_text_in_order(text: str, by_line: bool) -> None:
    spans = sentences(text, by_line=by_line)
    assert "".join("".join(each.of(text).split()) for each in spans) == "".join(text.split())
    assert all(one.end <= two.start for one, two in pairwise(spans))


# Conversations.

found = st.lists(st.integers(1, 6), max_size=4, unique=True).map(
    lambda numbers: events.PassagesFound(
        "q", tuple(passage(number) for number in numbers), frozenset(numbers[::2])
    )
)
happenings = st.lists(
    st.one_of(
        st.text(max_size=4).map(events.Token),
        st.text(max_size=4).map(events.Notice),
        st.builds(events.Step, st.just("condensed"), st.text(max_size=4)),
        st.builds(events.SearchStarted, st.text(max_size=4), st.just("")),
        st.builds(events.Draft, st.text(max_size=4), st.booleans()),
        st.builds(
            events.ModelCall,
            st.just("m"),
            st.just(""),
            st.none(),
            st.none(),
            st.just(()),
            st.just(0.1),
        ),
        st.builds(
            events.QuestionStored,
            st.integers(1, 3),
            st.integers(0, 9),
            st.integers(0, 9),
            st.just((1, 2)),
        ),
        st.builds(events.ListingRow, st.just({})),
        found,
        st.builds(answer, st.text(max_size=6), st.integers(1, 3)),
    ),
    max_size=12,
)


@given(happenings, st.booleans())
def test_any_order_of_events_leaves_a_conversation_that_can_be_shown(
    order: list[events.Event], stops: bool
) -> None:
    assert fold_all(Transcript(), order) == Transcript()
    begun = Transcript().begun("first", "s").ended(Stopped()).begun("why?", "single_pass")
    shown = fold_all(begun, order)
    if stops:
        shown = shown.ended(Stopped())
    first, turn = shown.turns
    assert (first.question, first.text) == ("first", "")
    assert turn.question == "why?"
    assert len(turn.trace) <= len(order)
    assert {each.chunk_id for each in turn.also_retrieved()}.isdisjoint(
        each.chunk_id for each in turn.sources
    )
    assert 0 <= turn.version <= max(0, len(turn.versions) - 1)
    if not stops and order and isinstance(order[-1], events.Answer):
        assert isinstance(turn.outcome, Answered)
        assert turn.text == order[-1].text
    assert fold(shown, events.Token("")).turns[-1].outcome == InProgress("write")
