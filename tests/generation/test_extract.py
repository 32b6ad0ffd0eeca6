from dataclasses import replace

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import LocatorKind
from desktop_rag.generation.extract import extract
from testing.fake_retriever import OFFSET, passage, passages

COURT = (
    "Supreme Court\n\nHow does it work? The court sits in Washington. The court is currently "
    "filled with nine justices. Once appointed, justices have lifetime tenure unless they resign."
)
TEA = "Tea is grown in the hills. It is picked by hand in spring."


def test_the_sentence_that_answers_is_quoted_with_its_number() -> None:
    made = extract("How many justices are there on the court?", passages(COURT, TEA), None)
    assert made.text.startswith("“The court is currently filled with nine justices.” [1]")


def test_every_word_of_an_extract_stands_in_a_passage_where_its_citation_says() -> None:
    made = extract("When is tea picked?", passages(COURT, TEA), None)
    assert made.citations
    for citation in made.citations:
        source = made.sources[citation.n - 1]
        start, end = citation.locator.start, citation.locator.end
        assert start is not None
        assert end is not None
        assert source.text[start - OFFSET : end - OFFSET] == citation.quote
        assert " ".join(citation.quote.split()) in made.text


def test_a_citation_names_the_sentence_of_the_answer_that_it_stands_behind() -> None:
    text = "Dr. No came. The fee is 5 dollars for adults.\n\nThe fee is 3 dollars for children."
    made = extract("What is the fee?", passages(text), None)
    assert len(made.citations) > 1
    spans = sentences(made.text)
    for citation in made.citations:
        assert f"[{citation.n}]" in spans[citation.sentence].of(made.text)
        assert citation.quote in spans[citation.sentence].of(made.text)


def test_at_most_three_quotes_are_given_and_none_twice() -> None:
    texts = [f"The fee for visitors of the tower in room {n} is {n} dollars." for n in range(9)]
    made = extract("What is the fee for visitors?", passages(*texts, texts[0]), None)
    assert 1 <= len(made.citations) <= 3
    assert len({c.quote for c in made.citations}) == len(made.citations)


def test_quoted_sources_come_first_and_are_numbered_as_they_appear() -> None:
    fees = "The fee for adults is 5 euros.", "Children pay a fee of 3 euros there, says the board."
    given = passages(COURT, fees[0], TEA, fees[1])
    made = extract("How high is the fee?", given, None)
    assert [citation.n for citation in made.citations] == [1, 2]
    assert {source.text for source in made.sources[:2]} == set(fees)
    assert [source.text for source in made.sources[2:]] == [COURT, TEA]
    for citation in made.citations:
        source = made.sources[citation.n - 1]
        assert citation.quote in source.text
        assert (citation.chunk_id, citation.path) == (source.chunk_id, source.path)


def test_headings_and_questions_are_no_answers() -> None:
    text = "# Opening hours\n\nWhat are the opening hours? We open at nine and close at five daily."
    made = extract("What are the opening hours?", passages(text), None)
    assert made.text == "“We open at nine and close at five daily.” [1]"


def test_a_sentence_that_announces_a_list_is_quoted_with_it() -> None:
    text = "The tenant has these three duties:\n- pay the rent\n- keep the garden\n- give notice"
    made = extract("What duties has the tenant?", passages(text), None)
    assert "keep the garden" in made.text


def test_of_a_long_sentence_the_clauses_around_the_answer_are_quoted() -> None:
    filler = ", ".join(f"the committee discussed item number {n} of the agenda" for n in range(20))
    text = f"{filler}, the annual budget was set to 40 million euros, {filler}."
    made = extract("What was the annual budget set to?", passages(text), None)
    assert "40 million euros" in made.text
    assert len(made.text) < 400


def test_of_a_table_the_cell_is_quoted_and_the_row_is_named() -> None:
    rows = "名称: 杭州怡宁医院; 级别: 一级\n名称: 萧山医院; 级别: 三级"
    source = passage(rows, kind=LocatorKind.ROW)
    made = extract("萧山医院的级别是什么？", [source], None)
    assert made.text == "“名称: 萧山医院” “级别: 三级” [1]"
    assert made.citations[0].quote == "级别: 三级"
    start = made.citations[0].locator.start
    assert start is not None
    assert rows[start - OFFSET :].startswith("级别: 三级")


def test_a_row_that_names_no_asked_column_is_quoted_whole() -> None:
    source = passage("name: Harbour Clinic; level: first", kind=LocatorKind.ROW)
    made = extract("Tell me about Harbour Clinic", [source], None)
    assert made.text == "“name: Harbour Clinic; level: first” [1]"


def test_a_chinese_question_finds_its_sentence() -> None:
    text = "本制度适用于全体员工。住宿标准为每晚不超过五百元。餐费每天一百元。"
    made = extract("住宿标准是多少？", passages(text), None)
    assert made.text.startswith("“住宿标准为每晚不超过五百元。” [1]")


def test_passages_without_a_sentence_give_no_extract() -> None:
    assert extract("Why?", passages("12", "?"), None).text == ""
    assert extract("Why?", (), None).citations == ()


def test_a_sentence_is_found_by_the_heading_above_it() -> None:
    text = "三、住宿标准\n\n一线城市每晚不超过550元。\n\n四、报销期限\n\n十五天内提交报销单。"
    made = extract("住宿标准是多少？", passages(text), None)
    assert made.text.startswith("“一线城市每晚不超过550元。” [1]")


def test_instructions_around_a_question_are_not_searched_for() -> None:
    text = "The profit was 40 million euros. Data is not available for the title of a position."
    question = "What was the profit? If data is not available, give the title of a position."
    assert extract(question, passages(text), None).text.startswith("“The profit was")


def test_column_names_and_titles_are_no_answers() -> None:
    rows = "Region | Revenue\nRegion: North; Revenue: 30900"
    made = extract("Which region had revenue?", [passage(rows, kind=LocatorKind.ROW)], None)
    assert made.text == "“Region: North; Revenue: 30900” [1]"
    titled = replace(
        passage("Meeting of 12 May 2024\n\nThe tank leaks."), title="Meeting of 12 May 2024"
    )
    assert "12 May" not in extract("What did the meeting of 12 May say?", [titled], None).text
