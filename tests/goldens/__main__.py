"""Write down what the program says, and hold it against what another version of it said.

    python -m tests.goldens record FOLDER [--shared DOCUMENTS]
    python -m tests.goldens compare OLD NEW
    python -m tests.goldens opened OLD NEW

`record` reads the samples (and sixty of the shared documents), asks everything there is to ask,
with the Ollama double as the language model, and keeps the lines, the data folder and an export.
`opened` asks the same of a copy of OLD's data folder and export, with the program as it is now.
Times, and numbers that are a matter of the machine, are left out; each run takes minutes.
"""

from __future__ import annotations

import argparse
import difflib
import json
import shutil
import sys
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path

from testing.ollama_double.models import CHAT
from testing.ollama_double.quoting import quote_best
from testing.ollama_double.server import OllamaDouble
from testing.sample_folder import SAMPLES
from tests.goldens.program import Program, asking, changing, reading

_SHARED = 60
_PORT = 41435  # the same in every run: it stands in sentences
_LARGEST = 2_000_000


def main() -> int:
    """Record, compare or open."""
    parser = argparse.ArgumentParser(prog="python -m tests.goldens", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    tasks = parser.add_subparsers(dest="task", required=True)
    recorded = tasks.add_parser("record")
    recorded.add_argument("folder", type=Path)
    recorded.add_argument("--shared", type=Path, help="a folder of documents with a manifest")
    for name in ("compare", "opened"):
        compared = tasks.add_parser(name)
        compared.add_argument("old", type=Path)
        compared.add_argument("new", type=Path)
    chosen = parser.parse_args()
    if chosen.task == "record":
        return record(chosen.folder.absolute(), chosen.shared)
    if chosen.task == "opened":
        return opened(chosen.old.absolute(), chosen.new.absolute())
    return compare(chosen.old, chosen.new)


def record(folder: Path, shared: Path | None) -> int:
    """Read documents into a new folder, ask everything, and write down what was said."""
    folder.mkdir(parents=True)
    documents = folder / "documents"
    shutil.copytree(SAMPLES, documents)
    for path in _chosen(shared) if shared else ():
        shutil.copy(path, documents / f"{path.parent.name} {path.name}")
    paths = sorted(documents.iterdir())
    with _double() as double:
        program = Program(folder, folder / "home", double)
        _write(folder / "lines", reading(program, paths))
        shutil.copytree(folder / "home", folder / "home as read")
        _write(folder / "lines", chain(asking(program, paths), changing(program, paths)))
    return 0


def opened(old: Path, new: Path) -> int:
    """Ask everything of a data folder and an export that an older version wrote; compare."""
    new.mkdir(parents=True)
    shutil.copytree(old / "home as read", new / "home")
    paths = sorted((old / "documents").iterdir())
    with _double() as double:
        program = Program(old, new / "home", double)
        _write(new / "lines", chain(asking(program, paths), changing(program, paths)))
    return compare(old, new)


def compare(old: Path, new: Path) -> int:
    """Print how the lines that both have differ; 1 if any does."""
    differing = 0
    for was in sorted((new / "lines").iterdir()):
        before, after = ((each / "lines" / was.name).read_text("utf-8") for each in (old, new))
        if before == after:
            continue
        differing += 1
        sys.stdout.writelines(
            f"{line[:400]}\n"
            for line in difflib.unified_diff(
                before.splitlines(), after.splitlines(), f"old/{was.name}", was.name, "", "", 0, ""
            )
        )
    total = len(list((new / "lines").iterdir()))
    sys.stdout.write(f"{total} commands, {differing} of them say something else\n")
    return int(differing > 0)


def _double() -> OllamaDouble:
    double = OllamaDouble(replace(CHAT, name="llama3.2:3b"), port=_PORT)
    double.otherwise = quote_best
    return double


def _chosen(shared: Path) -> list[Path]:
    """Return small documents, evenly over the manifest."""
    rows = map(json.loads, (shared / "manifest.jsonl").read_text("utf-8").splitlines())
    paths = [shared / row["path"] for row in rows if row["expect"] != "huge"]
    small = [path for path in sorted(paths) if path.stat().st_size < _LARGEST]
    return small[:: max(1, len(small) // _SHARED)][:_SHARED]


def _write(folder: Path, said: Iterable[tuple[str, list[str]]]) -> None:
    """Write one file a command."""
    folder.mkdir(exist_ok=True)
    for name, lines in said:
        sys.stderr.write(f"{name}\n")
        text = "".join(f"{line}\n" for line in lines)
        (folder / f"{name.replace('/', ' ')}.jsonl").write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
