"""Text to lay out: sentences put together from word lists, in three languages.

Each tells who did what, where and when, so that a reader could say which follows which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

Words = Mapping[str, Sequence[str]]

_ENGLISH: Words = {
    "who": (
        "the harbour commission", "a group of independent surveyors", "the municipal laboratory",
        "our correspondent in the northern district", "the association of fishermen",
        "the department of transportation", "an international consortium", "the library committee",
        "several representatives of the neighbourhood", "the meteorological observatory",
        "the superintendent of the botanical garden", "the manufacturer of the instruments",
    ),
    "did": (
        "published a comprehensive description of", "measured the temperature of",
        "recommended a temporary suspension of", "compared the characteristics of",
        "documented every interruption of", "calculated the consumption of",
        "questioned the reliability of", "reported considerable improvements in",
        "requested additional information about", "examined the administration of",
    ),
    "what": (
        "the underground reservoir", "the electrical installations", "the drinking water supply",
        "the agricultural experiments", "the passenger connections",
        "the archaeological collection",
        "the refrigeration equipment", "the suspension bridge", "the river embankment",
        "the educational programmes", "the warning signals", "the construction materials",
    ),
    "where": (
        "near the old customs house", "along the eastern shore", "in the upper valley",
        "between both railway stations", "at the mouth of the river", "on the island of Norrholm",
        "behind the market square", "in all fourteen villages",
    ),
    "when": (
        "in the spring of {year}", "on {day} October {year}", "during the first {count} weeks",
        "after {count} months of preparation", "before the winter of {year}",
        "within {count} days of the flood",
    ),
    "then": (
        "Consequently", "In the following year", "Nevertheless", "For this reason", "Meanwhile",
        "According to the minutes", "As a precaution", "In contrast",
    ),
    "shape": (
        "{Who} {did} {what} {where} {when}.",
        "{then}, {who} {did} {what} {when}, and {who2} {did2} {what2}.",
        "{then}, {who} {did} {what}, although only {count} of {total} samples were available.",
        "{Who} {did} {what} {where}; {who2} agreed.",
    ),
    "heading": (
        "Observations and measurements", "Historical background", "Preliminary recommendations",
        "Distribution of responsibilities", "Comparison with earlier surveys", "Further work",
        "Maintenance of the equipment", "Questions from the public", "Sources of uncertainty",
    ),
    "label": (
        "Drinking water", "Electricity", "Passenger fares", "Warehouse rent", "Insurance",
        "Harbour dues", "Repairs and maintenance", "Wages", "Fuel oil", "Interest received",
        "Office supplies", "Training courses", "Land and buildings", "Other income",
        "Grants and donations", "Bridge tolls",
    ),
    "column": ("Planned", "Actual", "Difference", "Budget", "Share", "Orders", "Staff", "Revised"),
    "group": ("First half", "Second half", "North", "South"),
    "note": ("checked by hand", "see annex", "estimated", "not audited", "since March only"),
}  # fmt: skip

_CHINESE: Words = {
    "who": (
        "港口委员会", "市政实验室", "独立测量小组", "北区通讯员", "渔民协会", "交通管理部门",
        "图书馆工作组", "气象观测站", "植物园负责人", "设备制造商", "社区代表",
    ),
    "did": (
        "公布了", "重新测量了", "建议暂停", "比较了", "详细记录了", "仔细检查了", "补充说明了",
        "对外介绍了",
    ),
    "what": (
        "地下水库的水位变化", "电力设施的运行情况", "饮用水的供应范围", "农业试验的初步结果",
        "客运线路的调整方案", "考古藏品的目录", "冷藏设备的能源消耗", "沿河堤岸的加固工程",
        "教育项目的经费安排", "建筑材料的采购价格",
    ),
    "where": (
        "在旧海关大楼附近", "在东部海岸", "在上游山谷", "在两座火车站之间", "在河口地区",
        "在市场广场后面", "在全部十四个村庄",
    ),
    "when": (
        "{year}年春天", "{year}年10月{day}日", "在最初的{count}个星期里", "经过{count}个月的准备",
        "{year}年冬季以前",
    ),
    "then": ("因此", "第二年", "尽管如此", "与此同时", "根据会议记录", "为了安全起见", "相比之下"),
    "shape": (
        "{when},{who}{where}{did}{what}。",
        "{then},{who}{did}{what},{who2}也{did2}{what2}。",
        "{then},{who}{did}{what},不过在{total}个样本中只有{count}个可以使用。",
        "{who}{where}{did}{what};{who2}表示同意。",
    ),
    "heading": ("观测与测量", "历史背景", "初步建议", "职责分工", "与早期调查的比较", "后续工作",
                "设备维护", "公众提问"),
    "label": ("饮用水", "电力", "客运收入", "仓库租金", "保险费", "港口费用", "维修与保养",
              "员工工资", "燃料", "利息收入", "办公用品", "培训课程", "土地与房屋", "其他收入"),
    "column": ("计划", "实际", "差额", "预算", "比例", "订单", "人数", "调整后"),
    "group": ("上半年", "下半年", "北区", "南区"),
    "note": ("人工核对", "见附件", "估计数", "未经审计", "三月起计算"),
}  # fmt: skip

_HEBREW: Words = {
    "who": ("ועדת הנמל", "המעבדה העירונית", "קבוצת המודדים", "אגודת הדייגים", "ועד הספרייה",
            "תחנת מזג האוויר", "מנהל הגן הבוטני"),
    "did": ("פרסמה דוח על", "בדקה את", "תיארה את", "השוותה את", "מדדה את"),
    "what": ("מאגר המים", "הגשר הישן", "קווי הרכבת", "אספקת החשמל", "אוסף המוזיאון",
             "גדת הנהר", "תוכנית הלימודים"),
    "where": ("ליד בית המכס", "לאורך החוף המזרחי", "בעמק העליון", "בין שתי התחנות", "באי הצפוני"),
    "when": ("באביב", "אחרי החורף", "לפני השיטפון", "בשנה הראשונה"),
    "then": ("לכן", "בינתיים", "לעומת זאת", "לפי הפרוטוקול"),
    "shape": ("{who} {did} {what} {where} {when}.", "{then}, {who} {did} {what} {when}."),
    "heading": ("רקע היסטורי", "תצפיות ומדידות", "המלצות ראשונות", "המשך העבודה"),
    "label": ("מים", "חשמל", "ביטוח", "שכר", "דלק"),
    "column": ("תכנון", "ביצוע", "הפרש"),
    "group": ("צפון", "דרום"),
    "note": ("הערכה",),
}  # fmt: skip

LANGUAGES: Mapping[str, Words] = {"en": _ENGLISH, "zh": _CHINESE, "he": _HEBREW}


class TextSource:
    """Gives sentences, headings and labels in one language, none of them twice in a row."""

    def __init__(self, random: Random, language: str) -> None:
        self.random = random
        self.language = language
        self._words = LANGUAGES[language]
        self._headings = self.several("heading", len(self._words["heading"]))

    def several(self, name: str, count: int) -> list[str]:
        """Return different words of a list."""
        return self.random.sample(list(self._words[name]), count)

    def one(self, name: str) -> str:
        """Return a word of a list."""
        return self.random.choice(self._words[name])

    def heading(self) -> str:
        """Return a heading that was not given before, as long as there are some."""
        return self._headings.pop() if self._headings else self.one("heading")

    def sentence(self) -> str:
        """Return a sentence."""
        pairs = {name: self.several(name, 2) for name in ("who", "did", "what", "where", "when")}
        gaps = {name: words[0] for name, words in pairs.items()}
        gaps |= {f"{name}2": words[1] for name, words in pairs.items()}
        gaps["Who"] = gaps["who"][0].upper() + gaps["who"][1:]
        gaps["then"] = self.one("then")
        told = self.one("shape").format_map(gaps | self._numbers() | {"when": gaps["when"]})
        told = told.format_map(self._numbers())
        if self.language == "zh":
            return told.replace(",", "，").replace(";", "；")
        return told

    def paragraph(self, sentences: int) -> str:
        """Return sentences as running text."""
        between = "" if self.language == "zh" else " "
        return between.join(self.sentence() for _ in range(sentences))

    def _numbers(self) -> dict[str, int]:
        between = self.random.randint
        count = between(3, 40)
        return {
            "year": between(1950, 2024),
            "day": between(1, 28),
            "count": count,
            "total": count + between(5, 60),
        }
