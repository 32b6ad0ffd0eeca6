"""Compare the program with its peers in one command, and write docs/peers.md.

python -m benchmarks.peers --documents FOLDER… --questions FOLDER… --model FOLDER \
    --environments FOLDER [--only this_program,langchain] [--rounds 2] [--out FILE]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from benchmarks.machine_description import machine_text
from benchmarks.peers.gold_pages import FIRST, PageQuestion, is_found, pdf_files, questions_of
from benchmarks.peers.peer_list import PEERS
from benchmarks.peers.peer_page import PeerComparison, Trial, check_names
from benchmarks.peers.peer_process import PeerProcess
from benchmarks.peers.peer_results import PeerMeasurement, PeerRound

PeerTaken = tuple[PeerRound, dict[str, str]]  # with the versions that ran

_MEGABYTE = 1 << 20
_UNCOUNTED = "What is this document about?"


@dataclass(frozen=True, slots=True)
class Exam:
    """What is asked of all: the files, the questions, and the peers' embedding model."""

    files: Sequence[Path]
    questions: Sequence[PageQuestion]
    model: Path

    def taken_by(self, command: Sequence[str | Path], folder: Path) -> PeerTaken:
        """Let one pipeline index and search in an empty folder; return what was measured."""
        stored = folder / "stored"
        stored.mkdir(parents=True)
        with PeerProcess([*command, self.model, stored], folder / "log") as peer:
            seconds, passages = peer.index(self.files)
            indexing = peer.take_peak()
            peer.search(_UNCOUNTED, FIRST)
            replies = [peer.search(each.text, FIRST) for each in self.questions]
            searching = peer.take_peak()
        found = [
            is_found(reply.found, asked)
            for reply, asked in zip(replies, self.questions, strict=True)
        ]
        taken = [reply.seconds for reply in replies]
        disk = sum(file.stat().st_size for file in stored.rglob("*") if file.is_file()) / _MEGABYTE
        made = PeerRound(seconds, passages, taken, found, indexing, searching, disk)
        return made, peer.versions


def main() -> None:
    given = _given()
    wanted = given.only.split(",")
    check_names(wanted)
    files = pdf_files(given.documents)
    asked = [
        each for folder in given.questions for each in questions_of(folder, files)[: given.limit]
    ]
    if not asked:
        raise SystemExit("No question of the set is answered by one of these documents.")
    exam = Exam(files, asked, given.model.resolve())
    commands = {key: PEERS[key].command(given.environments) for key in wanted}
    machine, start = machine_text(), time.perf_counter()
    pages, names = sum(map(_pages, files)), [each.name for each in files]
    for measured in run(exam, commands, given.rounds):
        minutes = (time.perf_counter() - start) / 60
        sets = tuple(each.set for each in asked)
        made = PeerComparison(Trial(names, pages, sets, machine, minutes), measured)
        told = (made.table(), made.found_by_set(), made.goals())
        print("\n" + "\n\n".join(filter(None, told)) + "\n", flush=True)
        if given.out:
            write(made, given.out)


def write(made: PeerComparison, page: Path) -> None:
    """Write the page, and the plot beside it."""
    picture = page.with_suffix(".svg")
    picture.write_text(made.plot(), encoding="utf-8")
    page.write_text(made.page(picture.name), encoding="utf-8")


def run(
    exam: Exam, commands: dict[str, list[str | Path]], rounds: int
) -> Iterator[dict[str, PeerMeasurement]]:
    """Let all take the exam in turn; yield what is known of each after every round."""
    taken: dict[str, list[PeerRound]] = {key: [] for key in commands}
    versions: dict[str, dict[str, str]] = {}
    for number in range(rounds):
        for key in turns(list(commands), number):
            with tempfile.TemporaryDirectory(prefix="desktop-rag-peers-") as folder:
                made, versions[key] = exam.taken_by(commands[key], Path(folder))
            taken[key].append(made)
            hits = sum(made.is_found)
            print(
                f"round {number + 1}, {PEERS[key].name}: indexed in {made.index_seconds:.1f} s, "
                f"{hits} of {len(made.is_found)} pages found",
                flush=True,
            )
        yield {
            key: PeerMeasurement(PEERS[key].name, versions[key], tuple(taken[key]))
            for key in commands
        }


def turns(keys: Sequence[str], number: int) -> list[str]:
    """Return the order of a round: every second one is from the last to the first."""
    return list(keys) if number % 2 == 0 else list(reversed(keys))


def _pages(path: Path) -> int:
    with pypdfium2.PdfDocument(path) as document:
        return len(document)


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--documents", type=Path, nargs="+", required=True, help="PDFs, folders")
    parser.add_argument(
        "--questions", type=Path, nargs="+", required=True, help="folders with manifest.jsonl"
    )
    parser.add_argument("--model", type=Path, required=True, help="all-MiniLM-L6-v2 as trained")
    parser.add_argument("--environments", type=Path, required=True, help="where they are kept")
    parser.add_argument("--only", default=",".join(PEERS), help=f"peers: {', '.join(PEERS)}")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--limit", type=int, help="ask the first questions of each only")
    parser.add_argument("--out", type=Path, help="write the page here, the plot beside it")
    return parser.parse_args()


if __name__ == "__main__":
    main()
