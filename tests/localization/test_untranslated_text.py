"""No words that the window shows are left out of its translations."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from localization import message_extraction
from tests.conftest import REPOSITORY

_PACKAGE = REPOSITORY / "desktop_rag"
# Those of the window whose sentences are translated where they are shown.
_LATER = tuple(part for part in message_extraction.PARTS if part.startswith("gui/"))
MODULES = [
    path
    for path in sorted((_PACKAGE / "gui").rglob("*.py"))
    if not path.relative_to(_PACKAGE).as_posix().startswith(_LATER)
    or path.name == "desktop_services.py"
]
NAMES = {"Desktop RAG", ".ragkb", "Annual report 2024.pdf"}  # the same in every language
ASKED = {"tr", "_tr", "translate", "QT_TRANSLATE_NOOP", "UserError"}  # the last is `spoken`

# What shows or says words, and where among its arguments they are; no place: anywhere.
SETTERS = (
    "setAccessibleDescription setAccessibleName setCancelButtonText setDetailedText setHeaderLabels"
    " setHtml setInformativeText setLabelText setNameFilter setNameFilters setOkButtonText"
    " setPlaceholderText setPlainText setPrefix setSpecialValueText setStatusTip setSuffix"
    " setTabText setText setTitle setToolTip setWhatsThis setWindowTitle set_text"
)
MAKERS = (
    "QAction QCheckBox QDialogButtonBox QFileDialog QGroupBox QLabel QListWidgetItem QMenu"
    " QMessageBox QProgressDialog QPushButton QRadioButton QTreeWidgetItem addAction addButton"
    " addMenu addTab appendPlainText getOpenFileName getSaveFileName getText insertHtml insertText"
    " joined question say showMessage tip QAccessibleAnnouncementEvent announce critical warning"
)
PLACES: dict[str, slice] = {
    **dict.fromkeys([*SETTERS.split(), *MAKERS.split()], slice(None)),
    **dict.fromkeys(["addItem", "addRow", "text_label"], slice(1)),  # then come data, or a name
    "IconButton": slice(2, 3),
}


def bare(source: str) -> list[str]:
    """Return what is shown of a module without a translator having seen it."""
    tree = ast.parse(source)
    named = _named(tree)
    words = [
        f"line {call.lineno}: “{text}”"
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for argument in _shown(call)
        for text in _literals(argument, named)
        if re.search(r"[^\W\d_]", re.sub(r"<[^>]*>|%n|%\d", "", text)) and text not in NAMES
    ]
    sentences = [f"line {each.lineno}: “{each.value!s}”" for each in _sentences(tree)]
    return list(dict.fromkeys([*words, *sentences]))


def _sentences(node: ast.AST) -> Iterator[ast.Constant]:
    """Yield what begins like a sentence, wherever it goes from there; not what documents."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ASKED:
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant) and not isinstance(node, ast.Expr):
            text = child.value
            if isinstance(text, str) and re.match(r"[A-Z]\w* [a-z]", text) and text not in NAMES:
                yield child
        yield from _sentences(child)


def _named(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """Return what the names of a module, and of its functions, are given."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                found.setdefault(ast.unparse(target), []).append(node.value)
    return found


def _shown(call: ast.Call) -> Iterator[ast.expr]:
    places = PLACES.get(ast.unparse(call.func).rpartition(".")[2])
    if places is not None:
        yield from call.args[places]
        yield from (each.value for each in call.keywords if each.arg in ("text", "title", "tip"))


def _literals(node: ast.expr, named: dict[str, list[ast.expr]]) -> Iterator[str]:
    """Yield the strings that an expression may be made of; what a call returns is its affair."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for part in _parts(node, named):
        yield from _literals(part, named)


def _parts(node: ast.expr, named: dict[str, list[ast.expr]]) -> list[ast.expr]:
    match node:
        case ast.IfExp():
            return [node.body, node.orelse]
        case ast.BinOp():
            return [node.left, node.right]
        case ast.BoolOp() | ast.JoinedStr():
            return node.values
        case ast.List() | ast.Tuple():
            return node.elts
        case ast.FormattedValue() | ast.Subscript() | ast.Starred() | ast.NamedExpr():
            return [node.value]
        case ast.Dict():
            return node.values
        case ast.Call(func=ast.Attribute(value=whole, attr=attr)):
            return [whole, *(node.args if attr == "join" else [])]
        case ast.Name() if node.id in named:
            return [each for each in named[node.id] if isinstance(each, (ast.Constant, ast.IfExp))]
    return []


@pytest.mark.parametrize(
    "module", MODULES, ids=lambda module: str(module.relative_to(REPOSITORY / "desktop_rag"))
)
def test_every_word_that_is_shown_is_asked_for_in_the_window_s_language(module: Path) -> None:
    assert bare(module.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "button.setText('Retry')",
        "label = QLabel(f'{count} files')",
        "self.setWindowTitle(self.tr('Delete') if sure else 'Remove')",
        "menu.addAction(icon, 'Open')",
        "box.setToolTip('%1 of %2'.replace('%1', done))",
        "edit.setPlaceholderText('<b>' + 'Filter' + '</b>')",
        "self.close = IconButton(theme, 'close', 'Close')",
        "_TITLE = 'Settings'\ndialog.setWindowTitle(_TITLE)",
        "banner.say(' '.join([self.tr('Stopped.'), 'Go on?']))",
        "field.setAccessibleName(text='Question')",
        "def data(index, role): return 'No passage yet' if empty(index) else ''",
    ],
)
def test_a_bare_word_is_seen(source: str) -> None:
    assert len(bare(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "button.setText(self.tr('Retry'))",
        "label.setText(f'{done} / {total}')",
        "label.setText(spoken(error.what) or '…')",
        "IconButton(theme, 'close', self.tr('Close'))",
        "combo.addItem(tr('Dark'), 'dark')",
        "browser.setHtml('<p>' + html.escape(text) + '</p>')",
        "window.setWindowTitle('Desktop RAG')",
        "raise UserError('No program opened it.', 'Open it yourself.')",
        "label.setText(tr('%1 of %2').replace('%1', str(done)))",
    ],
)
def test_what_is_translated_or_has_no_words_is_let_pass(source: str) -> None:
    assert bare(source) == []


def test_a_sentence_with_gaps_is_a_phrase() -> None:
    assert message_extraction.flattened_sentences(_PACKAGE) == []
