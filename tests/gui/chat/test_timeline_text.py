"""What the steps of an answer say."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag import strategies
from desktop_rag.core.events import ModelCall
from desktop_rag.core.phrases import Phrase
from desktop_rag.gui import language
from desktop_rag.gui.chat import timeline_text

_PURPOSES = ("purpose", "why")


def _modules() -> list[ast.Module]:
    folder = Path(strategies.__file__).parent
    return [ast.parse(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.py"))]


def _places(modules: list[ast.Module]) -> dict[str, set[int]]:
    """Which argument of which function says what a call of the model is for."""
    places: dict[str, set[int]] = defaultdict(set)
    for node in (each for module in modules for each in ast.walk(module)):
        if isinstance(node, ast.FunctionDef):
            names = [each.arg for each in node.args.args if each.arg != "self"]
            places[node.name] |= {names.index(name) for name in _PURPOSES if name in names}
    return places


def _said(modules: list[ast.Module]) -> Iterator[str]:
    """Yield the plain texts that calls are given for their purpose."""
    places = _places(modules)
    for node in (each for module in modules for each in ast.walk(module)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            given = [node.args[at] for at in places.get(name, ()) if at < len(node.args)]
            given += [each.value for each in node.keywords if each.arg in _PURPOSES]
            for value in given:
                assert not isinstance(value, ast.JoinedStr), ast.unparse(node)
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.value


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    language.speak(qapp, "zh")
    yield
    language.speak(qapp, "en")


@pytest.mark.usefixtures("chinese")
def test_what_a_call_is_for_is_said_in_the_window_s_language() -> None:
    said = set(_said(_modules()))
    assert {"retrieve?", "filter", "from memory", "the question"} <= said
    said = {each for each in said if "/" not in each}  # a prompt, where `answer` takes its name
    plain = [each for each in said if each.isascii() and timeline_text._purpose(each) == each]
    assert plain == []


@pytest.mark.usefixtures("chinese")
def test_a_second_try_names_what_is_tried_again() -> None:
    call = ModelCall("m", Phrase("{0}, again", "route"), 9, 9, (), 1.0)
    assert timeline_text._call(call).startswith("需要几步？（重试） · m")
