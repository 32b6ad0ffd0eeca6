"""The comparison with peers: its counting, its driver with a real pipeline, and its page."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from benchmarks.peers.__main__ import Exam, run, turns, write
from benchmarks.peers.article_pdfs import located, pages_of
from benchmarks.peers.environments import REQUIREMENTS
from benchmarks.peers.gold_pages import PageQuestion, is_found, pdf_files, questions_of
from benchmarks.peers.peer_list import OURS, PEERS
from benchmarks.peers.peer_page import PeerComparison, Trial
from benchmarks.peers.peer_process import PeerProcess, PipelineFailed
from benchmarks.peers.peer_results import PeerMeasurement, PeerRound, difference, goals
from benchmarks.peers.protocol import FoundPassage
from tests.conftest import REPOSITORY

# A pipeline that counts shared words: a line of a file is a passage, its number the page.
LINES = """
import sys, time
from pathlib import Path
from benchmarks.peers.protocol import FoundPassage, serve

class Lines:
    def __init__(self, model, folder):
        self.folder, self.model = folder, model.read_text()
        print("a library's chatter")

    def index(self, paths):
        self.held = bytearray(64 << 20)
        self.lines = [
            (str(path), number, set(line.split()))
            for path in paths
            for number, line in enumerate(path.read_text().splitlines(), 1)
        ]
        (self.folder / "lines").write_bytes(bytes(3 << 20))
        return len(self.lines)

    def search(self, question, count):
        if question == "fail":
            raise ValueError("no such " + self.model)
        if question == "slow":
            time.sleep(0.3)
        asked = set(question.split())
        best = sorted(self.lines, key=lambda each: -len(asked & each[2]))
        return [FoundPassage(path, page) for path, page, _ in best[:count]]

    def close(self):
        (self.folder / "closed").write_text("yes")

