"""The committed translations: complete, true to their placeholders, compiled, well set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

from localization import all_messages, linguist
from localization.__main__ import FOLDER
from localization.linguist import ENGLISH, TRANSLATED, Language
from localization.string_extraction import Message

HELP = "run `python -m localization`, and translate what it names"
MANY = 100  # takes the last of the forms that a language has
HOLE = re.compile(r"%n|%\d|\{\d+\}")
HAN = r"[\u4e00-\u9fff]"
# A Latin letter or digit that touches a Chinese one; a %1 or {0} may become either.
DATE = re.compile(r"^[dMy ]+$")  # how Qt is told to write a day
CRAMPED = re.compile(rf"{HAN}[A-Za-z0-9]|(?<![%{{])(?<![%{{]\d)[A-Za-z0-9]{HAN}")
HALF_WIDTH = re.compile(
    rf"{HAN} ?(?:[,;:?!)]|\((?!\*))|[,;?!()] ?{HAN}|{HAN}\.( |$)|\.\.\.|{HAN} …"
)  # but of a kind of file, (*.md), as Qt reads it


@pytest.fixture(scope="module")
def messages() -> list[Message]:
    return all_messages.messages()


@pytest.fixture(scope="module")
def chinese() -> dict[Message, tuple[str, ...]]:
    return linguist.read(FOLDER / "desktop_rag_zh.ts")


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_string_has_a_translation(messages: list[Message], language: Language) -> None:
    known = linguist.read(FOLDER / f"desktop_rag_{language.code}.ts")
    missing = [f"{m.context}: {m.source}" for m in messages if not any(known.get(m, ()))]
    assert missing == [], HELP


@pytest.mark.parametrize("language", [*TRANSLATED, ENGLISH])
def test_the_files_are_as_the_source_is_now(
    messages: list[Message], language: Language, tmp_path: Path
) -> None:
    committed = FOLDER / f"desktop_rag_{language.code}.ts"
    wanted = [m for m in messages if m.counts or language is not ENGLISH]
    linguist.write(tmp_path / "now.ts", language, wanted, linguist.read(committed))
    assert (tmp_path / "now.ts").read_text("utf-8") == committed.read_text("utf-8"), HELP


def test_the_list_of_the_engine_s_sentences_is_as_the_source_is_now() -> None:
    listed = (FOLDER / "sentences.txt").read_text("utf-8").splitlines()
    assert listed == all_messages.sentences(), HELP


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_keeps_what_is_filled_in(language: Language) -> None:
    known = linguist.read(FOLDER / f"desktop_rag_{language.code}.ts")
    broken = [
        (message.source, form)
        for message, forms in known.items()
        for form in forms
        if sorted(set(HOLE.findall(form))) != sorted(set(HOLE.findall(message.source)))
    ]
    assert broken == []


def test_english_has_a_form_for_one_and_one_for_more(messages: list[Message]) -> None:
    forms = linguist.read(FOLDER / "desktop_rag_en.ts")
    wrong = [
        m.source
        for m in messages
        if m.counts
        and (any("(s)" in f for f in forms[m]) or ("(s)" in m.source) != _differ(forms[m]))
    ]
    assert wrong == []


def _differ(forms: tuple[str, ...]) -> bool:
    return len(set(forms)) == len(forms)


@pytest.mark.parametrize("language", [*TRANSLATED, ENGLISH])
def test_what_is_compiled_is_what_is_translated(language: Language) -> None:
    translator = QTranslator()
    assert translator.load(str(FOLDER / f"desktop_rag_{language.code}.qm"))
    stale = [
        message.source
        for message, forms in linguist.read(FOLDER / f"desktop_rag_{language.code}.ts").items()
        if translator.translate(
            message.context, message.source, message.comment, MANY if message.counts else -1
        )
        != forms[-1]
    ]
    assert stale == [], HELP


def test_chinese_is_set_as_chinese_is(chinese: dict[Message, tuple[str, ...]]) -> None:
    """A space between Chinese and Latin, punctuation of full width, no … after a space."""
    texts = [form for m, forms in chinese.items() for form in forms if not DATE.match(m.source)]
    assert [text for text in texts if CRAMPED.search(text)] == []
    assert [text for text in texts if HALF_WIDTH.search(text)] == []


@pytest.mark.parametrize("text", ["打开PDF", "PDF文件", "文件,夹", "正在读取 …", "文件(旧)", "好."])
def test_bad_setting_is_seen(text: str) -> None:
    assert CRAMPED.search(text) or HALF_WIDTH.search(text)
