"""The house rules that no linter knows: sizes, names, and words that don't belong here."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests import structure
from tests.conftest import REPOSITORY

MODULES = sorted((REPOSITORY / "desktop_rag").rglob("*.py"))
DRAWERS = {"utils", "util", "manager", "helper", "helpers", "data", "process", "handle", "misc"}
# Names that told a newcomer nothing; docs/glossary.md has what is said instead.
BANNED = re.compile(
    "household|desk|deeds|inbox|keeping|shelf|shelves|stock|halves|guard|said|stretch|stretches|"
    "unquoted|named|where|unfinished|choices|turns|plan|intake|course|middle|mix|wanted|everything|"
    "kept|recalled|shown|roll|sheet|door|doors|given|sent|pointed|decide|trying|tried|trials|"
    "spotted|fence|side|sides|standing|wish|wishes|under|settled|look|told|led|found|piece|way|"
    "opened",
    re.IGNORECASE,
)
QT_NAMES = {"event", "update", "close", "data", "show", "hide", "destroyed"}
# Spelt so that this file does not hold them.
ALIEN = re.compile(
    "|".join(["/wor" + "k/", "bash_" + "jobs", "py" + "pi\\.org", "steering " + "repo"])
)


def name_of(module: Path) -> str:
    return str(module.relative_to(REPOSITORY))


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_a_module_keeps_the_house_rules(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    tree = ast.parse(source)
    assert source.count("\n") <= 500, "a module has at most 500 lines"
    assert module.stem not in DRAWERS, "a module is named for what it holds"
    assert not BANNED.fullmatch(module.stem), "a module bears the field's term"
    assert ast.get_docstring(tree), "a module says in one sentence what it is"
    broken = [complaint for node in ast.walk(tree) for complaint in complaints(node)]
    assert broken == []


def complaints(node: ast.AST) -> list[str]:
    found: list[str] = []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        taken = [
            a.arg for a in node.args.args + node.args.kwonlyargs if a.arg not in ("self", "cls")
        ]
        if lines > 40 + docstring_lines(node):
            found.append(
                f"{node.name} has {lines} lines, its docstring counted; 40 without is the most"
            )
        if len(taken) > 5 and node.name != "__init__":
            found.append(f"{node.name} takes {len(taken)} parameters; 5 is the most")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        captures = [a for a in node.args if isinstance(a, ast.Lambda)]
        if node.func.attr == "connect" and captures:
            found.append(f"line {node.lineno}: connect bound methods, never a lambda")
    if isinstance(node, ast.ClassDef) and BANNED.fullmatch(node.name):
        found.append(f"{node.name}: a class bears the field's term")
    if isinstance(node, ast.Assign) and is_signal(node.value):
        names = {t.id for t in node.targets if isinstance(t, ast.Name)}
        found.extend(f"signal {name} would replace Qt's own" for name in sorted(names & QT_NAMES))
    return found


def docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return (first.end_lineno or first.lineno) - first.lineno + 1 if is_text else 0


def is_signal(value: ast.AST) -> bool:
    return isinstance(value, ast.Call) and getattr(value.func, "id", "") == "Signal"


def test_a_rule_that_is_broken_is_seen() -> None:
    source = (
        "class A:\n    class Shelf: pass\n    close = Signal()\n"
        "    def f(self, a, b, c, d, e, f): x.connect(lambda: 1)\n"
    )
    seen = [complaint for node in ast.walk(ast.parse(source)) for complaint in complaints(node)]
    assert len(seen) == 4


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert structure.circles(structure.read_imports(structure.read_trees())) == []


def test_one_public_class_bears_a_name() -> None:
    assert structure.doubled_classes(structure.read_trees()) == {}


def test_the_project_speaks_of_itself_alone() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPOSITORY, capture_output=True, check=True
    ).stdout.decode("utf-8")
    texts = [REPOSITORY / name for name in listed.split("\0") if name]
    small = [path for path in texts if path.is_file() and path.stat().st_size < 300_000]
    guilty = [
        name_of(path)
        for path in small
        if "resources/models" not in str(path)
        and ALIEN.search(path.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert guilty == []