serve(Lines, ["pytest"])
"""


@pytest.fixture
def pipeline(tmp_path: Path) -> list[str | Path]:
    """Return the command of a small pipeline, without the model and the folder."""
    script = tmp_path / "lines.py"
    path = f"import sys\nsys.path.insert(0, {str(REPOSITORY)!r})\n"
    script.write_text(path + LINES, encoding="utf-8")
    return [sys.executable, script]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.write_text("model of words", encoding="utf-8")
    return made


def text(tmp_path: Path, name: str = "a.pdf") -> Path:
    made = tmp_path / name
    made.write_text("\n".join([*("other words" for _ in range(6)), "the gold page"]))
    return made


def one_round(index: float, search: list[float], found: list[bool]) -> PeerRound:
    return PeerRound(index, 10, search, found, 100.0, 90.0, 5.0)


def measured(name: str, *rounds: PeerRound) -> PeerMeasurement:
    return PeerMeasurement(name, {name: "1.0"}, rounds)


def test_a_page_counts_in_its_file_among_the_first_five_only(tmp_path: Path) -> None:
    asked = PageQuestion("?", tmp_path / "a.pdf", frozenset({3, 7}), "set")
    right = FoundPassage(str(tmp_path / "x" / ".." / "a.pdf"), 7)
    other_file = FoundPassage(str(tmp_path / "b.pdf"), 7)
    other_page = FoundPassage(str(tmp_path / "a.pdf"), 4)
    assert is_found([other_file, other_page, right], asked)
    assert not is_found([other_file, other_page], asked)
    assert not is_found([other_page] * 5 + [right], asked)


def test_only_questions_of_the_pdfs_at_hand_with_pages_are_asked(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    there = text(tmp_path / "docs")
    rows: list[dict[str, object]] = [
        {"doc": "docs/a.pdf", "question": "one?", "pages": [7]},
        {"doc": "docs/a.pdf", "question": "without pages?", "pages": []},
        {"doc": "docs/missing.pdf", "question": "elsewhere?", "pages": [1]},
        {"doc": "docs/a.md", "question": "Markdown?", "pages": [1]},
    ]
    lines = "\n".join(json.dumps({"lang": "en", **row}) for row in rows)
    (tmp_path / "manifest.jsonl").write_text(lines, encoding="utf-8")
    files = pdf_files([tmp_path, there])
    assert files == [there.resolve()]
    assert questions_of(tmp_path, files) == [
        PageQuestion("one?", there.resolve(), frozenset({7}), tmp_path.name),
    ]


def test_a_pipeline_is_driven_through_its_lines(
    tmp_path: Path, pipeline: list[str | Path], model: Path
) -> None:
    stored = tmp_path / "stored"
    stored.mkdir()
    path = text(tmp_path)
    with PeerProcess([*pipeline, model, stored], tmp_path / "log") as peer:
        assert peer.versions == {"pytest": pytest.__version__}
        before = peer.take_peak()
        _, passages = peer.index([path])
        indexing = peer.take_peak()
        reply = peer.search("gold", 2)
        slow = peer.search("slow", 1)
    assert passages == 7
    assert indexing > before + 50  # the 64 MiB that it holds
    assert reply.found[0] == FoundPassage(str(path), 7)
    assert len(reply.found) == 2
    assert slow.seconds >= 0.3 > reply.seconds
    assert (stored / "closed").read_text() == "yes"
    assert "chatter" in (tmp_path / "log").read_text()


def test_why_a_pipeline_failed_is_told(
    tmp_path: Path, pipeline: list[str | Path], model: Path
) -> None:
    with (
        PeerProcess([*pipeline, model, tmp_path], tmp_path / "log") as peer,
        pytest.raises(PipelineFailed, match="no such model of words"),
    ):
        peer.search("fail", 1)
    with (
        pytest.raises(PipelineFailed, match="FileNotFoundError"),
        PeerProcess([*pipeline, tmp_path / "no model", tmp_path], tmp_path / "log"),
    ):
        pass


def test_all_take_the_same_exam_in_turn(
    tmp_path: Path, pipeline: list[str | Path], model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = text(tmp_path)
    asked = [
        PageQuestion("gold page", path, frozenset({7}), "set"),
        PageQuestion("other words", path, frozenset({7}), "set"),
    ]
    exam = Exam([path], asked, model)
    after_one, made = run(exam, {"langchain": pipeline, "txtai": pipeline}, 2)
    assert [len(each.rounds) for each in after_one.values()] == [1, 1]
    assert [each.name for each in made.values()] == ["LangChain", "txtai"]
    for each in made.values():
        assert [one.is_found for one in each.rounds] == [[True, False]] * 2
        assert [one.passages for one in each.rounds] == [7, 7]
        assert each.most(lambda one: one.disk) == pytest.approx(3, abs=0.01)
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("round")]
    assert ["LangChain" in line for line in told] == [True, False, False, True]


def test_who_was_first_is_last_in_the_next_round() -> None:
    assert [turns(["a", "b", "c"], number) for number in range(2)] == [
        ["a", "b", "c"],
        ["c", "b", "a"],
    ]


def test_percentiles_are_over_all_questions_of_all_rounds() -> None:
    slow, quick = [0.1] * 9 + [1.0], [0.1] * 10
    each = measured("x", one_round(4, quick, [True] * 10), one_round(6, slow, [True] * 10))
    assert each.index_seconds == 5
    assert each.search_milliseconds(50) == 100
    assert each.search_milliseconds(95) == pytest.approx(145)
    assert each.search_milliseconds(100) == 1000


def test_a_question_counts_for_the_rounds_that_found_it() -> None:
    rounds = one_round(1, [1, 1], [True, False]), one_round(1, [1, 1], [True, True])
    assert measured("x", *rounds).found == [1.0, 0.5]
    assert measured("x", *rounds).found_percent == 75


def test_a_goal_is_held_against_the_peer_that_is_best_at_it() -> None:
    ours = measured("ours", one_round(10, [0.02] * 4, [True, True, True, False]))
    quick = measured("quick", one_round(39, [0.03] * 4, [False, False, True, False]))
    good = measured("good", one_round(90, [0.01] * 4, [True, False, True, False]))
    indexing, middle, late, finding = goals(ours, [quick, good])
    assert (indexing.measurement.floor_name, indexing.is_met) == ("quick", False)
    assert indexing.told == "3.9 times as fast"
    assert [each.measurement.floor_name for each in (middle, late)] == ["good", "good"]
    assert [each.is_met for each in (middle, late)] == [False, False]
    assert (finding.measurement.floor_name, finding.is_met) == ("good", True)
    assert finding.told.startswith("+25.0 points")
    beaten = measured("beaten", one_round(40, [0.02] * 4, [False] * 4))
    assert [goal.is_met for goal in goals(ours, [beaten])] == [True] * 4


def test_a_difference_is_question_by_question() -> None:
    ours = measured("ours", one_round(1, [0.2, 0.4], [True, False]))
    peer = measured("peer", one_round(3, [0.1, 0.2], [False, True]))
    beside = difference(ours, peer)
    assert beside.faster == 3
    assert beside.longer == pytest.approx((2, 2))
    assert beside.ahead == 0
    assert beside.interval == (-100, 100)


@pytest.fixture
def comparison() -> PeerComparison:
    ours = measured("this program", one_round(10, [0.5] * 2, [True, True]))
    peer = measured("LangChain", one_round(30, [0.1] * 2, [True, False]))
    trial = Trial(["a.pdf", "b.pdf", "c.pdf"], 90, ["articles", "reports"], "two cores", 1.0)
    return PeerComparison(trial, {OURS: ours, "langchain": peer})


def test_the_page_says_which_goals_are_missed(comparison: PeerComparison) -> None:
    page = comparison.page("peers.svg")
    assert "| indexing | 10 s | 30 s (LangChain) | 3.0 times as fast |" in page
    assert page.count("| **no** |") == 3
    assert "**Indexing is short of its goal.**" in page
    assert "**A search takes longer than theirs.**" in page
    assert "**The gold pages are not" not in page  # 50 points are
    assert "+50.0 points" in page
    assert "| LangChain | 10 | 30.0 s | 30.0 | 3.0 | 100 ms | 100 ms | 50.0 % |" in page
    assert "RecursiveCharacterTextSplitter" in page  # what its module says of itself
    assert "(peers.svg)" in page
    assert "3 PDFs with 90 pages" in page
    assert "a.pdf, b.pdf, c.pdf" in page


def test_what_is_found_is_told_by_question_set(comparison: PeerComparison) -> None:
    page = comparison.page("peers.svg")
    assert "| gold page in 5, 95 % | articles (1) | reports (1) |" in page
    assert "| LangChain | 100.0 % (100–100) | 0.0 % (0–0) |" in page
    one = replace(comparison.trial, sets=["articles", "articles"])
    assert "by question set:" not in replace(comparison, trial=one).page("peers.svg")


def test_the_page_of_an_answer_is_known_where_it_stands_once() -> None:
    pages = ["The assay was run at 32 °C, by", "hand.\nAt 37 °C it was run by machine.", "By hand."]
    assert pages_of("32 °C, by hand", pages) == [1, 2]
    assert pages_of("37°C", pages) == [2]
    assert pages_of("by hand", pages) == []
    assert pages_of("42 °C", pages) == []
    assert pages_of("…", pages) == []


def test_questions_of_one_place_become_lines_of_a_manifest(tmp_path: Path) -> None:
    rows = [
        {"id": str(n), "gold": ["7"], "question": "Which?", "answers": [answer]}
        for n, answer in enumerate(("thirty-two", "degrees"))
    ]
    made = list(located(rows, {"7": ["degrees", "thirty-two degrees"]}))
    (tmp_path / "7.pdf").write_text("")
    (tmp_path / "manifest.jsonl").write_text("\n".join(map(json.dumps, made)))
    (asked,) = questions_of(tmp_path, pdf_files([tmp_path]))
    assert (asked.path, asked.pages, asked.set) == (
        tmp_path / "7.pdf",
        frozenset({2}),
        tmp_path.name,
    )


def test_who_does_not_tell_its_passages_has_none_in_the_table() -> None:
    silent = PeerRound(1.0, 0, [0.1], [True], 1.0, 1.0, 1.0)
    trial = Trial(["a.pdf"], 1, ["articles"], "two cores", 1.0)
    table = PeerComparison(trial, {"openwebui": measured("Open WebUI", silent)}).table()
    assert "| Open WebUI | – | 1.0 s |" in table


def test_without_the_program_nothing_is_compared(comparison: PeerComparison) -> None:
    alone = PeerComparison(comparison.trial, {"langchain": comparison.measured["langchain"]})
    assert "LangChain" in alone.page("peers.svg")
    assert "## The goals" not in alone.page("peers.svg")


def test_the_plot_has_bars_as_long_as_the_figures(comparison: PeerComparison) -> None:
    root = ET.fromstring(comparison.plot())
    bars = [each for each in root.iter() if each.tag.endswith("rect")][1:]
    widths = [float(each.get("width", "0")) for each in bars]
    assert len(widths) == 6
    assert widths[1] == pytest.approx(3 * widths[0], rel=0.01)  # indexing
    assert widths[2] == pytest.approx(5 * widths[3], rel=0.01)  # search
    assert widths[4] == pytest.approx(2 * widths[5], rel=0.01)  # gold pages


@pytest.mark.parametrize("key", PEERS)
def test_every_peer_says_what_it_runs_and_pins_it(key: str) -> None:
    assert len(PEERS[key].description()) > 100
    if key != OURS:
        lines = (REQUIREMENTS / f"{key}.txt").read_text(encoding="utf-8").split()
        assert lines
        assert [line for line in lines if "==" not in line] == []


def test_the_page_and_its_plot_are_written(comparison: PeerComparison, tmp_path: Path) -> None:
    write(comparison, tmp_path / "peers.md")
    assert "(peers.svg)" in (tmp_path / "peers.md").read_text(encoding="utf-8")
    assert (tmp_path / "peers.svg").read_text(encoding="utf-8") == comparison.plot()


def test_docs_name_every_peer() -> None:
    page = (REPOSITORY / "docs" / "peers.md").read_text(encoding="utf-8")
    assert [peer.name for peer in PEERS.values() if peer.name not in page] == []
    assert (REPOSITORY / "docs" / "peers.svg").is_file()
