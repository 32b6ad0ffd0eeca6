from dataclasses import replace

import pytest

from desktop_rag.core.paths import resources
from desktop_rag.core.sentences import sentences
from desktop_rag.core.settings import Settings
from desktop_rag.generation.citation_support import ClaimReader, cite_sentences
from desktop_rag.models.model_loader import load_embedder
from desktop_rag.models.pair_reader import PairReader
from testing.fake_retriever import OFFSET, passages

COURT = "The court sits in Washington. The court is currently filled with nine justices."
TEA = "Tea is grown in the hills. It is picked by hand in spring."


def test_a_cited_sentence_is_tied_to_the_quote_that_supports_it_best() -> None:
    made = cite_sentences("There are nine justices on the court [1].", passages(COURT, TEA), None)
    (citation,) = made.citations
    assert citation.n == 1
    assert citation.quote == "The court is currently filled with nine justices."
    assert citation.sentence == 0


def test_the_locator_is_that_of_the_quote_itself() -> None:
    made = cite_sentences("There are nine justices on the court [1].", passages(COURT, TEA), None)
    locator = made.citations[0].locator
    assert locator.start == OFFSET + COURT.index("The court is currently")
    assert locator.end == OFFSET + len(COURT)


def test_numbers_that_no_source_has_are_dropped_from_the_text() -> None:
    made = cite_sentences("Tea grows in the hills [2, 7]. 【9】", passages(COURT, TEA), None)
    assert made.text.strip() == "Tea grows in the hills [2]."
    assert [c.n for c in made.citations] == [2]


def test_a_sentence_without_a_number_gets_the_source_that_supports_it_strongly() -> None:
    made = cite_sentences("Tea is picked by hand in spring.", passages(COURT, TEA), None)
    assert made.text == "Tea is picked by hand in spring. [2]"
    assert made.citations[0].quote == "It is picked by hand in spring."
    assert made.from_model == ()


def test_a_sentence_that_nothing_supports_is_the_models_own() -> None:
    text = "Tea is grown in the hills [2]. Coffee comes from Ethiopian forests."
    made = cite_sentences(text, passages(COURT, TEA), None)
    assert made.from_model == (1,)
    assert [c.sentence for c in made.citations] == [0]
    assert made.text == text


def test_an_echo_of_the_question_is_no_supported_sentence() -> None:
    text = "Is tea picked by hand in spring? Tea is picked by hand in spring."
    made = cite_sentences(text, passages(COURT, TEA), None)
    assert made.from_model == (0,)
    assert [citation.sentence for citation in made.citations] == [1]
    assert made.text == f"{text} [2]"


def test_numbers_that_are_added_do_not_shift_the_sentences() -> None:
    text = "Tea is picked by hand in spring. Moon rocks weigh a lot. Tea is grown in the hills."
    made = cite_sentences(text, passages(COURT, TEA), None)
    spans = sentences(made.text)
    assert made.from_model == (1,)
    assert "Moon rocks" in spans[1].of(made.text)
    assert [c.sentence for c in made.citations] == [0, 2]


def test_a_lead_in_is_no_claim() -> None:
    made = cite_sentences("Here is what the passages say about it:\n\nYes.", passages(COURT), None)
    assert made.from_model == ()
    assert made.citations == ()


def test_without_sources_every_claim_is_the_models_own() -> None:
    made = cite_sentences("Tea is grown in the hills [1].", (), None)
    assert made.text == "Tea is grown in the hills."
    assert made.from_model == (0,)


def test_a_chinese_answer_is_tied_to_its_quote() -> None:
    sources = passages("本制度适用于全体员工。住宿标准为每晚不超过五百元。")
    made = cite_sentences("住宿每晚不超过五百元【1】。", sources, None)
    assert made.text == "住宿每晚不超过五百元[1]。"
    assert made.citations[0].quote == "住宿标准为每晚不超过五百元。"


def test_a_sentence_with_another_number_is_not_supported() -> None:
    sources = passages("The company sold 1,200 tents in the year 2023.")
    right = cite_sentences("The company sold 1200 tents in the year 2023.", sources, None)
    wrong = cite_sentences("The company sold 1300 tents in the year 2023.", sources, None)
    assert [c.n for c in right.citations] == [1]
    assert (wrong.citations, wrong.from_model) == ((), (0,))


