"""Count what a reader has to find their way through: `python -m tests.structure`.

Of the text: modules, lines, imports, circles of files, public class names that exist twice. Of a
run of the window: the modules and functions of the package that are called from a question's
Enter to its answer, and from a PDF's drop until it is read. What the window does meanwhile counts
as well, so that two runs differ by a tenth. What runs in the process that parses is counted by
parsing the same file here.
"""

from __future__ import annotations

import ast
import os
import sys
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

PACKAGE = "desktop_rag"
ROOT = Path(__file__).parent.parent
_FOLDER = str(ROOT / PACKAGE)

Imports = dict[str, set[str]]


class Calls:
    """The functions of the package that are called while `during` lasts, on every thread."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] | None = None
        sys.setprofile(self._profile)
        threading.setprofile(self._profile)

    @contextmanager
    def during(self) -> Iterator[set[tuple[str, str]]]:
        """Gather (file, function)."""
        seen: set[tuple[str, str]] = set()
        self._seen = seen
        try:
            yield seen
        finally:
            self._seen = None

    def _profile(self, frame: FrameType, event: str, _: Any) -> None:
        seen, code = self._seen, frame.f_code
        if seen is not None and event == "call" and code.co_filename.startswith(_FOLDER):
            seen.add((code.co_filename, code.co_qualname))


def main() -> None:
    """Print both tables."""
    trees = read_trees()
    imports = read_imports(trees)
    lines = sum(len(path.read_text("utf-8").splitlines()) for path, _ in trees.values())
    single = [each for each in trees if sum(each in found for found in imports.values()) == 1]
    _print("modules", len(trees))
    _print("lines", lines)
    _print("imports between modules", sum(map(len, imports.values())))
    _print("modules with one importer", len(single))
    for circle in circles(imports):
        _print("circle", " ".join(sorted(circle)))
    for name, places in sorted(doubled_classes(trees).items()):
        _print("class twice", f"{name}: {' '.join(places)}")
    for name, seen in _walked().items():
        _print(name, f"{len({file for file, _ in seen})} modules, {len(seen)} functions")


def _print(name: str, value: object) -> None:
    sys.stdout.write(f"{name:<28}{value}\n")


def read_trees() -> dict[str, tuple[Path, ast.Module]]:
    """Return every module of the package by its dotted name."""
    found = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found[name] = (path, ast.parse(path.read_text("utf-8")))
    return found


def read_imports(trees: dict[str, tuple[Path, ast.Module]]) -> Imports:
    """Return which modules each imports, wherever in the file it does."""
    found: Imports = defaultdict(set)
    for name, (_, tree) in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    found[name].add(whole if whole in trees else node.module)
            elif isinstance(node, ast.Import):
                found[name].update(alias.name for alias in node.names)
        found[name] &= trees.keys()
    return found


def circles(imports: Imports) -> list[set[str]]:
    """Return the groups of modules that import each other, directly or by others (Tarjan 1972)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(name: str) -> None:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in imports.get(name, ()):
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            place = stack.index(name)
            if len(stack) - place > 1:
                found.append(set(stack[place:]))
            del stack[place:]

    for name in list(imports):
        if name not in order:
            visit(name)
    return found


def doubled_classes(trees: dict[str, tuple[Path, ast.Module]]) -> dict[str, list[str]]:
    """Return public class names that exist more than once, with their modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for name, (_, tree) in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name.removeprefix(f"{PACKAGE}."))
    return {name: each for name, each in places.items() if len(each) > 1}


def _walked() -> dict[str, set[tuple[str, str]]]:
    """Drop a PDF on a window, ask of it, and return what was called."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    calls = Calls()
    from PySide6.QtWidgets import QApplication

    from desktop_rag.parsing.format_registry import parse
    from testing.sample_folder import SAMPLES
    from testing.window_driver import Driver

    pdf = SAMPLES / "Annual report 2024.pdf"
    app = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        driver = Driver(app, Path(folder))
        driver.open()
        with calls.during() as dropped:
            driver.drop(pdf)
            driver.wait_until_read(1)
            parse(pdf)
        with calls.during() as asked:
            driver.ask("Why did fuel and power cost less in 2024?")
            driver.wait_for_answer()
        driver.close()
    return {"a dropped PDF": dropped, "a question": asked}


if __name__ == "__main__":
    main()
