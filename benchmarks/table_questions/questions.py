"""The questions, each with how its answer is computed from the original files.

`TRIED` were asked while the program's reading of questions was written. `FRESH` were written after
it; what was missed of them at the first run was mended. `LATE` were written after that, and nothing
was changed for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from benchmarks.table_questions.originals import (
    Gold,
    Originals,
    Row,
    best,
    by_group,
    count,
    distinct,
    highest,
    mean,
    means,
    number,
    sums,
    total,
)

PARKS, STATIONS, CLINICS, RESERVES, LIBRARIES = (
    "公园.csv", "加油站.csv", "医疗机构.csv", "自然保护区.csv", "图书馆.csv",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """A question, its shape, and its answer; `ranked` answers stand in an order."""

    text: str
    shape: str
    gold: Callable[[Originals], Gold]

    @property
    def is_ranked(self) -> bool:
        """Whether the rows of its answer stand in an order."""
        return self.shape.startswith("top")

    @property
    def is_single(self) -> bool:
        """Whether its answer is one row."""
        return self.shape in ("count", "sum", "mean", "distinct", "max", "min", "top 1")

    @property
    def language(self) -> str:
        """The language it is asked in."""
        return "en" if self.text.isascii() else "zh"


def _sales(files: Originals) -> list[Row]:
    return files.xlsx("h2ogpt__example.xlsx", "Sheet1")


def _reviews(files: Originals) -> list[Row]:
    return files.xls("format-corpus__Reviews.xls", "Reviews")


def _cities(files: Originals) -> list[Row]:
    return files.xls("phpspreadsheet__example2.xls", "example2")


def _is(name: str, value: str) -> Callable[[Row], bool]:
    return lambda row: row[name] == value


def _more(name: str, than: int) -> Callable[[Row], bool]:
    return lambda row: (number(row[name]) or 0) > than


def _less(name: str, than: int) -> Callable[[Row], bool]:
    def test(row: Row) -> bool:
        found = number(row[name])
        return found is not None and found < than

    return test


def _both(one: Callable[[Row], bool], other: Callable[[Row], bool]) -> Callable[[Row], bool]:
    return lambda row: one(row) and other(row)


def _year(name: str, year: int) -> Callable[[Row], bool]:
    return lambda row: row[name].startswith(str(year))


TRIED = (
    Item("Total sales by country in 2014", "sum by group",
         lambda f: sums(by_group(_sales(f), "Country", "Sales", _is("Year", "2014")))),
    Item("Which country has the highest sales?", "top 1",
         lambda f: best(by_group(_sales(f), "Country", "Sales"))),
    Item("What are the three products with the highest profit?", "top n",
         lambda f: best(by_group(_sales(f), "Product", "Profit"), 3)),
    Item("average sale price per segment", "mean by group",
         lambda f: means(by_group(_sales(f), "Segment", "Sale Price"))),
    Item("How many rows of sales are there for Government in Canada?", "count",
         lambda f: count(_sales(f), _both(_is("Segment", "Government"), _is("Country", "Canada")))),
    Item("合计各城市公园面积", "sum by group",
         lambda f: sums(by_group(f.csv(PARKS), "city", "area"))),
    Item("面积最大的三个公园是哪些？", "top n", lambda f: highest(f.csv(PARKS), "name", "area", 3)),
    Item("浙江省有多少个国家级公园？", "count",
         lambda f: count(f.csv(PARKS), _is("level", "国家级"))),
    Item("哪个城市的公园最多？", "top 1", lambda f: best(by_group(f.csv(PARKS), "city"))),
    Item("各县的加油站数量", "count by group",
         lambda f: sums(by_group(f.csv(STATIONS), "county"))),
    Item("医疗机构中一级的有多少家？", "count",
         lambda f: count(f.csv(CLINICS), _is("level", "一级"))),
    Item("2016年总藏量最多的图书馆是哪个？", "top 1",
         lambda f: highest(f.csv(LIBRARIES), "id", "2016年总藏量")),
    Item("2016年总藏量合计是多少？", "sum", lambda f: total(f.csv(LIBRARIES), "2016年总藏量")),
    Item("Which record label has the most reviews?", "top 1",
         lambda f: best(by_group(_reviews(f), "Label"))),
    Item("total transAmt from src 10", "sum",
         lambda f: total(f.csv("kag__Person_fundTrans_Person.csv"), "transAmt")),
)  # fmt: skip

FRESH = (
    # English, sales
    Item("What were total sales in Germany?", "sum",
         lambda f: total(_sales(f), "Sales", _is("Country", "Germany"))),
    Item("Sum of discounts for the Midmarket segment", "sum",
         lambda f: total(_sales(f), "Discounts", _is("Segment", "Midmarket"))),
    Item("How many units were sold in Mexico in 2013?", "sum",
         lambda f: total(_sales(f), "Units Sold",
                         _both(_is("Country", "Mexico"), _is("Year", "2013")))),
    Item("What is the average profit of Paseo?", "mean",
         lambda f: mean(_sales(f), "Profit", _is("Product", "Paseo"))),
    Item("Profit for each product in France", "sum by group",
         lambda f: sums(by_group(_sales(f), "Product", "Profit", _is("Country", "France")))),
    Item("total gross sales by segment and nothing else", "sum by group",
         lambda f: sums(by_group(_sales(f), "Segment", "Gross Sales"))),
    Item("Which month name had the lowest COGS?", "top 1",
         lambda f: best(by_group(_sales(f), "Month Name", "COGS"), low=True)),
    Item("How many different products are in the sales sheet?", "distinct",
         lambda f: distinct(_sales(f), "Product")),
    Item("Top 2 segments by profit", "top n",
         lambda f: best(by_group(_sales(f), "Segment", "Profit"), 2)),
    Item("How many sales records have units sold above 4000?", "count",
         lambda f: count(_sales(f), _more("Units Sold", 4000))),
    Item("How much profit did Enterprise make?", "sum",
         lambda f: total(_sales(f), "Profit", _is("Segment", "Enterprise"))),
    # English, other sheets
    Item("How many reviews are about Naxos recordings?", "count",
         lambda f: count(_reviews(f), _is("Label", "Naxos"))),
    Item("Number of reviews for each budget", "count by group",
         lambda f: sums(by_group(_reviews(f), "Budget"))),
    Item("How many cities are listed for India?", "count",
         lambda f: count(_cities(f), _is("Country", "India"))),
    Item("Which city has the highest latitude?", "top 1",
         lambda f: highest(_cities(f), "City", "Latitude")),
    Item("What is the southernmost city, the one with the smallest latitude?", "top 1",
         lambda f: highest(_cities(f), "City", "Latitude", low=True)),
    Item("Count of apps by riskMark", "count by group",
         lambda f: sums(by_group(f.csv("kag__App.csv"), "riskMark"))),
    Item("What is the total transAmt per dst?", "sum by group",
         lambda f: sums(by_group(f.csv("kag__Person_fundTrans_Person.csv"), "dst", "transAmt"))),
    Item("How many messages have the label Billing Disputes?", "count",
         lambda f: count(f.csv("anthropic-cook__dataset.csv"), _is("label", "Billing Disputes"))),
    Item("Which label occurs least often in the dataset?", "top n",
         lambda f: best(by_group(f.csv("anthropic-cook__dataset.csv"), "label"), low=True)),
    Item("Average retrieval recall in evaluation results detailed level two", "mean",
         lambda f: mean(f.csv("anthropic-cook__evaluation_results_detailed_level_two.csv"),
                        "retrieval_recall")),
    Item("How many of the retracted papers are in Wireless Communications and Mobile Computing?",
         "count",
         lambda f: count(f.csv("paper-qa__stub_retractions.csv"),
                         _is("Journal", "Wireless Communications and Mobile Computing"))),
    Item("Sum of Amount by Product", "sum by group",
         lambda f: sums(by_group(f.xlsx("phpspreadsheet__PivotTableSimple.xlsx", "Data"),
                                 "Product", "Amount"))),
    Item("What is the maximum freshwater ducks in one year?", "max",
         lambda f: [(max(number(r["Freshwater Ducks"]) or 0 for r in _ducks(f)),)]),  # type: ignore[list-item]
    Item("Which shareholder holds the biggest percentage?", "top 1",
         lambda f: highest(f.html("markitdown__test_wikipedia.html", "Shareholder name"),
                           "Shareholder name", "Percentage")),
    # Chinese
    Item("杭州市的公园总面积是多少？", "sum",
         lambda f: total(f.csv(PARKS), "area", _is("city", "杭州市"))),
    Item("省级公园的平均面积", "mean", lambda f: mean(f.csv(PARKS), "area", _is("level", "省级"))),
    Item("面积最小的公园", "top 1",
         lambda f: highest(f.csv(PARKS), "name", "area", low=True)),
    Item("统计每个城市有多少个公园", "count by group",
         lambda f: sums(by_group(f.csv(PARKS), "city"))),
    Item("1992年建成的公园有几个？", "count",
         lambda f: count(f.csv(PARKS), _year("buildTime", 1992))),
    Item("公园面积超过10000的有多少个？", "count",
         lambda f: count(f.csv(PARKS), _more("area", 10000))),
    Item("面积前五的公园有哪些", "top n", lambda f: highest(f.csv(PARKS), "name", "area", 5)),
    Item("温州市有多少座国家级森林公园？", "count",
         lambda f: count(f.csv(PARKS), _both(_is("city", "温州市"), _is("level", "国家级")))),
    Item("北仑区有多少家加油站？", "count",
         lambda f: count(f.csv(STATIONS), _is("county", "北仑区"))),
    Item("加油站按level分别有多少", "count by group",
         lambda f: sums(by_group(f.csv(STATIONS), "level"))),
    Item("员工人数最多的加油站是哪一家？", "top 1",
         lambda f: highest(f.csv(STATIONS), "name", "employeeCount")),
    Item("三级医疗机构共有几家？", "count", lambda f: count(f.csv(CLINICS), _is("level", "三级"))),
    Item("医疗机构各类别的数量", "count by group",
         lambda f: sums(by_group(f.csv(CLINICS), "category"))),
    Item("自然保护区的总面积合计", "sum", lambda f: total(f.csv(RESERVES), "totalArea")),
    Item("丽水市有几个自然保护区？", "count",
         lambda f: count(f.csv(RESERVES), _is("city", "丽水市"))),
    Item("哪个自然保护区的总面积最大？", "top 1",
         lambda f: highest(f.csv(RESERVES), "name", "totalArea")),
    Item("总面积小于1000的自然保护区有多少个？", "count",
         lambda f: count(f.csv(RESERVES), _less("totalArea", 1000))),
    Item("2017年总流通人次最高的三个图书馆", "top n",
         lambda f: highest(f.csv(LIBRARIES), "id", "2017年总流通人次", 3)),
    Item("2016年计算机台数的平均值是多少", "mean",
         lambda f: mean(f.csv(LIBRARIES), "2016年计算机台数")),
    Item("2016年图书馆级别为一级馆的图书馆有多少家", "count",
         lambda f: count(f.csv(LIBRARIES), _is("2016年图书馆级别", "一级馆"))),
)  # fmt: skip


LATE = (
    Item("What was the total profit of Small Business in the United States of America in 2014?",
         "sum",
         lambda f: total(_sales(f), "Profit", _both(
             _both(_is("Segment", "Small Business"), _is("Country", "United States of America")),
             _is("Year", "2014")))),
    Item("Give me gross sales per month name", "sum by group",
         lambda f: sums(by_group(_sales(f), "Month Name", "Gross Sales"))),
    Item("Which segment has the fewest units sold?", "top 1",
         lambda f: best(by_group(_sales(f), "Segment", "Units Sold"), low=True)),
    Item("Average discounts by discount band", "mean by group",
         lambda f: means(by_group(_sales(f), "Discount Band", "Discounts"))),
    Item("How many rows have Carretera as the product and Germany as the country?", "count",
         lambda f: count(_sales(f), _both(_is("Product", "Carretera"), _is("Country", "Germany")))),
    Item("What is the overall sum of COGS for Velo?", "sum",
         lambda f: total(_sales(f), "COGS", _is("Product", "Velo"))),
    Item("How many cities have a latitude above 60?", "count",
         lambda f: count(_cities(f), _more("Latitude", 60))),
    Item("How many apps are UNKNOWN by riskMark?", "count",
         lambda f: count(f.csv("kag__App.csv"), _is("riskMark", "UNKNOWN"))),
    Item("biggest transAmt paid to dst 1", "max",
         lambda f: [(max(number(row["transAmt"]) or Decimal(0)
                         for row in f.csv("kag__Person_fundTrans_Person.csv")
                         if row["dst"] == "1"),)]),
    Item("Which three composers have the most reviews?", "top n",
         lambda f: best(by_group(_reviews(f), "Composer"), 3)),
    Item("宁波市的公园有多少个？", "count", lambda f: count(f.csv(PARKS), _is("city", "宁波市"))),
    Item("各level公园的平均面积", "mean by group",
         lambda f: means(by_group(f.csv(PARKS), "level", "area"))),
    Item("哪个县的公园数量最多？", "top 1", lambda f: best(by_group(f.csv(PARKS), "county"))),
    Item("2005年以后建成的公园有多少个？", "count",
         lambda f: count(f.csv(PARKS), lambda row: int(row["buildTime"][:4]) > 2005)),
    Item("国家级公园中面积最大的是哪个？", "top 1",
         lambda f: highest([r for r in f.csv(PARKS) if r["level"] == "国家级"], "name", "area")),
    Item("鄞州区的加油站员工总数是多少？", "sum",
         lambda f: total(f.csv(STATIONS), "employeeCount", _is("county", "鄞州区"))),
    Item("类别是医院且级别是三级的医疗机构有几家？", "count",
         lambda f: count(f.csv(CLINICS), _both(_is("category", "医院"), _is("level", "三级")))),
    Item("国家级自然保护区的核心区面积合计", "sum",
         lambda f: total(f.csv(RESERVES), "coreArea", _is("level", "国家级"))),
    Item("各城市自然保护区的数量", "count by group",
         lambda f: sums(by_group(f.csv(RESERVES), "city"))),
    Item("2017年建筑面积最小的图书馆", "top 1",
         lambda f: highest(f.csv(LIBRARIES), "id", "2017年建筑面积", low=True)),
)  # fmt: skip


def _ducks(files: Originals) -> list[Row]:
    return files.xlsx("docling__xlsx_05_table_with_title.xlsx", "Duck Observations", header=4)
