"""How much is read in a time: told by the first runs, and by them alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.paths import resources
from desktop_rag.models.model_loader import READER_NAME
from desktop_rag.models.pair_reader import PairReader
from desktop_rag.models.protocols import TimedReranker
from desktop_rag.models.reranker_speed import RerankerSpeed

SIZES = [100] * 30


@pytest.fixture(scope="module")
def reader() -> PairReader:
    """One of this module's own: that of all tests may read without a limit of time."""
    return PairReader(resources() / "models" / READER_NAME)


def measured(paces: list[float], threads: int = 2) -> RerankerSpeed:
    speed = RerankerSpeed(threads)
    for seconds in paces:
        speed.note(100, 100 * seconds)
    return speed


def test_nothing_is_told_before_enough_was_read() -> None:
    assert measured([0.001] * 8).count_in(0.25, SIZES) is None
    assert measured([0.001] * 9).count_in(10.0, SIZES) == 30


def test_the_first_run_does_not_count_and_the_median_of_the_next_does() -> None:
    paces = [0.000001, 0.004, 0.009, *[0.002] * 4, 0.001, 0.009]
    assert measured(paces).count_in(1.3, SIZES) == 14, "13 fit; one thread would wait for the other"
    assert measured(paces, threads=1).count_in(1.3, SIZES) == 6


def test_what_comes_later_changes_nothing() -> None:
    speed = measured([0.001] * 9)
    before = speed.count_in(0.5, SIZES)
    for seconds in (0.00001, 10.0):
        speed.note(100, seconds)
    assert speed.count_in(0.5, SIZES) == before == 10


def test_long_texts_take_their_share() -> None:
    speed = measured([0.001] * 9)
    assert speed.count_in(0.5, [900, *SIZES]) == 2, "its nine shares, and one"
    assert speed.count_in(0.5, []) == 0


def kept(path: Path, seconds: float, name: str = "reader") -> int | None:
    """Measure eight runs at this speed, unless the file has one; count in a tenth of a second."""
    speed = RerankerSpeed(1, name, path)
    for _ in range(9):
        speed.note(100, 100 * seconds)
    return speed.count_in(0.1, [1] * 1000)


def test_a_pace_is_measured_once_on_a_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "speed.json"
    assert kept(path, 0.001) == 100
    assert kept(path, 0.0001) == 100, "as it was measured first"
    assert RerankerSpeed(2, "reader", path).count_in(0.1, [1] * 1000) == 200
    assert kept(path, 0.002, "another model") == 50
    monkeypatch.setattr("platform.node", lambda: "another machine")
    assert kept(path, 0.0005, "another model") == 200
    assert [each.name for each in tmp_path.iterdir()] == ["speed.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "{}", '{"seconds_a_byte": "x"}', "\x00", "1e999"]
)
def test_a_damaged_file_is_measured_anew(tmp_path: Path, text: str) -> None:
    path = tmp_path / "speed.json"
    path.write_text(text)
    assert kept(path, 0.001) == 100
    assert kept(path, 0.0001) == 100


@pytest.mark.parametrize("value", ["0", "-1", "NaN", "1e999", '"fast"', "null", "[]"])
def test_a_pace_that_cannot_be_is_measured_anew(tmp_path: Path, value: str) -> None:
    path = tmp_path / "speed.json"
    kept(path, 0.001)
    said = path.read_text()
    path.write_text(said.replace("0.001", value))
    assert path.read_text() != said
    assert kept(path, 0.0001) == 1000


def test_a_file_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    path = tmp_path / "no folder" / "speed.json"
    assert kept(path, 0.001) == 100
    assert kept(path, 0.0001) == 1000


def test_the_reader_knows_its_pace_once_it_has_read(reader: PairReader) -> None:
    assert isinstance(reader, TimedReranker)
    texts = [f"Boat {number} sails to the harbour of Vard at noon." for number in range(30)]
    reader.score("Which boat sails at noon?", texts[:12])
    assert reader.count_in(60.0, "Which boat sails at noon?", texts) == 30
    assert reader.count_in(0.0, "Which boat sails at noon?", texts) == 0
    few = reader.count_in(0.05, "Which boat sails at noon?", texts)
    fewer = reader.count_in(0.05, "Which boat sails at noon?", [text * 9 for text in texts])
    assert few is not None
    assert fewer is not None
    assert fewer <= few


@pytest.mark.parametrize("asked", ["", "x" * 10_000])
def test_no_text_counts_more_than_the_reader_reads_of_it(reader: PairReader, asked: str) -> None:
    reader.score("Which boat?", ["A boat."] * 9)
    long, longer = (reader.count_in(0.3, asked, [text] * 30) for text in ("a" * 2000, "a" * 9000))
    assert long == longer
