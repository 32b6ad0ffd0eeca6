"""What kind of answer a question expects, and whether a sentence has one."""

from __future__ import annotations

import re

_BONUS = 0.12
_MONTH = (
    r"January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
)
_NUMBER = re.compile(
    r"\d[\d.,]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|"
    r"million|billion|dozen|half)\b|[一二三四五六七八九十百千万亿两]",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"\b(?:1\d|20)\d\d\b|\b(?:{_MONTH})\b|\d+\s*[年月日]|\b\d+ (?:days?|weeks?|months?|years?)\b"
)
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+")
_SURNAMES = (  # the commonest that begin few other words, in both scripts
    "王李张張刘劉陈陳杨楊赵趙周吴吳徐孙孫胡朱林何郭罗羅梁宋郑鄭谢謝韩韓唐冯馮董萧蕭程曹袁邓鄧许許傅"
    "沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴钟鍾汪姜范姚谭譚廖邹鄒熊陆陸郝孔崔康邱秦顾顧"
    "侯邵孟龙龍雷尹黎乔喬贺賀赖賴龚龔"
)
_CHINESE_NAME = re.compile(
    r"(?:(?<=[部处處科长長理师師授员員人家由为為是和与與联系聯絡找、，。；：:「『《“])|^)"
    rf"[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}(?=[，。、；：（(和与與是在于於担擔曾为為]|$)"
    r"|[\u4e00-\u9fff]+·[\u4e00-\u9fff]+|[\u4e00-\u9fff](?:先生|女士|小姐|教授|博士)"
)
"""A surname with one or two characters where a name may begin and end, a foreign name, a title."""
_REASON = re.compile(
    r"\b(?:because|since|due to|in order to|so that|as a result)\b|因为|由于|为了|因此|原因"
)
_KINDS = (
    (r"\bhow (?:many|much|long|old|far|large|big|often|high)\b", _NUMBER),
    (r"\b(?:revenue|income|profit|price|cost|fee|salary|rate|percentage|number|amount)\b", _NUMBER),
    (r"多少|几[个种次名人年]|多[大长高]|标准|金额|费用|价格", _NUMBER),
    (r"\bwhen\b|\b(?:what|which) (?:year|date|day|month)\b", _TIME),
    (r"何时|什么时候|哪一?年|哪天|日期", _TIME),
    (r"\bwho(?:m|se)?\b", _NAME),
    (r"[谁誰]|哪位|何人|什么人|哪个人", _CHINESE_NAME),
    (r"\bwhy\b|为什么|为何", _REASON),
)


_ALL = re.compile(
    r"\b(?:list|name|show|count) (?:me )?(?:all|every|each)\b|\bsummar(?:y|ise|ize)\b|\boverview\b"
    r"|\bhow many (?:rows|records|entries|lines|files|documents|times)\b|\bin (?:total|all)\b"
    r"|所有|全部|总结|概括|一共|总共|总计|列出",
    re.IGNORECASE,
)


def is_aggregate_question(question: str) -> bool:
    """Tell whether a question counts, lists or sums up: a few passages can hardly answer it."""
    return bool(_ALL.search(question))


def answer_type_bonus(question: str, sentence: str) -> float:
    """Return what it is worth that a sentence says the number, date, name or reason asked for."""
    asked = question.casefold()
    kinds = [kind for wanted, kind in _KINDS if re.search(wanted, asked)]
    said = (found.group().casefold() for kind in kinds for found in kind.finditer(sentence))
    return _BONUS if any(each not in asked for each in said) else 0.0
