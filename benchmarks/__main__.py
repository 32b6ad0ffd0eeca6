"""Measure everything in one command and print one table.

python -m benchmarks                              everything, on the sample documents
python -m benchmarks --only restart,frames        some parts
python -m benchmarks --documents FOLDER           index these instead of the samples
python -m benchmarks --passages FILE --sizes 10000,100000
                                                  search bases filled from a JSON-lines corpus
"""

from __future__ import annotations

import argparse
import compileall
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.result_table import Measurement, print_table

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    given = _given()
    wanted = given.only.split(",")
    unknown = set(wanted) - PARTS.keys()
    if unknown:
        raise SystemExit(f"There is no part {', '.join(unknown)}: {', '.join(PARTS)}")
    _compile()
    rows: list[Measurement] = []
    with tempfile.TemporaryDirectory(prefix="desktop-rag-bench-") as folder:
        for name in wanted:
            start = time.perf_counter()
            rows += PARTS[name](given, Path(folder) / name)
            print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    print_table(rows)


def _compile() -> None:
    """Compile the program, as it is wherever it is installed: that is no part of its start."""
    for package in ("desktop_rag", "benchmarks", "tests"):
        compileall.compile_dir(ROOT / package, quiet=1)


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", default=",".join(PARTS), help=f"parts: {', '.join(PARTS)}")
    parser.add_argument("--documents", type=Path, default=ROOT / "resources" / "samples")
    parser.add_argument("--passages", type=Path, help="JSON lines with `text`, gzip or not")
    parser.add_argument("--sizes", default="10000", help="chunks in the search bases")
    parser.add_argument(
        "--keep", type=Path, help="bases of `scale`, data folder of `prepared_search`"
    )
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--unchanged", type=int, default=10_000, help="files of `restart`")
    parser.add_argument("--among", type=int, default=100_000, help="files of `changed`")
    parser.add_argument("--files", type=int, default=100_000, help="of the table of files")
    parser.add_argument("--leaves", type=int, default=5_000, help="passages of `tree`")
    parser.add_argument("--seconds", type=int, default=40, help="how long `frames` watches")
    parser.add_argument("--minutes", type=float, default=5, help="how long `soak` uses the window")
    parser.add_argument("--messages", type=int, default=1_000, help="of `conversation`")
    parser.add_argument("--questions", type=Path, help="a question set, for `embedding`'s recall")
    parser.add_argument("--rival-python", type=Path, help="one with sentence-transformers")
    parser.add_argument("--rival-model", type=Path, help="all-MiniLM-L6-v2 as it was trained")
    parser.add_argument("--where", action="store_true", help="say where `frames` stalled")
    return parser.parse_args()


def _window(_: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import window

    return window.measure(folder)


def _indexing(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import indexing

    return indexing.measure(given.documents, folder)


def _search(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import searching, synthetic_bases

    made = [
        synthetic_bases.Base(int(size), given.passages, given.queries) for size in _sizes(given)
    ]
    return [row for each in made for row in searching.measure(each, folder / str(each.chunks))]


def _frames(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import frames

    documents = None if given.documents.name == "samples" else given.documents
    return frames.measure(frames.StallOptions(given.seconds, documents, where=given.where), folder)


def _conversation(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import conversation

    return conversation.measure(given.messages, folder)


def _restart(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import restart

    return restart.measure(given.unchanged, folder)


def _changed(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import changed

    return changed.measure(given.among, folder)


def _files(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import files

    return files.measure(given.files, folder)


def _tree(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import derived_tree

    return derived_tree.measure(given.leaves, folder)


def _embedding(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import embedding

    rival = embedding.Rival(given.rival_python, given.rival_model)
    return embedding.measure(rival, embedding.Texts(given.passages, given.questions), folder)


def _models(given: argparse.Namespace, _: Path) -> list[Measurement]:
    from benchmarks import models

    return models.measure(given.passages)


def _memory(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import memory, synthetic_bases

    made = [
        synthetic_bases.Base(int(size), given.passages, given.queries) for size in _sizes(given)
    ]
    return memory.measure(made, folder)


def _scale(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import scale, synthetic_bases

    made = [
        synthetic_bases.Base(int(size), given.passages, given.queries) for size in _sizes(given)
    ]
    return scale.measure(made, given.keep or folder)


def _stopping(_: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import stopping

    return stopping.measure(folder)


def _workers(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import workers

    return workers.measure(given.documents, folder)


def _recognition(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import recognition

    return recognition.measure(given.documents, folder)


def _preparing(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import preparing

    return preparing.measure(given.documents, folder)


def _suggesting(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import suggesting

    return suggesting.measure(given.documents, folder)


def _prepared_search(given: argparse.Namespace, _: Path) -> list[Measurement]:
    from benchmarks import preparing

    return [] if given.keep is None else preparing.search(given.documents, given.keep)


def _soak(given: argparse.Namespace, folder: Path) -> list[Measurement]:
    from benchmarks import soak

    return soak.measure(given.minutes, folder)


def _sizes(given: argparse.Namespace) -> list[str]:
    sizes: list[str] = given.sizes.split(",")
    return sizes


PARTS: dict[str, Callable[[argparse.Namespace, Path], list[Measurement]]] = {
    "window": _window,
    "indexing": _indexing,
    "search": _search,
    "frames": _frames,
    "conversation": _conversation,
    "restart": _restart,
    "changed": _changed,
    "files": _files,
    "tree": _tree,
    "embedding": _embedding,
    "models": _models,
    "memory": _memory,
    "scale": _scale,
    "stopping": _stopping,
    "workers": _workers,
    "recognition": _recognition,
    "preparing": _preparing,
    "suggesting": _suggesting,
    "prepared_search": _prepared_search,
    "soak": _soak,
}

if __name__ == "__main__":
    main()
