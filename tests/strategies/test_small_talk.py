"""What is small talk, word for word, and what must be searched."""

from __future__ import annotations

import json

import pytest

from desktop_rag.core.paths import resources
from desktop_rag.strategies.small_talk import KINDS, small_talk

SMALL_TALK = (
    ("Hello", "hello", "en"),
    ("hi", "hello", "en"),
    ("Hi!", "hello", "en"),
    ("hello there", "hello", "en"),
    ("Good morning!", "hello", "en"),
    ("Thanks!", "thanks", "en"),
    ("thank you so much", "thanks", "en"),
    ("Thanks a lot 😊", "thanks", "en"),
    ("who are you?", "about", "en"),
    ("Who are you", "about", "en"),
    ("what can you do?", "about", "en"),
    ("Hello, what can you do?", "about", "en"),
    ("bye", "bye", "en"),
    ("Good night", "bye", "en"),
    ("how are you", "hello", "en"),
    ("how's it going?", "hello", "en"),
    ("help", "about", "en"),
    ("thanks, bye!", "thanks", "en"),
    ("ok thanks", "thanks", "en"),
    ("你好", "hello", "zh"),
    ("您好！", "hello", "zh"),
    ("你好呀", "hello", "zh"),
    ("谢谢", "thanks", "zh"),
    ("谢谢你！", "thanks", "zh"),
    ("你是谁？", "about", "zh"),
    ("你能做什么", "about", "zh"),
    ("你好，你是谁？", "about", "zh"),
    ("早上好", "hello", "zh"),
    ("再见", "bye", "zh"),
    ("謝謝", "thanks", "zh"),
    ("你好 请问你能做什么？", "about", "zh"),
    ("hola", "hello", "es"),
    ("¡Hola! ¿Qué tal?", "hello", "es"),
    ("muchas gracias", "thanks", "es"),
    ("bonjour", "hello", "fr"),
    ("Merci beaucoup !", "thanks", "fr"),
    ("qui es-tu ?", "about", "fr"),
    ("Guten Morgen", "hello", "de"),
    ("Vielen Dank!", "thanks", "de"),
    ("Wer bist du?", "about", "de"),
    ("ciao", "hello", "it"),
    ("grazie mille", "thanks", "it"),
    ("Olá", "hello", "pt"),
    ("obrigado", "thanks", "pt"),
    ("привет", "hello", "ru"),
    ("Спасибо большое!", "thanks", "ru"),
    ("кто ты?", "about", "ru"),
    ("مرحبا", "hello", "ar"),
    ("شكرا", "thanks", "ar"),
    ("नमस्ते", "hello", "hi"),
    ("धन्यवाद", "thanks", "hi"),
    ("merhaba", "hello", "tr"),
    ("teşekkürler", "thanks", "tr"),
    ("hoi", "hello", "nl"),
    ("dank je wel", "thanks", "nl"),
    ("こんにちは", "hello", "ja"),
    ("ありがとうございます", "thanks", "ja"),
    ("あなたは誰ですか？", "about", "ja"),
    ("안녕하세요", "hello", "ko"),
    ("감사합니다", "thanks", "ko"),
    ("HELLO!!!", "hello", "en"),
    ("Hey, thanks for your help", "about", "en"),
)
SEARCHED = (
    "Hello Kitty revenue 2023",
    "Thanks to whom was the contract signed?",
    "hi-fi warranty",
    "你好公司的合同",
    "Hi-Fi",
    "你好科技有限公司",
    "Who are you allowed to share data with?",
    "What can you do if the contract is terminated?",
    "thank you letter",
    "Thanksgiving dates",
    "good morning vietnam director",
    "Goodbye Lenin",
    "hello world program",
    "what is this?",
    "who is the director?",
    "谢谢霆锋的出生日期",
    "感谢信的日期",
    "早安少女组",
    "再见的作者是谁",
    "ok",
    "yes",
    "no",
    "great",
    "nice",
    "what",
    "Hola S.A. contrato",
    "Merci Schokolade Preis",
    "Danke sagt wer",
    "Ciao Bella Restaurant",
    "привет из рая",
    "ありがとう株式会社",
    "你能做什么工作",
    "help desk number",
    "How are you insured?",
    "Help with taxes",
    "安全帮助",
    "hi vis vest",
    "hey jude lyrics",
    "good day rate",
    "bye-laws",
    "Bye laws quorum",
    "see you tomorrow meeting time",
    "cheers beer sales",
    "thanks to",
    "who",
    "how",
    "你",
    "的",
    "谢",
    "",
    "42",
    "?",
    "the",
    "you",
    "today",
    "now please",
    "你好吗 这首歌",
    "再见 金华站",
    "morning",
    "Welcome",
    "Bonjour Tristesse",
    "Salut les copains",
    "Hallo Welt",
    "Merhaba Ltd",
    "what's up doc",
    "are you there god it's me margaret",
    "dear all please",
    "and you",
    "and",
    "just now",
)


@pytest.mark.parametrize(("text", "kind", "code"), SMALL_TALK)
def test_small_talk_is_known_in_its_language(text: str, kind: str, code: str) -> None:
    found = small_talk(text)
    assert found is not None
    assert (found.kind, found.language) == (kind, code)


@pytest.mark.parametrize("text", SEARCHED)
def test_what_may_ask_for_something_in_the_documents_is_searched(text: str) -> None:
    assert small_talk(text) is None


def test_a_long_text_of_greetings_is_no_greeting() -> None:
    assert small_talk("hello " * 20) is not None
    assert small_talk("hello " * 21) is None


@pytest.mark.parametrize("kind", KINDS)
def test_every_list_has_a_reply_of_each_kind_that_names_what_is_asked(kind: str) -> None:
    files = sorted((resources() / "small_talk").glob("*.json"))
    assert len(files) >= 12
    for file in files:
        told = json.loads(file.read_text("utf-8"))
        found = small_talk(told[kind][0])
        assert found is not None
        assert found.kind == kind
        assert told["reply"][kind] in found.reply(["Tax papers"], is_empty=False)
        for is_empty in (False, True):
            assert "Tax papers" in found.reply(["Tax papers", "Letters"], is_empty=is_empty)
            assert "Letters" in found.reply(["Tax papers", "Letters"], is_empty=is_empty)


def test_a_name_with_a_dollar_sign_stays_as_it_is() -> None:
    found = small_talk("Hello")
    assert found is not None
    assert "“$names $1”" in found.reply(["$names $1"], is_empty=False)


def test_the_base_that_nobody_named_is_called_as_in_the_window() -> None:
    for text, name in (("Hello", "“My documents”, “My documents (2)”"), ("你好", "“我的文档”")):
        found = small_talk(text)
        assert found is not None
        kbs = ["default", "default (2)"] if text == "Hello" else ["default"]
        assert name in found.reply(kbs, is_empty=False)