def test_of_two_likely_quotes_the_one_with_the_sentences_number_is_taken() -> None:
    ferry = (
        "The second electric ferry, Sula, entered service on the route in spring. "
        "She replaced an old vessel and has cut the fuel used there by 71 %."
    )
    claim = "The second electric ferry, Sula, cut the fuel on the route by 71 % [1]."
    made = cite_sentences(claim, passages(ferry, TEA), None)
    assert "71 %" in made.citations[0].quote


@pytest.mark.parametrize("left", ["Tea is picked by hand in", "Coffee comes from Ethiopian for"])
def test_the_last_sentence_of_an_answer_that_broke_off_is_left_as_it_is(left: str) -> None:
    text = f"Tea is grown in the hills. {left}"
    made = cite_sentences(text, passages(COURT, TEA), None, unfinished=True)
    assert made.text == f"Tea is grown in the hills. [2] {left}"
    assert made.from_model == ()
    assert [c.sentence for c in made.citations] == [0]


def test_a_finished_sentence_of_an_answer_that_broke_off_is_judged_like_any() -> None:
    text = "Coffee comes from Ethiopian forests. Tea is picked by hand in spring."
    made = cite_sentences(text, passages(COURT, TEA), None, unfinished=True)
    assert made.text == f"{text} [2]"
    assert made.from_model == (0,)


FUEL = "Fuel and power cost 41,300 in the year 2024. Diesel was cheaper in the north."
TABLE = """| Item | Year 2024 cost |
|---|---:|
| Fuel and power | 41,300 |
| Moon rocks of the crew | 9 |"""


def test_a_rows_number_stands_in_its_last_cell_and_the_head_claims_nothing() -> None:
    made = cite_sentences(TABLE, passages(FUEL, TEA), None)
    assert made.text == TABLE.replace("| 41,300 |", "| 41,300 [1] |")
    spans = sentences(made.text)
    assert [spans[each.sentence].of(made.text) for each in made.citations] == [
        "| Fuel and power | 41,300 [1] |"
    ]
    assert [spans[each].of(made.text) for each in made.from_model] == [
        "| Moon rocks of the crew | 9 |"
    ]


@pytest.mark.parametrize(
    ("row", "meant"),
    [
        ("| Fuel and power | 41,300 | [1]", "| Fuel and power | 41,300 [1] |"),
        ("| Fuel and power | 41,300 |[1][2]", "| Fuel and power | 41,300 [1][2] |"),
        ("| Fuel and power | 41,300 [1] |", "| Fuel and power | 41,300 [1] |"),
        ("| Fuel and power | 41,300 | [Source 1]", "| Fuel and power | 41,300 [1] |"),
        ("| Fuel [1] | 41,300 |", "| Fuel [1] | 41,300 |"),
        ("| [1] `fuel` | 41,300 |", "| [1] `fuel` | 41,300 |"),
        ("| `fuel` and power | 41,300 | [1]", "| `fuel` and power | 41,300 [1] |"),
        ("| Fuel and power \\| gas | 41,300 |", "| Fuel and power \\| gas | 41,300 [1] |"),
        ("| Up. Fuel and power cost | 41,300 |", "| Up. Fuel and power cost | 41,300 [1] |"),
    ],
)
def test_however_a_model_cites_a_row_the_row_stays_one(row: str, meant: str) -> None:
    made = cite_sentences(f"| Item | Cost |\n|---|---|\n{row}", passages(FUEL, TEA), None)
    assert made.text.split("\n")[-1] == meant


@pytest.mark.parametrize("fence", ["```", "~~~"])
@pytest.mark.parametrize("closing", [True, False])
def test_code_is_left_as_it_is_and_claims_nothing(fence: str, closing: bool) -> None:
    code = f"{fence}python\nfuel and power cost 41,300 in the year 2024\nrows[1]\n| a | [1]\n"
    text = f"Diesel was cheaper in the north.\n\n{code}{fence if closing else ''}".strip()
    made = cite_sentences(text, passages(FUEL, TEA), None)
    assert made.text == text.replace("the north.", "the north. [1]")
    assert [each.sentence for each in made.citations] == [0]
    assert made.from_model == ()


