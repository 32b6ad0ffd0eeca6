"""Recognise the answers that say that there is no answer.

What was not found, or is not there, must be so by the passages, or by who answers: that auditors
found nothing, or that a lease is not to be had in Spanish, is an answer.
"""

from __future__ import annotations

import re

from desktop_rag.core.sentences import sentences
from desktop_rag.generation import citation_markers
from desktop_rag.generation.prompts import Prompts

_LANGUAGES = ("en", "zh")
_MOST_SENTENCES = 2
_WHERE = r"(?:documents?|passages?|texts?|context|sources?|excerpts?)"
_NOT = r"(?: not|n't|n’t|not)"
_SAY = r"(?:contain|mention|provide|include|hold|give|state|say|specify|answer|have|offer)"
_SAID = r"(?:mentioned|provided|stated|specified|given|available|found|answered|determined)"
_THESE = r"(?:the|your|these|this|any|provided|given)"
_FIND = r"(?:find|locate|answer|determine)"
_NONE = r"no (?:information|mention|answer|relevant (?:information|passages?))"
_ENGLISH = re.compile(
    "|".join(
        (
            r"\bnot found in (?:your|the) documents\b",
            rf"\b{_WHERE}(?: \w+){{0,3}} (?:do|does|did){_NOT} (?:\w+ )?{_SAY}\b",
            rf"\b{_WHERE}(?: \w+){{0,3}} {_SAY}s? {_NONE}\b",
            rf"\bi (?:could|can|was|am|did|do){_NOT} (?:able to )?(?:{_FIND}|know)\b",
            rf"(?:\bi (?:am|was) |^\W*)unable to {_FIND}\b",
            rf"\b(?:answer|information)(?: \w+){{0,3}} (?:could|can|was|is){_NOT} (?:be )?found\b",
            rf"{_NOT} (?:be )?{_SAID} (?:in|from|by) {_THESE} (?:\w+ )?{_WHERE}\b",
            rf"(?:\bthere (?:is|was) |^\W*){_NONE}\b",
        )
    ),
    re.IGNORECASE,
)
_ZH_WHERE = r"(?:文档|文檔|段落|资料|資料|材料|上下文|文本|原文|文中|来源|來源|文件[中里裡])"
_ZH_NOT = r"(?:没有|沒有|未能?|无法|無法|并未|並未)"
_ZH_SAY = r"(?:找到|提到|提及|说明|說明|包含|涉及|回答|确定|確定|得知|给出|給出)"
_CHINESE = re.compile(
    "|".join(
        (
            rf"(?:{_ZH_WHERE}[^。]{{0,12}}|我[^。，]{{0,4}}){_ZH_NOT}[^。，]{{0,8}}{_ZH_SAY}",
            rf"^\W*{_ZH_NOT}{_ZH_SAY}[^。，]{{0,12}}(?:答案|信息|内容|內容|问题|問題)",
            rf"^\W*{_ZH_NOT}{_ZH_SAY}\W*$",
            r"(?:没有|沒有)[^。，]{0,6}(?:相关信息|相關信息|相关内容|相關內容)",
            r"(?:^\W*|我[^。，]{0,3})(?:不知道|不清楚)",
        )
    )
)


def says_not_found(text: str) -> bool:
    """Tell whether a model's whole reply means "not found": short, no source named.

    A reply that names a source has found something, whatever else it says.
    """
    plain = " ".join(text.split())
    if citation_markers.numbers_in(citation_markers.normalised(plain, 999)):
        return False
    if len(sentences(plain)) > _MOST_SENTENCES:
        return False
    return is_standard_refusal(plain) or bool(_ENGLISH.search(plain) or _CHINESE.search(plain))


def is_standard_refusal(text: str) -> bool:
    """Tell whether a reply is the sentence that prompts give for this, and hardly anything else."""
    plain = " ".join(text.split())
    said = plain.casefold().rstrip(".。!！ ")
    return any(
        Prompts(each).not_found.casefold().rstrip(".。") in said and len(said) < 80
        for each in _LANGUAGES
    )
