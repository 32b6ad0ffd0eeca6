"""What questions ask of a small table, as SQL."""

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.tables.mentions import value_index
from desktop_rag.tables.question_shapes import understand
from desktop_rag.tables.question_words import plain
from desktop_rag.tables.shape_sql import shape_sql
from desktop_rag.tables.sql_engine import TableDatabase
from tests.tables.conftest import Base

ORDERS = """Order,Region,Status,Amount,Unit Price,Ordered
A1,North,open,100,10%,2023-05-01
A2,South,closed,250,20%,2023-07-15
A3,North,open,50,5%,2024-01-10
A4,East,closed,400,8%,2024-02-20
A5,South,open,250,9%,2024-03-01
"""
CHINESE = """订单号,地区,状态,金额,日期
甲1,华东,未完成,100,2023/5/1
甲2,华南,已完成,250,2023/7/15
甲3,华东,未完成,50,2024/1/10
甲4,华北,已完成,3.5万,2024/2/20
"""
ENGLISH_QUESTIONS = {
    "How many orders are open?": [(3,)],
    "total amount by region": [("East", 400), ("North", 150), ("South", 500)],
    "What is the average amount of open orders?": [(400 / 3,)],
    "the two largest orders by amount": [("A4", 400), ("A2", 250), ("A5", 250)],
    "Which region has the highest amount?": [("South", 500)],
    "Which region has the most orders?": [("North", 2), ("South", 2)],
    "Sum of amount in 2024": [(700,)],
    "number of orders per status": [("closed", 2), ("open", 3)],
    "How many orders have an amount over 200?": [(3,)],
    "How many different regions are there?": [(3,)],
    "total amount of North and East": [(550,)],
    "What is the smallest amount?": [(50,)],
    "earliest order": [("A1", "2023-05-01")],
    "total amount per year": [("2023", 350), ("2024", 700)],
    "median amount": [(250.0,)],
}
CHINESE_QUESTIONS = {
    "合计各地区金额": [("华东", 150), ("华北", 35000), ("华南", 250)],
    "未完成的订单有多少个？": [(2,)],
    "金额最大的两个订单": [("甲4", 35000), ("甲2", 250)],
    "哪个地区的金额最高？": [("华北", 35000)],
    "2024年的金额合计是多少": [(35050,)],
    "平均金额是多少": [(8850.0,)],
    "金额超过90的订单有几个？": [(3,)],
    "每个状态的订单数量": [("已完成", 2), ("未完成", 2)],
}


def _answer(base: Base, question: str) -> list[tuple[object, ...]]:
    table = base.typed()
    found = understand(question, table, value_index(table, plain(question)))
    assert found is not None
    database = TableDatabase([table], CancelToken())
    rows = database.query(shape_sql(found, table)).rows
    database.close()
    return [tuple(str(each) if hasattr(each, "year") else each for each in row) for row in rows]


@pytest.mark.parametrize("question", ENGLISH_QUESTIONS)
def test_english_questions_give_the_figures(base: Base, question: str) -> None:
    base.add_text("orders.csv", ORDERS)
    assert _answer(base, question) == ENGLISH_QUESTIONS[question]


@pytest.mark.parametrize("question", CHINESE_QUESTIONS)
def test_chinese_questions_give_the_figures(base: Base, question: str) -> None:
    base.add_text("订单.csv", CHINESE)
    assert _answer(base, question) == CHINESE_QUESTIONS[question]


@pytest.mark.parametrize(
    "question", ["Who founded the company?", "Why is North so small?", "为什么华东的订单少？"]
)
def test_other_questions_are_of_no_shape(base: Base, question: str) -> None:
    base.add_text("orders.csv", ORDERS)
    table = base.typed()
    assert understand(question, table, value_index(table, plain(question))) is None
