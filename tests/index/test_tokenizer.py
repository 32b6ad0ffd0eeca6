from __future__ import annotations

import pytest

from desktop_rag.index.tokenizer import index_text, search_terms


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The running dogs", ["the", "run", "dog"]),
        ("ＦＵＬＬ　ｗｉｄｔｈ ﬁne Straße", ["full", "width", "fine", "strass"]),
        ("v2.1, 3,450 and 7%", ["v2", "1", "3", "450", "and", "7"]),
        ("snake_case don't", ["snake", "case", "don", "t"]),
        ("中国人民", ["中国", "国人", "人民"]),
        ("水", ["水"]),
        ("2023年报告", ["2023", "年报", "报告"]),
        ("データベース", ["デー", "ータ", "タベ", "ベー", "ース"]),
        ("さくら", ["さく", "くら"]),
        ("ﾃﾞｰﾀ", ["デー", "ータ"]),
        ("हिन्दी", ["हिन्दी"]),
        ("", []),
        ("?! +-*/ \"'(){}[]^~:\\ AND OR NOT", ["and", "or", "not"]),
        ("lone \ud800 surrogate", ["lone", "surrog"]),
    ],
)
def test_a_text_becomes_words(text: str, found: list[str]) -> None:
    assert search_terms(text) == found


def test_indexed_text_has_single_characters_beside_the_bigrams() -> None:
    assert index_text("中国人").split() == ["中", "国", "人", "中国", "国人"]