def test_a_sentence_right_above_its_code_is_cited_before_the_fence() -> None:
    text = "Diesel was cheaper in the north of the whole country\n```\ncheaper = True\n```"
    made = cite_sentences(text, passages("Diesel was cheaper in the north of the country."), None)
    assert made.text == text.replace("country\n", "country [1]\n")


def test_a_bracket_in_a_piece_of_code_is_no_citation() -> None:
    made = cite_sentences(
        "The list `rows[1]` holds the moon rocks of the crew.", passages(FUEL), None
    )
    assert made.citations == ()
    assert made.from_model == (0,)


@pytest.mark.parametrize("within", ["```ls``` says that", "Yes~~~", "Unlike ```, diesel:"])
def test_a_fence_within_a_line_hides_no_citation(within: str) -> None:
    text = f"{within} diesel was cheaper in the north [1]. Tea is grown in the hills [2]."
    made = cite_sentences(text, passages(FUEL, TEA), None)
    assert made.text == text
    assert [(each.n, each.sentence) for each in made.citations] == [(1, 0), (2, 1)]


@pytest.mark.parametrize(
    ("item", "meant"),
    [
        ("- Diesel was cheaper in the north", "- Diesel was cheaper in the north [1]"),
        ("1. Diesel was cheaper in the north.", "1. Diesel was cheaper in the north. [1]"),
        ("* **Diesel was cheaper in the north.**", "* **Diesel was cheaper in the north.** [1]"),
        ("> Diesel was cheaper in the north.", "> Diesel was cheaper in the north. [1]"),
    ],
)
def test_an_item_of_a_list_gets_its_number_at_its_end(item: str, meant: str) -> None:
    assert cite_sentences(item, passages(FUEL), None).text == meant


@pytest.mark.parametrize("head", ["## Diesel was cheaper in the north", "**Diesel in the north**"])
def test_a_heading_claims_nothing(head: str) -> None:
    made = cite_sentences(f"{head}\n\nTea is grown in the hills.", passages(FUEL, TEA), None)
    assert made.text == f"{head}\n\nTea is grown in the hills. [2]"
    assert made.from_model == ()


@pytest.mark.parametrize("end", ["。", "！", "。”"])
def test_behind_a_chinese_stop_stands_no_blank(end: str) -> None:
    sources = passages("本制度适用于全体员工。住宿标准为每晚不超过五百元。")
    made = cite_sentences(f"住宿标准为每晚不超过五百元{end}", sources, None)
    assert made.text == f"住宿标准为每晚不超过五百元{end}[1]"
    assert len(sentences(made.text)) == 1


def test_a_chinese_row_is_cited_in_its_cell() -> None:
    table = "| 项目 | 标准 |\n|---|---|\n| 住宿标准每晚不超过 | 五百元 |"
    made = cite_sentences(
        table, passages("本制度适用于全体员工。住宿标准为每晚不超过五百元。"), None
    )
    assert made.text == table.replace("五百元 |", "五百元 [1] |")


def test_within_a_chinese_cell_no_blank_stands_behind_a_stop() -> None:
    table = "| 项目 | 标准 |\n|---|---|\n| 住宿标准 | 住宿标准为每晚不超过五百元。 |"
    made = cite_sentences(table, passages("住宿标准为每晚不超过五百元。"), None)
    assert made.text == table.replace("五百元。 |", "五百元。[1] |")


LIFE = (
    "The painter of the harbour was a member of a guild that painted harbours. "
    "Anna Meer was born in Delft in 1632. The tenant pays a rent of 950 euros a month."
)


@pytest.fixture(scope="module")
def look() -> ClaimReader:
    return ClaimReader(PairReader(resources() / "models" / "pair-reader").read)


@pytest.mark.parametrize(
    "claim",
    [
        "Anna Meer was born in Leiden in 1632 [1].",
        "Anna Meer was born in Delft in 1634 [1].",
        "The tenant pays a rent of 850 euros a month [1].",
        "Anna Meer was born in Leiden in 1632.",
    ],
)
def test_a_sentence_that_changes_a_name_or_a_number_of_its_source_is_told(
    claim: str, look: ClaimReader
) -> None:
    made = cite_sentences(claim, passages(LIFE, TEA), None, look)
    assert made.from_model == (0,)
    assert made.text == claim
    assert [c.n for c in made.citations] == ([1] if "[1]" in claim else [])


