"""The strings that the window asks Qt to translate, read from its source.

Why not `lupdate`: its reader of Python takes a module's own `tr` for one of no class, and the
values that are filled in for a translator's comment. Here a string that is no literal is an error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ELSEWHERE = ("Settings", "Spoken")  # contexts whose strings are not written in the window's source


@dataclass(frozen=True, slots=True)
class Message:
    """A string of a context; `counts` says that it has a form for each number (`%n`)."""

    context: str
    source: str
    comment: str = ""
    counts: bool = False


class NotLiteralError(Exception):
    """A string to translate is put together at run time: nobody could translate it."""


@dataclass(frozen=True, slots=True)
class _Asks:
    """How a function asks: the context of its strings, and whether it passes a number on."""

    context: str
    counts: bool


def messages(folder: Path) -> list[Message]:
    """Return every message of the modules below a folder, in order, each once."""
    modules = {path: ast.parse(path.read_text("utf-8")) for path in sorted(folder.rglob("*.py"))}
    own = {_dotted(path, folder): _own_functions(tree) for path, tree in modules.items()}
    found: dict[Message, None] = {}
    for path, tree in modules.items():
        known = own[_dotted(path, folder)] | _imported(tree, own)
        for message in _Reader(path, known, _constants(tree)).read(tree):
            found[message] = None
    return list(found)


def _own_functions(tree: ast.Module) -> dict[str, _Asks]:
    """Return the functions of a module that ask for a translation of their first argument."""
    constants = _constants(tree)
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.lstrip("_") == "tr":
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and _called(call) == "translate":
                    context = _text(call.args[0], constants)
                    found[node.name] = _Asks(context, len(call.args) > 3)
    return found


def _constants(tree: ast.Module) -> dict[str, object]:
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _imported(tree: ast.Module, modules: dict[str, dict[str, _Asks]]) -> dict[str, _Asks]:
    """Return such functions by the name that they have here: `tr`, or `phrases.tr`."""
    found = {}
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    for node in imports:
        for alias in node.names:
            name = alias.asname or alias.name
            for function, asks in modules.get(f"{node.module}.{alias.name}", {}).items():
                found[f"{name}.{function}"] = asks
            if asked := modules.get(node.module or "", {}).get(alias.name):
                found[name] = asked
    return found


def _dotted(path: Path, folder: Path) -> str:
    """Return a module's name as others import it; `folder` is `desktop_rag/gui`."""
    return ".".join(path.relative_to(folder.parent.parent).with_suffix("").parts)


class _Reader:
    """Reads one module."""

    def __init__(self, path: Path, known: dict[str, _Asks], constants: dict[str, object]) -> None:
        self._path = path
        self._known = known
        self._constants = constants
        self._aliases: set[str] = set()

    def read(self, node: ast.AST, owner: str = "") -> Iterator[Message]:
        """Yield the messages below a node of the class `owner`."""
        if isinstance(node, ast.FunctionDef) and node.name.lstrip("_") == "tr":
            return
        if isinstance(node, ast.ClassDef):
            owner = node.name
        if isinstance(node, ast.Assign) and ast.unparse(node.value).endswith(".translate"):
            self._aliases |= {ast.unparse(target) for target in node.targets}
        if isinstance(node, ast.Call):
            yield from self._of(node, owner)
        for child in ast.iter_child_nodes(node):
            yield from self.read(child, owner)

    def _of(self, call: ast.Call, owner: str) -> Iterator[Message]:
        name = ast.unparse(call.func)
        if name == "self.tr":
            comment = _text(call.args[1]) if len(call.args) > 1 else ""
            for text in self._texts(call.args[0]):
                yield Message(owner, text, comment, counts=len(call.args) > 2)
        elif self._is_translate(call) and len(call.args) > 1:
            context = _text(call.args[0], self._constants)
            comment = _text(call.args[2]) if len(call.args) > 2 else ""
            for text in self._texts(call.args[1]) if context not in ELSEWHERE else ():
                yield Message(context, text, comment, counts=len(call.args) > 3)
        elif name in self._known:
            asks = self._known[name]
            for text in self._texts(call.args[0]):
                yield Message(asks.context, text, counts=asks.counts and "%n" in text)

    def _is_translate(self, call: ast.Call) -> bool:
        return _called(call) in {"translate", "QT_TRANSLATE_NOOP"} | self._aliases

    def _texts(self, node: ast.expr) -> list[str]:
        if isinstance(node, ast.IfExp):
            return self._texts(node.body) + self._texts(node.orelse)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [node.value]
        place = f"{self._path.name}, line {node.lineno}"
        raise NotLiteralError(f"{place}: {ast.unparse(node)} is no literal string")


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _text(node: ast.expr, constants: dict[str, object] | None = None) -> str:
    """Return a literal, or the constant that a name stands for; empty for None."""
    if isinstance(node, ast.Name):
        return str((constants or {}).get(node.id, ""))
    return str(node.value or "") if isinstance(node, ast.Constant) else ""
