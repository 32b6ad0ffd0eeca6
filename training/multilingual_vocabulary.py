"""The pieces of multilingual-e5-small that the built-in embedder keeps.

Kept are all pieces without letters, all single characters of `SCRIPTS`, and all of the scripts
that are written without spaces or in one language. Of the others, those that count most: by their
scores, and by how often they come in the commonest words of forty languages (wordfreq).
"""

from __future__ import annotations

import io
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from desktop_rag.models.unigram_tokenizer import BEGIN, END, PAD, SPACE, UNKNOWN
from training.e5_weights import E5Weights

SCRIPTS = {
    "LATIN": "latin",
    "CJK": "han",
    "IDEOGRAPHIC": "han",
    "BOPOMOFO": "han",
    "HIRAGANA": "kana",
    "KATAKANA": "kana",
    "KATAKANA-HIRAGANA": "kana",
    "HANGUL": "hangul",
    "CYRILLIC": "cyrillic",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "ARABIC-INDIC": "arabic",
    "EXTENDED": "arabic",
    "HEBREW": "hebrew",
    "THAI": "thai",
    "DEVANAGARI": "devanagari",
}
"""What Unicode's names of characters begin with, and the script."""

WHOLE = frozenset({"han", "kana", "hangul", "thai"})
_ANY = frozenset({"COMBINING", "MODIFIER", "VARIATION"})  # marks that any script takes
_OTHER = "other"
_LISTED_WORDS = 50_000
_FORMS = ((str, 0.7), (str.title, 0.25), (str.upper, 0.05))  # the lists know small letters alone
_WEIGHTS = {"en": 1.0} | dict.fromkeys(("de", "es", "fr", "it", "pt", "ru"), 0.5)
_ANOTHER_WEIGHT = 0.2
"""What the words of a language count beside the scores, which come from a hundred languages."""

Shares = NDArray[np.float64]


@cache
def script(character: str) -> str | None:
    """Return a character's script; None for figures, signs and marks that any script takes."""
    category = unicodedata.category(character)
    if category[0] not in "LM" and (category != "Nd" or character.isascii()):
        return None
    name = unicodedata.name(character, "").partition(" ")[0]
    return None if name in _ANY else SCRIPTS.get(name, _OTHER)


def scripts(piece: str) -> frozenset[str]:
    """Return the scripts of a piece's letters."""
    return frozenset(found for found in map(script, piece) if found is not None)


def counts_by_script(pieces: Sequence[str]) -> Counter[str]:
    """Return how many pieces each script has; `none` those without a letter."""
    return Counter("+".join(sorted(scripts(piece))) or "none" for piece in pieces)


def word_pieces(weights: E5Weights) -> dict[str, Shares]:
    """Return, by language, the share that each piece has of the tokens of its commonest words."""
    import wordfreq

    tokenizer = sentencepiece_of(weights, range(len(weights.pieces)))
    found = {}
    for language in wordfreq.available_languages("best"):
        listed = wordfreq.get_frequency_dict(language, "best")
        words = sorted(listed, key=lambda word: -listed[word])[:_LISTED_WORDS]
        often = np.array([listed[word] for word in words])
        used = np.zeros(len(weights.pieces))
        for form, share in _FORMS:
            cut = tokenizer.encode([form(word) for word in words])
            lengths = [len(pieces) for pieces in cut]
            np.add.at(used, np.concatenate(cut).astype(int), np.repeat(often * share, lengths))
        found[language] = used / used.sum()
    return found


def kept_pieces(weights: E5Weights, used: dict[str, Shares], size: int) -> list[int]:
    """Return the numbers of `size` pieces, ascending: the marks among them."""
    known = frozenset(SCRIPTS.values())
    of = [scripts(piece) for piece in weights.pieces]
    fixed = {BEGIN, PAD, END, UNKNOWN, len(of) - 1} | {
        at
        for at, (piece, its) in enumerate(zip(weights.pieces, of, strict=True))
        if its <= WHOLE or (its <= known and len(piece.removeprefix(SPACE)) == 1)
    }
    worth = np.exp(weights.scores.astype(np.float64))
    for language, shares in used.items():
        worth += _WEIGHTS.get(language, _ANOTHER_WEIGHT) * shares
    others = [at for at, its in enumerate(of) if at not in fixed and its <= known]
    others.sort(key=lambda at: -worth[at])
    return sorted([*fixed, *others[: size - len(fixed)]])


def lost_shares(used: dict[str, Shares], kept: Sequence[int]) -> dict[str, float]:
    """Return, by language, how many of its words' tokens are cut into others, in percent."""
    return {
        language: round(100 * (1 - float(shares[kept].sum())), 1)
        for language, shares in used.items()
    }


def sentencepiece_of(weights: E5Weights, kept: Sequence[int]) -> Any:
    """Return sentencepiece's own tokenizer of some pieces, which are numbered in their order."""
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2 as formats

    model = formats.ModelProto()
    model.trainer_spec.model_type = formats.TrainerSpec.UNIGRAM
    model.trainer_spec.bos_id, model.trainer_spec.pad_id = BEGIN, PAD
    model.trainer_spec.eos_id, model.trainer_spec.unk_id = END, UNKNOWN
    model.normalizer_spec.precompiled_charsmap = _character_map()
    kinds = formats.ModelProto.SentencePiece
    special = dict.fromkeys((BEGIN, PAD, END, len(kept) - 1), kinds.CONTROL)
    special[UNKNOWN] = kinds.UNKNOWN
    for number, at in enumerate(kept):
        model.pieces.add(
            piece=weights.pieces[at],
            score=float(weights.scores[at]),
            type=special.get(number, kinds.NORMAL),
        )
    return sentencepiece.SentencePieceProcessor(model_proto=model.SerializeToString())


@cache
def _character_map() -> bytes:
    """Return sentencepiece's own rules `nmt_nfkc`, which the model was trained behind.

    They are in any model that it trains with them.
    """
    import sentencepiece
    from sentencepiece import sentencepiece_model_pb2 as formats

    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["abcdefgh ijklmnop qrstuvwxyz"] * 100),
        model_writer=out,
        vocab_size=40,
        hard_vocab_limit=False,
        normalization_rule_name="nmt_nfkc",
        minloglevel=2,
    )
    model = formats.ModelProto.FromString(out.getvalue())
    charsmap: bytes = model.normalizer_spec.precompiled_charsmap
    return charsmap


def stored_pieces(weights: E5Weights, kept: Sequence[int]) -> bytes:
    """Return some pieces and their scores as the program's tokenizer reads them."""
    out = io.BytesIO()
    text = "\n".join(weights.pieces[at] for at in kept)
    np.savez_compressed(
        out, pieces=np.frombuffer(text.encode("utf-8"), np.uint8), scores=weights.scores[kept]
    )
    return out.getvalue()
