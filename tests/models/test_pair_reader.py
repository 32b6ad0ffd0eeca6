"""The built-in reader: what it says of a question and a passage, and what if its files are harmed.

Nothing here was in its training.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.core import paths
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.settings import Settings
from desktop_rag.models.model_loader import READER_NAME, load_rerankers
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.pair_reader import PairReader, PairReading
from desktop_rag.models.protocols import LanguageSupport

QUESTION = "Who designed the Halden lighthouse?"
DESIGNED = (
    "Halden lighthouse\nThe Halden lighthouse stands on a rock in the fjord. It was designed by "
    "Marta Ekeland and lit in 1903."
)
DESIGNER = "Marta Ekeland\nMarta Ekeland (1861-1930) was an architect, mother of Jon Ekeland."
BREAD = "Rye bread\nThe dough of rye bread needs two rises of an hour each in a warm place."


def test_the_passage_that_answers_scores_best(reader: PairReader) -> None:
    poor, good, fair = reader.score(QUESTION, [BREAD, DESIGNED, DESIGNER])
    assert good > fair > poor


def test_what_is_said_of_a_pair_does_not_depend_on_the_others(reader: PairReader) -> None:
    together = reader.score(QUESTION, [BREAD, DESIGNED, DESIGNER])
    assert together[1:2] == reader.score(QUESTION, [DESIGNED])
    assert reader.score(QUESTION, []) == []


def test_the_answer_is_found_where_it_stands_and_nowhere_in_another(reader: PairReader) -> None:
    here, elsewhere = (each.answer() for each in reader.read(QUESTION, [DESIGNED, BREAD]))
    assert here is not None
    assert elsewhere is not None
    assert DESIGNED[slice(*here.place)] == "Marta Ekeland"
    assert here.margin > 0 > elsewhere.margin


def test_a_statement_holds_or_does_not(reader: PairReader) -> None:
    said = ["It was lit in 1903.", "It was lit in 1957."]
    right, wrong = (reader.read(f"Halden lighthouse: {each}", [DESIGNED])[0] for each in said)
    assert right.answer().margin > wrong.answer().margin  # type: ignore[union-attr]


def test_a_passage_leads_on_or_says_nothing_of_it(reader: PairReader) -> None:
    asked = "Who is the son of the designer of the Halden lighthouse?"
    on, off = reader.read(asked, [DESIGNED, BREAD])
    assert (on.tag, off.tag) == ("CONTINUE", "TERMINATE")
    assert "Marta Ekeland" in " ".join(DESIGNED[slice(*each)] for each in on.useful())
    assert off.useful() == []


def test_what_makes_the_next_question_is_kept_of_both_texts(reader: PairReader) -> None:
    asked, info = "Who is the son of the designer of the Halden lighthouse?", "Marta Ekeland"
    (said,) = reader.read(asked, [f"Halden lighthouse {info}"])
    of_asked, of_info = said.kept()
    assert "Who is the" in " ".join(asked[slice(*each)] for each in of_asked)
    assert info in " ".join(f"Halden lighthouse {info}"[slice(*each)] for each in of_info)


def test_texts_of_any_length_are_read(reader: PairReader) -> None:
    long = f"{BREAD} {'word ' * 2000}"
    empty, cut, asked_long = (
        reader.read(QUESTION, [""])[0],
        reader.read(QUESTION, [long])[0],
        reader.read("what " * 2000, [DESIGNED])[0],
    )
    assert empty.answer() is None
    assert len(cut.asked) + len(cut.told) == reader.card.max_tokens - 3
    assert asked_long.told, "a long question leaves room for the passage"


DRAFT = f"{QUESTION} {'It is said to be a tower. ' * 60}So the answer is: Marta Ekeland."


def test_a_long_query_loses_its_middle_and_neither_question_nor_conclusion(
    reader: PairReader,
) -> None:
    (read,) = reader.read(DRAFT, [f"{DESIGNED} {'word ' * 500}"])
    half = reader.card.max_tokens // 4
    assert len(read.asked) == 2 * half
    begun = DRAFT[: read.asked[half - 1][1]]
    ended = DRAFT[read.asked[half][0] : read.asked[-1][1]]
    assert begun.startswith(QUESTION)
    assert ended.endswith("So the answer is: Marta Ekeland.")
    assert len(begun) + len(ended) < len(DRAFT)


def test_a_short_passage_leaves_its_room_to_the_query(reader: PairReader) -> None:
    (read,) = reader.read(DRAFT, [DESIGNED])
    assert len(read.asked) > reader.card.max_tokens // 2
    assert len(read.asked) + len(read.told) == reader.card.max_tokens - 3
    assert DESIGNED[slice(*read.told[-1])] == "."


def test_what_a_draft_concludes_counts_for_a_passage(reader: PairReader) -> None:
    draft = DRAFT.replace("Who designed the Halden lighthouse?", "Whose mother is meant?")
    other = draft.replace("Marta Ekeland", "Henrik Aune")
    told, untold = (reader.score(each, [DESIGNER])[0] for each in (draft, other))
    assert told > untold


def test_no_stretch_of_a_query_reaches_over_what_was_cut_out() -> None:
    places = ((0, 5), (6, 13), (900, 905), (906, 913))
    wanted = np.ones((len(places) + 3, 4), np.float32)
    read = PairReading(0.0, wanted, np.zeros(4, np.float32), places, ())
    assert read.kept()[0] == [(0, 13), (900, 913)]


def test_other_languages_are_left_as_the_first_stage_orders_them(reader: PairReader) -> None:
    assert reader.trust("谁设计了灯塔？") is LanguageSupport.NONE
    assert reader.trust("¿Quién diseñó el faro de la isla?") is LanguageSupport.NONE
    assert reader.trust("Wer hat den Leuchtturm auf der Insel gebaut?") is LanguageSupport.NONE
    assert reader.trust("lighthouse Halden") is LanguageSupport.GOOD
    assert reader.trust("Who runs the Rio de Janeiro office?") is LanguageSupport.GOOD


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("harm", ["gone", "changed", "cut"])
def test_a_harmed_file_is_told_of_with_a_remedy(tmp_path: Path, file: str, harm: str) -> None:
    folder = tmp_path / READER_NAME
    shutil.copytree(paths.resources() / "models" / READER_NAME, folder)
    if harm == "gone":
        (folder / file).unlink()
    else:
        content = bytearray((folder / file).read_bytes())
        content[1000:1010] = b"0123456789"
        (folder / file).write_bytes(content if harm == "changed" else content[:5000])
    with pytest.raises(ModelUnavailable) as told:
        PairReader(folder).score(QUESTION, [DESIGNED])
    assert "Install Desktop RAG again" in told.value.remedy


@pytest.mark.parametrize("harm", ["gone", "card"])
def test_without_its_folder_or_card_it_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedder: OnnxEmbedder, harm: str
) -> None:
    folder = tmp_path / "models" / READER_NAME
    shutil.copytree(paths.resources() / "models", tmp_path / "models")
    if harm == "gone":
        shutil.rmtree(folder)
    else:
        (folder / "card.json").write_text("{")
    monkeypatch.setattr(paths, "resources", lambda: tmp_path)
    (missing,) = load_rerankers("auto", Settings(), embedder)
    with pytest.raises(ModelUnavailable, match=READER_NAME):
        missing.score(QUESTION, [DESIGNED])
    assert missing.trust("谁设计了灯塔？") is LanguageSupport.NONE
    (alone,) = load_rerankers(READER_NAME, Settings(), embedder)
    assert alone.name == READER_NAME