@pytest.mark.parametrize(
    "claim",
    [
        "Anna Meer was born in Delft in 1632 [1].",
        "Anna Meer was born in Delft [1].",
        "The rent that the tenant pays is 950 euros a month [1].",
        "For the flat, nine hundred and fifty is due whenever a month is over [1].",
        "The tenant pays 950 euros a month [1], and tea is grown in the hills [2].",
        "Anna Meer was born in Delft in 1632.",
        "The town where Anna Meer was born is Delft [1].",
        "The town where Anna Meer was born is Delft.",
    ],
)
def test_a_sentence_that_says_what_its_source_says_is_not_doubted(
    claim: str, look: ClaimReader
) -> None:
    assert cite_sentences(claim, passages(LIFE, TEA), None, look).from_model == ()


@pytest.mark.parametrize(("town", "doubted"), [("Leiden", (0,)), ("Delft", ())])
def test_of_a_freer_sentence_a_name_that_no_source_has_is_looked_for(
    town: str, doubted: tuple[int, ...], look: ClaimReader
) -> None:
    embedder = load_embedder("builtin", Settings())
    made = cite_sentences(
        f"Meer's place of birth was {town} [1].", passages(LIFE, TEA), embedder, look
    )
    assert made.from_model == doubted


def test_a_number_of_another_source_that_is_named_too_is_no_change(look: ClaimReader) -> None:
    rents = "The tenant pays a rent of 950 euros a month.", "The rent fell to 850 euros in June."
    claim = "The tenant pays a rent of 950 euros a month, and 850 since June [1][2]."
    assert cite_sentences(claim, passages(*rents), None, look).from_model == ()


TERMS = "The lease ends three months after notice. The house cost 2 million euros on 03/01/2024."
FOUNDED = "公司于2020年在杭州成立，注册资本为500万元。"


@pytest.mark.parametrize(
    ("claim", "source", "doubted"),
    [
        ("The lease ends four months after notice [1].", TERMS, (0,)),
        ("The lease ends 3 months after notice [1].", TERMS, ()),
        ("The lease ends 3 months after notice.", TERMS, ()),
        ("The house cost 2,000,000 euros on 3/1/2024 [1].", TERMS, ()),
        ("公司于2019年在杭州成立，注册资本为900万元。[1]", FOUNDED, (0,)),
        ("公司于2020年在杭州成立，注册资本为五百万元。[1]", FOUNDED, ()),
    ],
)
def test_a_figure_is_compared_however_it_is_written(
    claim: str, source: str, doubted: tuple[int, ...]
) -> None:
    assert cite_sentences(claim, passages(source), None).from_model == doubted


def test_what_the_reader_does_not_understand_is_left_as_it_was() -> None:
    made = cite_sentences("安娜·梅尔出生在莱顿 [1]。", passages("安娜·梅尔出生在代尔夫特。"), None)
    assert made.from_model == ()


def test_a_name_of_the_question_is_no_news(look: ClaimReader) -> None:
    claim, source = "Okoro pays a rent of 950 euros a month [1].", passages(LIFE)
    asked = replace(look, question="What rent does the tenant, Okoro, pay?")
    assert cite_sentences(claim, source, None, asked).from_model == ()


def test_a_sentence_without_a_number_is_supported_where_the_reader_finds_it(
    look: ClaimReader,
) -> None:
    embedder = load_embedder("builtin", Settings())
    film = (
        "Night Ferry, also known as Black Harbour, is a 1974 crime film, starring Isa Hayden and "
        "Yann Kotte, and directed by Jonas Kaplan."
    )
    claim, sources = "The publication date of Night Ferry is 1974.", passages(film, TEA)
    assert cite_sentences(claim, sources, embedder).from_model == (0,)
    assert cite_sentences(claim, sources, embedder, look).text == f"{claim} [1]"
    other = "The publication date of Silver Harbour is 1974."
    assert cite_sentences(other, sources, embedder, look).from_model == (0,)
