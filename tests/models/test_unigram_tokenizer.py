from __future__ import annotations

import io
import unicodedata

import numpy as np
import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from desktop_rag.core import paths
from desktop_rag.models.onnx_model import PIECES
from desktop_rag.models.unigram_tokenizer import SPACE, UNKNOWN, UnigramTokenizer

FILE = paths.resources() / "models" / "multilingual-e5-small" / PIECES
MARKS = ["<s>", "<pad>", "</s>", "<unk>"]
TEXTS = [
    "The board decided to raise the dividend by 4.2 % in 2023, isn’t it?",
    "Der Aufsichtsrat hat beschlossen, die Dividende zu erhöhen.",
    "董事会决定把股息提高百分之四，并于三月十二日公布。",
    "取締役会は配当を４パーセント引き上げた。",
    "이사회는 배당금을 인상하기로 결정했다.",
    "Совет директоров решил повысить дивиденды.",
    "قرر مجلس الإدارة زيادة الأرباح",
    "निदेशक मंडल ने लाभांश बढ़ाने का निर्णय लिया।",
    "คณะกรรมการมีมติเพิ่มเงินปันผล",
    "ﬁrst ﬂoor, №1 and cafe\u0301, a\u00a0b\u3000c",
    "unbekannt: 𒀀𒀁𒀂 end",
    "",
    "   ",
]


def stored(pieces: list[str], scores: list[float]) -> bytes:
    out = io.BytesIO()
    text = np.frombuffer("\n".join(pieces).encode("utf-8"), np.uint8)
    np.savez(out, pieces=text, scores=np.array(scores, np.float32))
    return out.getvalue()


@pytest.fixture(scope="module")
def real() -> UnigramTokenizer:
    return UnigramTokenizer(FILE.read_bytes())


def toy(**scores: float) -> tuple[UnigramTokenizer, list[str]]:
    pieces = [*MARKS, *(piece.replace("_", SPACE) for piece in scores), "<mask>"]
    return UnigramTokenizer(stored(pieces, [0, 0, 0, 0, *scores.values(), 0])), pieces


def test_the_likeliest_pieces_are_taken_not_the_longest() -> None:
    tokenizer, pieces = toy(_ab=-3.0, _a=-2.0, bc=-2.0, c=-9.0, b=-9.0, _=-9.0)
    assert [pieces[at] for at in tokenizer.encode("abc", add_special_tokens=False).ids] == [
        f"{SPACE}a",
        "bc",
    ]


def test_unknown_neighbours_are_one_token_and_marks_in_a_text_are_none() -> None:
    tokenizer, pieces = toy(_a=-2.0, a=-2.0, s=-2.0, _=-9.0)
    found = tokenizer.encode("a xyz a<s>", add_special_tokens=False)
    assert [pieces[at] for at in found.ids] == [
        f"{SPACE}a", SPACE, "<unk>", f"{SPACE}a", "<unk>", "s", "<unk>",
    ]  # fmt: skip
    assert found.offsets == [(0, 1), (2, 2), (2, 5), (6, 7), (7, 8), (8, 9), (9, 10)]


def test_it_cuts_as_the_library_does() -> None:
    with np.load(FILE) as kept:
        pieces = kept["pieces"].tobytes().decode("utf-8").split("\n")[:30_000]
        scores = kept["scores"][:30_000].tolist()
    ours = UnigramTokenizer(stored([*pieces, "<mask>"], [*scores, 0.0]))
    theirs = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), UNKNOWN, False))
    theirs.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Strip()])
    theirs.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    found = [each.ids for each in ours.encode_batch_fast(TEXTS, add_special_tokens=False)]
    assert found == [theirs.encode(text, add_special_tokens=False).ids for text in TEXTS]
    assert sum(map(len, found)) > 100
    assert UNKNOWN in found[10]


def test_characters_are_those_that_sentencepiece_writes(real: UnigramTokenizer) -> None:
    def ids(text: str) -> list[int]:
        return real.encode(text).ids

    assert ids("ＡＢＣ１２３！") == ids("ABC123!")
    assert ids("a\tb\nc\u200bd\x07\x00") == ids("a b c d\x00")
    assert ids("soft  \u3000 spaces ") == ids("soft spaces")
    assert ids("５～６") != ids("5~6"), "the wide tilde stays"
    assert ids("nai\u0308ve") == ids("naïve")


@pytest.mark.parametrize("text", TEXTS)
def test_offsets_lead_back_to_the_text(real: UnigramTokenizer, text: str) -> None:
    with np.load(FILE) as kept:
        pieces = kept["pieces"].tobytes().decode("utf-8").split("\n")
    found = real.encode(text)
    (plain,) = real.encode_batch_fast([text])
    assert plain.ids == found.ids
    assert found.ids[0] == MARKS.index("<s>")
    assert found.ids[-1] == MARKS.index("</s>")
    for at, (begin, end) in zip(found.ids[1:-1], found.offsets[1:-1], strict=True):
        if at != UNKNOWN:
            written = unicodedata.normalize("NFKC", text[begin:end])
            assert pieces[at].removeprefix(SPACE) in written


def test_a_word_that_came_before_is_cut_as_the_first_time(real: UnigramTokenizer) -> None:
    first = real.encode("unbelievable").ids
    real.encode_batch_fast([f"word{n} " * 3 for n in range(300)])
    assert real.encode("unbelievable").ids == first


def test_lone_surrogates_are_unknown(real: UnigramTokenizer) -> None:
    assert UNKNOWN in real.encode("a \ud800 b").ids
