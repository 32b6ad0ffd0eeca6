"""What is read from the source."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from localization import message_extraction, string_extraction
from localization.string_extraction import Message, NotLiteralError

PHRASES = """
_CONTEXT = "Shelf"
def tr(text, *values):
    return QCoreApplication.translate(_CONTEXT, text)
def counted(text, n):
    return QCoreApplication.translate(_CONTEXT, "%n file(s)", "", n)
"""


def written(folder: Path, **modules: str) -> Path:
    place = folder / "desktop_rag" / "gui"
    place.mkdir(parents=True)
    for name, source in modules.items():
        (place / f"{name}.py").write_text(source, encoding="utf-8")
    return place


def test_a_string_belongs_to_the_class_that_says_it(tmp_path: Path) -> None:
    place = written(
        tmp_path,
        bar="class Bar(QWidget):\n    def f(self, n):\n"
        "        self.tr('Stop')\n        self.tr('%n file(s)', '', n)\n"
        "        self.tr('A', 'why')",
    )
    assert string_extraction.messages(place) == [
        Message("Bar", "Stop"),
        Message("Bar", "%n file(s)", counts=True),
        Message("Bar", "A", "why"),
    ]


def test_a_module_s_own_tr_has_the_module_s_context_wherever_it_is_called(tmp_path: Path) -> None:
    snapshot = (
        "from desktop_rag.gui import phrases\nfrom desktop_rag.gui.phrases import tr\n"
        "phrases.tr('Here')\ntr('There' if x else 'Nowhere')\n"
    )
    place = written(tmp_path, phrases=PHRASES, snapshot=snapshot, alien="tr('not ours')")
    assert string_extraction.messages(place) == [
        Message("Shelf", "%n file(s)", counts=True),
        Message("Shelf", "Here"),
        Message("Shelf", "There"),
        Message("Shelf", "Nowhere"),
    ]


def test_another_name_for_translate_is_known(tmp_path: Path) -> None:
    place = written(
        tmp_path, bar="def f():\n    say = QCoreApplication.translate\n    say('C', 'D')"
    )
    assert string_extraction.messages(place) == [Message("C", "D")]


def test_a_string_put_together_at_run_time_is_refused(tmp_path: Path) -> None:
    place = written(tmp_path, bar="class Bar:\n    def f(self): self.tr(f'{n} files')")
    with pytest.raises(NotLiteralError, match=r"bar\.py, line 2"):
        string_extraction.messages(place)


def said(source: str) -> set[str]:
    return message_extraction._Reader(ast.parse(source)).found


def test_an_error_s_sentences_are_templates() -> None:
    assert said("raise UserError(f'There is no file {path}.', 'Check how it is spelt.')") == {
        "There is no file {0}.",
        "Check how it is spelt.",
    }


def test_what_fills_a_gap_is_found_where_it_was_named() -> None:
    source = """
def f(setting):
    kind = "a whole number" if setting.kind is int else "a number"
    raise UsageError(f"{setting.key} is {kind}.")
"""
    assert said(source) == {"a whole number", "a number", "{0} is {1}."}


def test_what_nobody_reads_is_left_out() -> None:
    source = '''
"""A sentence that documents the module."""
_log.warning("The file %s is odd.", path)
db.execute("SELECT id FROM chats WHERE id = ?")
raise ValueError("This is a bug of ours.")
key = "retrieval"
'''
    assert said(source) == set()
