"""Chinese text is cut as a unigram tokenizer of the same words cuts it."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

from desktop_rag.models.chinese_segmenter import LONGEST_WORD, Segmenter, word_hash

WORDS = {
    "研究": 50,
    "研究生": 20,
    "生命": 30,
    "命": 5,
    "的": 900,
    "起源": 12,
    "中华人民共和国": 3,
    "人民": 40,
    "共和国": 9,
    "生": 7,
    "源": 4,
}
TEXTS = [
    "研究生命的起源",
    "中华人民共和国的研究生，中华人民",
    "起源：research 研究 2023生命。",
    "𠀀研究㐀生命",
    "的" * 300,
    "no Chinese at all",
    "",
]


def segmenter(words: dict[str, int]) -> tuple[Segmenter, list[str]]:
    ordered = sorted(words, key=word_hash)
    total = sum(words.values())
    scores = np.array([math.log(words[word] / total) for word in ordered], np.float32)
    return Segmenter(np.array([*map(word_hash, ordered)], np.uint64), scores), ordered


def cut(words: dict[str, int], text: str) -> list[str]:
    made, ordered = segmenter(words)
    return [ordered[place] for place in made.cut(text)]


def reference(words: dict[str, int], texts: Sequence[str]) -> list[list[str]]:
    """Cut by the library's own unigram model."""
    total = sum(words.values())
    pieces = [("<unk>", -28.0), *((w, math.log(n / total)) for w, n in words.items())]
    made = Tokenizer(models.Unigram(pieces, unk_id=0))
    han = Regex(r"[\u3400-\u9fff\uf900-\ufaff]+")
    made.pre_tokenizer = pre_tokenizers.Split(han, behavior="removed", invert=True)
    encoded = made.encode_batch(list(texts))
    return [[t for t, i in zip(e.tokens, e.ids, strict=True) if i] for e in encoded]


def test_it_cuts_as_a_unigram_tokenizer_does() -> None:
    assert [cut(WORDS, text) for text in TEXTS] == reference(WORDS, TEXTS)
    assert cut(WORDS, TEXTS[0]) == ["研究", "生命", "的", "起源"]


def test_real_passages_are_cut_alike(shared: Path) -> None:
    with gzip.open(shared / "data/singlehop/drcd_dev/corpus.jsonl.gz", "rt") as lines:
        texts = [json.loads(line)["text"] for line, _ in zip(lines, range(60), strict=False)]
    words = {word: n for n, word in enumerate(sorted(set(_stretches(texts[:20]))), start=1)}
    assert [cut(words, text) for text in texts[:5]] == reference(words, texts[:5])


def _stretches(texts: Sequence[str]) -> list[str]:
    return [
        stretch
        for text in texts
        for length in (1, 2, 3)
        for start in range(0, len(text) - length, 3)
        if (stretch := text[start : start + length])
        and all("\u4e00" <= character <= "\u9fff" for character in stretch)
    ]


@pytest.mark.parametrize("word", ["一", "中华人民共和国", "𠀀"])
def test_a_word_has_the_hash_of_its_place_in_a_text(word: str) -> None:
    assert cut({word: 1}, f"x{word}，{word}") == [word, word]
    assert len(word) <= LONGEST_WORD
