"""Which property of a document a question asks for: who sent it, when it was written, its pages.

A question asks for one only where nothing else is in it: “Who wrote it?” does, “Who wrote the first
offer?” and “When was the lease signed?” ask what the text says.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from desktop_rag.core.language import FUNCTION_WORDS

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*")


class DocumentProperty(StrEnum):
    """What documents say of themselves beside their text, or a mail in its head."""

    SENDER = "sender"
    RECIPIENTS = "recipients"
    SUBJECT = "subject"
    CREATED = "created"
    MODIFIED = "modified"
    AUTHORS = "authors"
    KEYWORDS = "keywords"
    PAGES = "pages"


_P = DocumentProperty
_ENGLISH = (  # in the order in which they are looked for: to whom it was sent is no sender
    (_P.RECIPIENTS, r"\brecipients?\b|\baddressees?\b|\bwho receive[ds]?\b"),
    (_P.RECIPIENTS, r"\bwho(?:m)?\b.*\b(?:sent|addressed) to\b"),
    (_P.RECIPIENTS, r"\bto whom\b|\bwho(?:m)? (?:is|was|were|are) .*\bto$"),
    (_P.MODIFIED, r"\b(?:when|date|day|time)\b.*\b(?:changed|modified|edited|updated)\b"),
    (_P.MODIFIED, r"\bmodification (?:date|time)\b"),
    (_P.CREATED, r"\bwhen\b.*\b(?:sent|written|created|wrote|composed|dated)\b"),
    (_P.CREATED, r"\b(?:date|day|time)\b|\bhow old\b"),
    (_P.SENDER, r"\bsenders?\b|\bwho sent\b|\b(?:who|whom)\b.*\b(?:from|sent by|sent)\b"),
    (_P.AUTHORS, r"\bauthors?\b|\bwho (?:has |have )?(?:wrote|written|created|composed)\b"),
    (_P.AUTHORS, r"\b(?:by whom|who)\b.*\bwritten\b"),
    (_P.SUBJECT, r"\bsubject\b"),
    (_P.KEYWORDS, r"\bkey-?words?\b"),
    (_P.PAGES, r"\bhow many pages\b|\bnumber of pages\b|\bpage (?:count|number)s?\b|\bpages$"),
)
_ENGLISH_BESIDE = """
address addressed addressee addressees author authors changed composed comprise consist contain
contains count created creation date dated day edited email e-mail emails e-mails file files
document documents key keyword keywords last line list mail mails message messages modified
modification name names number old page pages pdf people person receive received receives recipient
recipients send sender senders sending sends sent subject text texts time updated what's who's write
writer written wrote
"""
_ENGLISH_LONG_TEXTS = """
article articles book books contract contracts letter letters offer offers paper papers presentation
presentations report reports thesis theses
"""
_BESIDE = FUNCTION_WORDS | frozenset(_ENGLISH_BESIDE.split())
"""Words of such questions that ask for nothing else."""
_LONG_TEXTS = frozenset(_ENGLISH_LONG_TEXTS.split())
_OF_FILES = frozenset({_P.CREATED, _P.MODIFIED, _P.SUBJECT})
"""Of a contract or report these are asked of its text: it may name a date and a subject."""
_CHINESE = (
    (_P.RECIPIENTS, r"收件人|收信人|收件者|接收人"),
    (_P.RECIPIENTS, r"(?:[发發寄]|发送|發送)[给給]了?[谁誰]"),
    (_P.MODIFIED, r"(?:修改|更新|编辑|編輯)的?(?:时间|時間|日期)"),
    (_P.MODIFIED, r"(?:时候|時候|何时|何時|天)被?(?:最后|最後)?(?:修改|更新)"),
    (_P.CREATED, r"日期|何时|何時|什么时候|什麼時候|哪一?天"),
    (_P.CREATED, r"(?:发送|發送|寄出|发出|發出|创建|創建|写作|寫作|撰写|撰寫)的?(?:时间|時間)"),
    (_P.SENDER, r"[发發寄]件[人者]|[发發]送[人者]|[谁誰][发發寄](?:来|來|出|送|的)"),
    (_P.SENDER, r"(?:来自|來自)[谁誰]"),
    (_P.AUTHORS, r"作者|撰稿人|撰写人|撰寫人|编写者|編寫者"),
    (_P.AUTHORS, r"[谁誰](?:写|寫|撰写|撰寫|编写|編寫)"),
    (_P.SUBJECT, r"主题|主題|主旨"),
    (_P.KEYWORDS, r"关键词|關鍵詞|关键字|關鍵字"),
    (_P.PAGES, r"多少[页頁]|[几幾][页頁]|[页頁][数數]"),
)
_CHINESE_BESIDE = re.compile(
    r"(?:电子邮件|電子郵件|邮件|郵件|信件|文件|文档|文檔|檔案|什么|什麼|时候|時候|时间|時間|地址|姓名|名字"
    r"|名称|名稱|一共|总共|總共|分别|分別|请问|請問|列出|哪些|哪位|哪个|哪個|最后|最後|发送|發送|创建|創建"
    r"|[每封份个個些篇这這该該此各的是有为為叫谁誰哪了由在于於共几幾多少何被给給寄发發出送写寫成到信来來人者])*"
)
_CHINESE_LONG_TEXTS = re.compile(r"合同|报告|報告|论文|論文|文章|演示文稿|简报|簡報|书|書")


def asked_property(question: str) -> DocumentProperty | None:
    """Return the property that a question asks for; None where it asks for anything else."""
    plain = (
        unicodedata.normalize("NFKC", question)
        .casefold()
        .replace("’", "'")
        .strip(" ?!.。？！“”\"'：:")
    )
    return _of_english(plain) if plain.isascii() else _of_chinese(plain)


def _of_english(question: str) -> DocumentProperty | None:
    found = next((each for each, words in _ENGLISH if re.search(words, question)), None)
    if found is None or re.search(r"\d", question):
        return None
    beside = _BESIDE if found in _OF_FILES else _BESIDE | _LONG_TEXTS
    words = _WORD.findall(question)
    return found if set(words) <= beside else None


def _of_chinese(question: str) -> DocumentProperty | None:
    for each, words in _CHINESE:
        found = re.search(words, question)
        if found is not None:
            left = re.sub(r"[\s，,、]", "", question[: found.start()] + question[found.end() :])
            if each not in _OF_FILES:
                left = _CHINESE_LONG_TEXTS.sub("", left)
            return each if _CHINESE_BESIDE.fullmatch(left) else None
    return None
