"""Recognise the answers that say that there is no answer."""

from __future__ import annotations

import re

from desktop_rag.core.sentences import sentences
from desktop_rag.engine.answering import markers
from desktop_rag.engine.answering.prompts import Prompts

_LANGUAGES = ("en", "zh")
_MOST_SENTENCES = 2
_ENGLISH = re.compile(
    r"\b(?:not found in (?:your|the) documents|"
    r"(?:documents?|passages?|text|context|sources?)(?: \w+){0,3} "
    r"(?:do|does|did)(?: not|n't|n’t) (?:\w+ )?"
    r"(?:contain|mention|provide|include|hold|give|state|say|specify|answer|have|offer)|"
    r"(?:could|can|was|were|did|do)(?: not|n't|n’t|not) (?:be )?(?:able to )?"
    r"(?:find|found|locate|answer)|"
    r"no (?:information|mention|answer|relevant (?:information|passages?))|"
    r"(?:is|are) not (?:mentioned|provided|stated|specified|given|available) in|"
    r"i (?:do not|don't) know|unable to (?:find|answer|determine)|there is no information)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?:没有|沒有|未能?|无法|無法|并未|並未)[^。，]{0,8}"
    r"(?:找到|提到|提及|说明|說明|包含|涉及|回答|确定|得知|给出)"
    r"|(?:没有|沒有)[^。，]{0,6}(?:答案|相关信息|相關信息|相关内容)|不知道|不清楚"
)


def says_not_found(text: str) -> bool:
    """Tell whether a model's whole reply means "not found": short, no source named.

    A reply that names a source has found something, whatever else it says.
    """
    plain = " ".join(text.split())
    if markers.numbers_in(markers.normalised(plain, 999)):
        return False
    if len(sentences(plain)) > _MOST_SENTENCES:
        return False
    return _is_the_sentence(plain) or bool(_ENGLISH.search(plain) or _CHINESE.search(plain))


def _is_the_sentence(plain: str) -> bool:
    said = plain.casefold().rstrip(".。!！ ")
    return any(
        Prompts(each).not_found.casefold().rstrip(".。") in said and len(said) < 80
        for each in _LANGUAGES
    )
