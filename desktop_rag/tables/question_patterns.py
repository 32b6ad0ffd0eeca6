"""Words and turns of phrase by which questions ask for counts, sums and extremes, as patterns.

Of texts that are `plain`: in one width of characters, and in small letters.
"""

from __future__ import annotations

import re

COUNT = re.compile(
    r"\bhow many\b|\bnumber of\b|\bcount\b"
    r"|多少(?=[个家条名人座所项笔种次位件张本只台艘辆类篇])|几(?=[个家条名座所项笔种次位件张本])"
    r"|有多少|数量有多少|个数|总数(?:是|为)?多少|共有多少|一共有"
)
TALLY = re.compile(r"数量|個數|家数|数目|人数|条数")
SUM = re.compile(
    r"\btotal(?:s|ed)?\b|\bsum\b|\baltogether\b|\boverall\b|\bcombined\b|\bin all\b|\bhow much\b"
    r"|合计|合計|總計|总和|总计|总额|总共|一共|之和|总(?!经理|部|店|裁|数|监)|累计|共计"
)
MEAN = re.compile(r"\baverages?\b|\bmean\b|\bavg\b|平均|均值")
MEDIAN = re.compile(r"\bmedian\b|中位数")
MOST = re.compile(
    r"\b(?:highest|largest|biggest|greatest|most|maximum|max|longest|latest|newest|"
    r"most recent|top|best|tallest|oldest|heaviest|youngest|priciest)\b"
    r"|最(?:高|大|多|长|贵|晚|新|好|近|重|老|年长)|排名第一"
    r"|前(?=[\d一二三四五六七八九十两]+(?:名|位|个|家|条|大|项|种|座|的|$))"
)
LEAST = re.compile(
    r"\b(?:lowest|smallest|least|fewest|minimum|min|shortest|earliest|cheapest|lightest|bottom|"
    r"first built|worst)\b|最(?:低|小|少|短|便宜|早|轻|差|旧|年轻)"
)
BY_DATE = re.compile(
    r"\b(?:latest|newest|most recent|oldest|earliest|youngest|first built)\b"
    r"|最(?:晚|新|近|早|旧|老)"
)
OLD = re.compile(r"\b(?:oldest|earliest|first built)\b|最(?:早|旧|老)")
DIFFERENT = re.compile(r"\b(?:different|distinct|unique)\b|不同|[几多少][种类]|多少[种类]")
_ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBERS = dict(zip(_ENGLISH, range(1, 11), strict=True))
NUMBERS |= dict(zip("一二三四五六七八九十两", (*range(1, 11), 2), strict=True))
ONE = r"\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|[一二三四五六七八九十两]"
TOP = re.compile(
    rf"\b(?:top|bottom|first|last|largest|highest|biggest|smallest|lowest|greatest|cheapest|longest|"
    rf"latest|earliest|newest|oldest) (?P<one>{ONE})\b"
    rf"|\b(?P<two>{ONE}) (?:\w+ )?(?:most|top|largest|highest|biggest|smallest|lowest|greatest|"
    rf"fewest|least|cheapest|longest|latest|earliest|newest|oldest|best|tallest)\b"
    rf"|\b(?:the|which|what) (?P<six>{ONE}) (?:\w+ ){{1,4}}"
    rf"(?:with|that have|having|by|has|have|had)\b"
    rf"|前(?P<three>{ONE})(?:名|位|个|家|条|大|项|种|座|的|$)?"
    rf"|最[高大多长贵晚新小少低短早近](?:的|前)?(?P<four>{ONE})"
    rf"(?:个|家|名|位|条|项|种|座|所|款|笔|件)"
    rf"|最低的(?P<five>{ONE})"
)
BY_YEAR = re.compile(r"\b(?:by|per|each|every) year\b|\b(?:yearly|annual(?:ly)?)\b|[按每各逐]年")
BY_MONTH = re.compile(r"\b(?:by|per|each|every) month\b|\bmonthly\b|[按每各逐]个?月")
RATES = re.compile(
    r"price|rate|ratio|score|percent|average|avg|mean|share|age\b|height|weight|latitude|"
    r"longitude|temperature|year|单价|价格|率|比例|评分|年龄|占比|単価|recall|precision|mrr|%"
)
"""Names of what is not summed over groups: the highest of them is the highest single one."""
OPERATION_WORDS = re.compile(
    "|".join(each.pattern for each in (COUNT, SUM, MEAN, MEDIAN, MOST, LEAST, DIFFERENT))
    + r"|\b(?:rows?|records?|entries|value|list|show|give|find|calculate|compute)\b"
    r"|\b(?:each|every|by|per|columns?|tables?|sheets?|data|file|occurs?|often|appears?)\b|[数据表列]"
    r"|哪|什么|多少|几|各|每|按|列出|分别|请|计算|统计|所有|全部|分组|名|个|家|位|座|所|条|项|种"
    r"|共|是|为|的|了|有|在|中|里|和|与|及"
)
GENERIC = re.compile(r"\b(?:rows?|records?|entries|lines)\b|[条行](?:记录|数据)|记录")
GROUPED = frozenset(["by", "per", "each", "every"])
GROUPED_BEFORE = re.compile(r"(?:各个?|每一?个?|按照?|根据|分|不同(?:的)?|逐)$")
