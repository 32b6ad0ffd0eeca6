"""Questions and names of columns as words that can be compared, across spellings and two languages.

`Units Sold`, `unitsSold` and `units_sold` are the same words; plurals are singular; common names of
columns are one word in English and Chinese (`面积` is `area`), each other Chinese character is one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_CJK = "぀-ヿ㐀-鿿豈-﫿가-힯"
_WORD = re.compile(rf"\d+(?:[.,]\d+)*|[^\W\d_{_CJK}]+(?:['’](?!s\b)[^\W\d_{_CJK}]+)*|[{_CJK}]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")
_IN_BRACKETS = re.compile(r"[（(【\[][^()（）【】\[\]]*[)）】\]]")
_SYNONYMS = (
    "area 面积 面積",
    "name 名称 名字 姓名 名稱 名",
    "city 城市",
    "province 省份",
    "county 区县 县区",
    "level 级别 等级 級別",
    "type 类型 類型",
    "date 日期",
    "time 时间 時間",
    "amount 金额 金額 数额 amt",
    "sales 销售额 銷售額 销售 売上 turnover",
    "revenue 收入 营收 营业收入",
    "price 价格 單價 单价 価格 単価 售价",
    "quantity 数量 數量 qty",
    "country 国家 國家",
    "region 地区 區域 区域 地區 地域",
    "product 产品 商品 產品",
    "customer 客户 顾客 client",
    "supplier 供应商 vendor",
    "age 年龄 年齢 年紀 年纪",
    "profit 利润",
    "cost 成本",
    "department 部门",
    "salary 工资 薪资 wage",
    "status 状态 狀態 state",
    "category 类别 分类 カテゴリ",
    "employee 员工 职工",
    "address 地址 住所",
    "year 年份 年度",
    "month 月份",
    "total 总 總",
    "manager 负责人 经理 担当者",
    "population 人口",
    "height 高度 身高",
    "weight 重量 体重",
    "score 分数 得分 成绩",
    "rating 评分 评级",
    "title 标题",
    "author 作者",
    "count 个数 总数 数目",
    "order 订单",
    "invoice 发票",
    "discount 折扣",
    "budget 预算",
    "expense 费用 支出",
    "capacity 容量",
    "volume 体积 容积",
    "length 长度",
    "width 宽度",
    "rate 比率",
    "gender 性别 sex",
    "team 球队 团队",
    "location 位置 地点",
    "industry 行业",
    "company 公司 企业",
    "brand 品牌",
    "build 建成 建造 修建 建立",
    "stock 库存 inventory",
    "tax 税额 税",
    "phone 电话",
    "share 占比",
    "core 核心",
    "number 编号 号码 no num",
    "latitude 纬度",
    "longitude 经度",
    "transaction trans 交易",
)
_ONE_WORD = {
    other: names[0] for names in (each.split() for each in _SYNONYMS) for other in names[1:]
}
_CHINESE = re.compile(
    "|".join(sorted((each for each in _ONE_WORD if not each.isascii()), key=len, reverse=True))
)
_DIVISIONS = {"省": "province", "市": "city", "县": "county", "区": "county"}
_EACH = re.compile(r"(?:各个?|每一?个?|哪一?个?|按照?|不同的?)$")
"""Before one character that names a division of a country: else it is part of a place's name."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word in the form that is compared, and where it stands in the text as compared."""

    form: str
    start: int
    end: int


def plain(text: str) -> str:
    """Return a text in one width of characters and in small letters."""
    return unicodedata.normalize("NFKC", text).casefold()


@lru_cache(maxsize=256)
def words(text: str) -> tuple[Word, ...]:
    """Return the words of a text that is `plain` already."""
    found: list[Word] = []
    for each in _WORD.finditer(text):
        if found and each.start() < found[-1].end:
            continue
        whole = _CHINESE.match(text, each.start())
        if whole is not None:
            found.append(Word(_ONE_WORD[whole.group()], each.start(), whole.end()))
        elif each.group() in _DIVISIONS and _EACH.search(text[: each.start()]):
            found.append(Word(_DIVISIONS[each.group()], *each.span()))
        else:
            found.append(Word(_form(each.group()), each.start(), each.end()))
    return tuple(found)


def name_forms(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of a column's name: in full, as they are written, and without brackets."""
    spread = _CAMEL.sub(" ", unicodedata.normalize("NFKC", name)).casefold()
    forms = [_forms(spread), _forms(plain(name)), _forms(_IN_BRACKETS.sub(" ", spread))]
    return tuple(dict.fromkeys(form for form in forms if form))


@lru_cache(maxsize=20_000)
def name_words(name: str) -> frozenset[str]:
    """Return the words of a name in all its forms."""
    return frozenset(word for form in name_forms(name) for word in form)


def value_forms(value: str) -> tuple[str, ...]:
    """Return the words of a cell, each Chinese character one: a cell is no common name."""
    return tuple(each.form for each in raw_words(plain(value)))


@lru_cache(maxsize=256)
def raw_words(text: str) -> tuple[Word, ...]:
    """Return the words of a text that is `plain` already, no common names made of characters."""
    return tuple(Word(_form(each.group()), *each.span()) for each in _WORD.finditer(text))


def _forms(text: str) -> tuple[str, ...]:
    return tuple(each.form for each in words(" ".join(text.split())))


@lru_cache(maxsize=4096)
def _form(word: str) -> str:
    """Return a word in the singular, under its common name."""
    singular = _singular(word) if word.isascii() and word.isalpha() else word.replace(",", "")
    return _ONE_WORD.get(word) or _ONE_WORD.get(singular) or singular


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes", "zes")) and word != "sales":
        return word[:-2] if not word.endswith("ses") else word[:-1]
    if (
        len(word) > 3
        and word.endswith("s")
        and not word.endswith(("ss", "us", "is"))
        and word != "sales"
    ):
        return word[:-1]
    return word
