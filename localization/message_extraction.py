"""The sentences that the engine says, read from its source as templates with {0}, {1} and so on.

A sentence is what an error, a notice, a step or a named state is given. One with gaps is a
`Phrase`; what fills them is read as well, where names of the same function or module have it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

PARTS = (
    "core",
    "catalog",
    "index",
    "parsing",
    "indexing",
    "models",
    "retrieval",
    "generation",
    "tables",
    "strategies",
    "whole_documents",
    "sharing",
    "evaluation",
    "preparation",
    "commands",
    "ipc",
    "workspace.py",
    "bootstrap.py",
    "runtime.py",
    "gui/controllers",
    "gui/lab/compare_controller.py",
    "gui/lab/evaluation_controller.py",
    "gui/lab/evaluation_jobs.py",
    "gui/lab/question_form.py",
    "gui/lab/run_comparison.py",
    "gui/lab/search_test_controller.py",
    "gui/lab/search_test_values.py",
    "gui/lab/shared_sources.py",
    "gui/desktop_services.py",
)
LEFT_OUT = (
    "core/answers_table.py",  # sent to others, in English
    "core/crud_table.py",  # the same, of one's own documents
    "core/settings.py",  # told by its declarations
    "ipc/wire.py",
    "tables/query_prompt.py",  # told to a model
    "tables/table_answers.py",  # an answer's words, in the question's language
)
_GAP = re.compile(r"\{[a-z_]*\}")
_WORD = re.compile(r"[A-Za-z]{2,}")
_SENTENCE = re.compile(r"^[A-Z“{][^\n]* [^\n]*[.?!…]$")
_PHRASE = re.compile(r"^[a-z]+ [^=\n]*\{\d+\}")
_CODE = re.compile(
    r"\b(SELECT|UPDATE|DELETE FROM|INSERT|WHERE|FROM|JOIN|PRAGMA|VALUES)\b|://|<|\?$"
)
_UNSAID = {
    "Desktop RAG",
    "Ollama",
    "The quick brown fox jumps over the lazy dog.",  # a model is tried with it
}
_SILENT = re.compile(
    r"^(_?log|logging|re|IMPORTING|warnings)\.|(Value|Runtime|Type|Key|Assertion)Error$"
)
# What is said in a few words rather than a sentence: callee → which of its arguments.
_TOLD = {
    "Step": (1,),
    "SearchStarted": (1,),
    "Notice": (0,),
    "FileProblem": (1, 2),
    "UserError": (0, 1),
    "UsageError": (0, 1),
    "ModelUnavailable": (0, 1),
    "StoreDamaged": (0, 1),
    "OwnedElsewhere": (0, 1),
    "Failed": (0, 1),
    "Missing": (0, 1),
    "search": (1,),
    "under": (1,),
    "Suggestion": (1,),
    "option": (1, 2),
}
_PHRASES = {"Phrase", "PhraseList", "joined"}
_NAMED = {"why", "what", "remedy", "reason", "dropped", "title", "summary", "effect"}


def sentences(package: Path) -> list[str]:
    """Return every template of the package's sentences, sorted."""
    found: set[str] = set()
    for path in _modules(package):
        reader = _Reader(ast.parse(path.read_text(encoding="utf-8")))
        found |= reader.found
    return sorted(found)


def flattened_sentences(package: Path) -> list[str]:
    """Return where a sentence with gaps is an f-string: `file:line`. It must be a `Phrase`."""
    return [
        f"{path.relative_to(package).as_posix()}:{line}"
        for path in _modules(package)
        for line in _Reader(ast.parse(path.read_text(encoding="utf-8"))).flattened
    ]


def _modules(package: Path) -> Iterator[Path]:
    for part in PARTS:
        place = package / part
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            if not path.relative_to(package).as_posix().startswith(LEFT_OUT):
                yield path


class _Reader:
    """Reads one module; `found` holds its templates, `flattened` the lines of f-strings."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: set[str] = set()
        self.flattened: list[int] = []
        self._module = tree
        self._seen: set[int] = set()
        self._read(tree, tree)

    def _read(self, node: ast.AST, scope: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            scope = node
        if isinstance(node, ast.Call) and _SILENT.search(ast.unparse(node.func)):
            return
        if isinstance(node, ast.Call):
            for told in _told(node):
                self._take(told, scope)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _target(node) in _NAMED and node.value:
            self._take(node.value, scope)
        text = template(node)
        is_phrase = isinstance(node, ast.JoinedStr) and _PHRASE.match(text)
        if isinstance(node, ast.expr) and (_SENTENCE.match(text) or is_phrase):
            self._take(node, scope)
        for child in ast.iter_child_nodes(node):
            if not (_is_docstring(child) or isinstance(node, ast.JoinedStr)):
                self._read(child, scope)

    def _take(self, node: ast.expr, scope: ast.AST) -> None:
        """Take every string that an expression may become, and what fills it in."""
        if id(node) in self._seen:
            return
        self._seen.add(id(node))
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and _is_said(text := template(node)):
            self.found.add(text)
            if isinstance(node, ast.JoinedStr):
                self.flattened.append(node.lineno)
        for each in self._parts(node, scope):
            self._take(each, scope)

    def _parts(self, node: ast.expr, scope: ast.AST) -> Iterator[ast.expr]:
        """Yield the expressions that one may become, or is filled in with."""
        if isinstance(node, ast.IfExp):
            yield from (node.body, node.orelse)
        elif isinstance(node, ast.BoolOp):
            yield from node.values
        elif isinstance(node, ast.JoinedStr):
            yield from (each.value for each in node.values if isinstance(each, ast.FormattedValue))
        elif isinstance(node, ast.Call) and _name(node) in _PHRASES:
            yield from node.args
        elif isinstance(node, ast.Name):
            yield from _assigned(node.id, scope, self._module)


def template(node: ast.AST) -> str:
    """Return a string's text with its gaps numbered; empty for what is no string."""
    if isinstance(node, ast.Constant):
        text = node.value if isinstance(node.value, str) else ""
    elif isinstance(node, ast.JoinedStr):
        parts = (v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
        text = "".join(map(str, parts))
    else:
        text = ""
    numbers = count()
    return _GAP.sub(lambda _: f"{{{next(numbers)}}}", text)


def _is_said(text: str) -> bool:
    """Say whether a text is words for people."""
    said = re.sub(r"\{\d+\}", "", text)
    is_words = " " in text.strip() or text.istitle()
    return is_words and bool(_WORD.search(said)) and not _CODE.search(said) and text not in _UNSAID


def _target(node: ast.Assign | ast.AnnAssign) -> str:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    return target.id if isinstance(target, ast.Name) else ""


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _told(call: ast.Call) -> Iterator[ast.expr]:
    if _name(call) in _PHRASES:
        yield from call.args
    for place in _TOLD.get(_name(call), ()):
        if place < len(call.args):
            yield call.args[place]
    for keyword in call.keywords:
        if keyword.arg in _NAMED:
            yield keyword.value


def _assigned(name: str, *scopes: ast.AST) -> Iterator[ast.expr]:
    """Yield what a name is given in a function, or at the top of its module."""
    function, module = scopes
    places = [*ast.walk(function), *getattr(module, "body", [])]
    for node in places:
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        named = any(isinstance(each, ast.Name) and each.id == name for each in targets)
        if named and isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            yield node.value


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
