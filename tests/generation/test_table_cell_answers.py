from desktop_rag.generation.table_cell_answers import cells_of, find_cell, identity_share

ROW = "Name: Harbour Clinic; Level: first; Telephone: 0571-8888; Opened: 2004"


def test_a_row_is_read_as_cells_with_their_places() -> None:
    cells = cells_of(ROW)
    assert [(c.name, c.value) for c in cells] == [
        ("Name", "Harbour Clinic"),
        ("Level", "first"),
        ("Telephone", "0571-8888"),
        ("Opened", "2004"),
    ]
    assert [ROW[c.start : c.end] for c in cells][1] == "Level: first"


def test_a_value_may_hold_what_parts_cells() -> None:
    cells = cells_of("Name: A; then B; Time: 10:30")
    assert [c.value for c in cells] == ["A; then B", "10:30"]


def test_the_column_that_a_question_names_answers_it() -> None:
    found = find_cell(ROW, "What is the telephone of Harbour Clinic?")
    assert found is not None
    assert found.answer.value == "0571-8888"
    assert found.identity.value == "Harbour Clinic"


def test_chinese_columns_are_found_inside_the_question() -> None:
    row = "名称: 杭州怡宁医院; 级别: 一级; 级别批准文号: 浙政〔1983〕48号"
    level = find_cell(row, "杭州怡宁医院的级别是什么？")
    assert level is not None
    assert level.answer.value == "一级"
    paper = find_cell(row, "杭州怡宁医院的级别批准文号是什么？")
    assert paper is not None
    assert paper.answer.value == "浙政〔1983〕48号"


def test_a_question_that_names_no_column_finds_no_cell() -> None:
    assert find_cell(ROW, "Who runs Harbour Clinic?") is None
    assert find_cell(ROW, "What is the telephone of the other clinic?") is None
    assert find_cell("2023 | 4.1 | 3.9", "What was it in 2023?") is None


def test_a_row_with_the_very_name_is_told_from_one_with_a_longer_name() -> None:
    asked = "宁波新奥燃气有限公司的地址在哪里？"
    assert identity_share("名称: 宁波新奥燃气有限公司; 地址: 天童南路", asked) > 0.5
    assert identity_share("名称: 宁波新奥燃气有限公司福庆南路站; 地址: 福庆南路", asked) == 0.0
