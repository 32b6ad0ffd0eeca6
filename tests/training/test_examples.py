"""What the heads are taught: where an answer stands, and which words are of use."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from training.examples import TAGS, filters, labels, spans_of, taught
from training.token_pairs import PairTokenizer

NAME = ("Guido", "Brignone")


def written(folder: Path, row: dict[str, object]) -> Path:
    path = folder / "rows.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    return path


def test_an_answer_stands_where_it_is_a_whole_word_in_any_case() -> None:
    text = "Oslo. In OSLO's harbour; Osloer."
    assert [text[a:b] for a, b in spans_of(["oslo"], text)] == ["Oslo", "OSLO"]
    assert spans_of(["  "], text) == ()


def test_nobody_is_taught_where_yes_stands_and_that_nothing_answers_is_taught() -> None:
    assert taught(["yes"], "Yes, it is.") is None
    assert taught(["Bergen"], "Oslo is in the south.") == ()
    assert taught(["Bergen"], "Bergen is in the west.") == ((0, 6),)


def test_useful_words_stand_behind_the_title_in_what_is_read(tmp_path: Path) -> None:
    row: dict[str, object] = {
        "qid": "1", "query": "Who directed Devotion?", "title": "Devotion (1929 film)",
        "chunk": "It was directed by Guido Brignone.", "tag": "FINISH", "spans": [[19, 33]],
    }  # fmt: skip
    (lesson,) = labels(written(tmp_path, row))
    assert [lesson.passage[a:b] for a, b in lesson.useful or ()] == ["Guido Brignone"]
    assert lesson.tag == TAGS.index("FINISH")


def test_what_a_filter_keeps_is_found_in_both_of_its_texts(tmp_path: Path) -> None:
    asked = ["Who", "is", "the", "child", "of", "the", "director", "of", "Info", "Info"]
    words = ["Query", *asked, "Devotion", *NAME]
    row: dict[str, object] = {
        "qid": "1",
        "input": "Query: Who is the child of the director of Info? Info: Devotion Guido Brignone",
        "tokens": words, "labels": [0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1],
    }  # fmt: skip
    (lesson,) = filters(written(tmp_path, row))
    assert lesson.kept is not None
    of_query, of_info = lesson.kept
    assert " ".join(lesson.query[a:b] for a, b in of_query) == "Who is the child of"
    assert " ".join(lesson.passage[a:b] for a, b in of_info) == "Guido Brignone"


def test_a_span_has_the_positions_of_its_tokens_and_none_where_it_was_cut_off() -> None:
    passage = "Guido Brignone was an Italian film director."
    (cut,) = PairTokenizer(12).cut([("Who directed Devotion?", passage)])
    positions = cut.passage.positions((0, 14))
    assert positions[0] == len(cut.query.ids) + 2
    assert len(cut.ids) == len(cut.segments) == 12
    assert cut.segments[positions[0]] == 1
    assert cut.segments[positions[0] - 1] == 0
    assert cut.passage.positions((35, 43)) == []
