"""The engine's sentences in the language of the window."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.core.explain_events import Stage, StageName, StageState
from desktop_rag.core.types import FileStatus
from desktop_rag.gui import language
from desktop_rag.gui.chat import timeline_text
from desktop_rag.gui.display_text import join_list
from desktop_rag.gui.lab import stage_list
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.parsing import file_problems
from localization import all_messages
from testing.sample_answers import passage

GAP = re.compile(r"\{(\d+)\}")


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    language.speak(qapp, "zh")
    yield
    language.speak(qapp, "en")


@pytest.mark.usefixtures("chinese")
def test_every_sentence_of_the_engine_is_said_in_chinese_with_its_values() -> None:
    for template in all_messages.sentences():
        values = [f"value-{number}" for number in range(len(GAP.findall(template)))]
        said = translate_message(template.format(*values))
        assert said != template.format(*values), template
        assert re.search(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]", said), template
        assert all(value in said for value in values), (template, said)


@pytest.mark.usefixtures("chinese")
def test_a_reason_kept_in_the_catalog_is_said_sentence_by_sentence() -> None:
    reason = str(file_problems.timed_out(30))
    assert (
        translate_message(reason) == "读取此文件超过了 30 秒。请拆分文件，或在设置中提高时间上限。"
    )
    assert file_problems.timed_out(30).status is FileStatus.TIMEOUT


@pytest.mark.usefixtures("chinese")
def test_words_inside_a_sentence_are_said_too() -> None:
    told = "Not everything fits the model's context: passage 3 (a.pdf); passage 4 (b.pdf)."
    assert (
        translate_message(told) == "内容超出了模型的上下文长度：段落 3（a.pdf）；段落 4（b.pdf）。"
    )


@pytest.mark.usefixtures("chinese")
def test_a_message_that_holds_a_sentence_does_not_swallow_the_next() -> None:
    told = "Ollama reports an error: no such model. Try again in a moment."
    assert translate_message(told) == "Ollama 报告错误：no such model。请稍后重试。"


@pytest.mark.usefixtures("chinese")
def test_what_nobody_knows_stays_as_it_is() -> None:
    assert (
        translate_message("Segmentation fault (core dumped)") == "Segmentation fault (core dumped)"
    )
    assert translate_message("The disk is full. Whatever this is.") == "磁盘已满。Whatever this is."
    assert translate_message("") == ""


@pytest.mark.usefixtures("chinese")
def test_what_the_window_joins_has_the_signs_of_the_language() -> None:
    assert timeline_text.title(passage(1)) == "Report 1，第 1 页"
    assert join_list(["Report 1", "Report 2"]) == "Report 1、Report 2"
    stage = Stage(StageName.FILTER, StageState.PASSED, "The disk is full.", score=0.137)
    assert stage_list.stage_text(stage) == "磁盘已满。得分 0.137。"


def test_english_is_left_alone(qapp: QApplication) -> None:
    language.speak(qapp, "en")
    assert translate_message("The disk is full.") == "The disk is full."


@pytest.mark.usefixtures("chinese")
def test_a_sentence_takes_less_than_50_microseconds() -> None:
    """As a table of files asks: few reasons, many rows, some with a name in them."""
    reasons = [
        str(file_problems.denied()),
        str(file_problems.corrupt()),
        str(file_problems.timed_out(120)),
    ]
    told = [*reasons, *(str(file_problems.unreadable(f"error {n}")) for n in range(300))] * 10
    translate_message(told[0])
    began = time.process_time()
    for each in told:
        translate_message(each)
    assert (time.process_time() - began) / len(told) < 50e-6
