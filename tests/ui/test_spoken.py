"""The engine's sentences in the language of the window."""

from __future__ import annotations

import re
import time

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.explained import Name, Stage, State
from desktop_rag.core.types import FileStatus
from desktop_rag.engine.ingest.parse import problems
from desktop_rag.ui import language
from desktop_rag.ui.chat import step_phrases
from desktop_rag.ui.filling import listed
from desktop_rag.ui.spoken import spoken
from desktop_rag.ui.workbench import way_list
from tests.app.values import passage
from translating import sources

GAP = re.compile(r"\{(\d+)\}")


@pytest.fixture
def chinese(qapp: QApplication):
    language.speak(qapp, "zh")
    yield
    language.speak(qapp, "en")


@pytest.mark.usefixtures("chinese")
def test_every_sentence_of_the_engine_is_said_in_chinese_with_its_values() -> None:
    for template in sources.sentences():
        values = [f"value-{number}" for number in range(len(GAP.findall(template)))]
        said = spoken(template.format(*values))
        assert said != template.format(*values), template
        assert re.search(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]", said), template
        assert all(value in said for value in values), (template, said)


@pytest.mark.usefixtures("chinese")
def test_a_reason_kept_in_the_catalog_is_said_sentence_by_sentence() -> None:
    reason = str(problems.timed_out(30))
    assert spoken(reason) == "读取此文件超过了 30 秒。请拆分文件，或在设置中提高时间上限。"
    assert problems.timed_out(30).status is FileStatus.TIMEOUT


@pytest.mark.usefixtures("chinese")
def test_words_inside_a_sentence_are_said_too() -> None:
    told = "Not everything fits the model's context: passage 3 (a.pdf); passage 4 (b.pdf)."
    assert spoken(told) == "内容超出了模型的上下文长度：段落 3（a.pdf）；段落 4（b.pdf）。"


@pytest.mark.usefixtures("chinese")
def test_a_message_that_holds_a_sentence_does_not_swallow_the_next() -> None:
    told = "Ollama reports an error: no such model. Try again in a moment."
    assert spoken(told) == "Ollama 报告错误：no such model。请稍后重试。"


@pytest.mark.usefixtures("chinese")
def test_what_nobody_knows_stays_as_it_is() -> None:
    assert spoken("Segmentation fault (core dumped)") == "Segmentation fault (core dumped)"
    assert spoken("The disk is full. Whatever this is.") == "磁盘已满。Whatever this is."
    assert spoken("") == ""


@pytest.mark.usefixtures("chinese")
def test_what_the_window_joins_has_the_signs_of_the_language() -> None:
    assert step_phrases.title(passage(1)) == "Report 1，第 1 页"
    assert listed(["Report 1", "Report 2"]) == "Report 1、Report 2"
    stage = Stage(Name.FILTER, State.PASSED, "The disk is full.", score=0.137)
    assert way_list.said(stage) == "磁盘已满。得分 0.137。"


def test_english_is_left_alone(qapp: QApplication) -> None:
    language.speak(qapp, "en")
    assert spoken("The disk is full.") == "The disk is full."


@pytest.mark.usefixtures("chinese")
def test_a_sentence_takes_less_than_50_microseconds() -> None:
    """As a table of files asks: few reasons, many rows, some with a name in them."""
    reasons = [str(problems.denied()), str(problems.corrupt()), str(problems.timed_out(120))]
    told = [*reasons, *(str(problems.unreadable(f"error {n}")) for n in range(300))] * 10
    spoken(told[0])
    began = time.process_time()
    for each in told:
        spoken(each)
    assert (time.process_time() - began) / len(told) < 50e-6
