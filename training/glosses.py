"""Make the vectors of Chinese words: `resources/models/chinese-glosses`.

    python -m training.glosses CEDICT DATA resources/models/chinese-glosses

CEDICT is CC-CEDICT's text (`cedict_1_0_ts_utf-8_mdbg.txt.gz`), DATA the folder with the question
sets, of which DRCD's passages tell how often a word is met. No torch is needed: the built-in
embedder reads each word's English explanation, and what it makes of them is kept in 8 bits.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from desktop_rag.core.paths import resources
from desktop_rag.models.chinese_segmenter import LONGEST_WORD, Segmenter, word_hash
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from training import question_sets

DIMENSIONS = 192
MEASURED = {
    "measure": "recall@5 in percent of the program's two stages, in brackets BM25's; by hand: "
    "questions that share no words with their passage",
    "cmrc2018_dev, the first 300": "99.7 (99.3)",
    "cmrc2018_dev, 100 by hand": "40.0 (0.0)",
    "drcd_dev, the first 300": "96.3 (96.3)",
    "drcd_dev, 60 by hand": "36.7 (0.0)",
    "drcd_test, the first 300": "99.3 (98.0)",
    "scifact_train, 60 claims in Chinese on English passages": "40.0 (35.8)",
}
_HAN = r"[\u3400-\u9fff\uf900-\ufaff]+"
_LINE = re.compile(r"(\S+) (\S+) \[(.*?)\] /(.*)/$")
_REFERENCE = re.compile(
    r"(CL:|see |see also|old variant|variant of|Taiwan pr|also written|also pr|used in|surname )"
)
_SHORT_FOR = re.compile(r"abbr\. for \S+\[.*?\],? ?(.*)")
_CHINESE = re.compile(r"\S*\|?\S*\[[^\]]*\]")  # a word in an explanation, and how it is spoken
_REMARK = re.compile(
    r"\((?:fig|lit|idiom|coll|Tw|dialect|loanword|archaic|literary|bound form|old|slang|onom)"
    r"[^)]*\)"
)
_SENSES, _LETTERS = 5, 160
_RARE = 5e-4  # of Arora et al.: a word of this frequency weighs half
_UNSEEN = -14.0  # the logarithm of how often a word comes that was never met


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its explanation, and how often it was met."""

    text: str
    gloss: str
    count: int


def glosses(cedict: str) -> dict[str, str]:
    """Return each word's explanation, in traditional and in simplified letters."""
    found: dict[str, list[tuple[bool, list[str]]]] = defaultdict(list)
    for line in cedict.splitlines():
        if match := _LINE.match(line):
            traditional, simplified, spoken, told = match.groups()
            senses = list(_senses(told))
            for word in {traditional, simplified}:
                if senses and len(word) <= LONGEST_WORD and re.fullmatch(_HAN, word):
                    found[word].append((spoken[:1].isupper(), senses))
    return {word: _joined(entries) for word, entries in found.items()}


def _senses(told: str) -> Iterator[str]:
    for raw in told.split("/"):
        short = _SHORT_FOR.match(raw)
        sense = short[1] if short else raw
        if not _REFERENCE.match(sense):
            plain = _REMARK.sub("", _CHINESE.sub("", sense))
            if plain := " ".join(plain.split()).strip(" ;,"):
                yield plain


def _joined(entries: list[tuple[bool, list[str]]]) -> str:
    """Join the senses; those of a name come last."""
    ordered = [sense for _, senses in sorted(entries, key=lambda each: each[0]) for sense in senses]
    return "; ".join(ordered[:_SENSES])[:_LETTERS]


def words(explained: dict[str, str], texts: list[str]) -> list[Word]:
    """Count the words in texts, each cut into the likeliest ones: twice, as the counts tell how.

    They come in the order of their hashes.
    """
    known = sorted((Word(text, gloss, 0) for text, gloss in explained.items()), key=_hash)
    for _ in range(2):
        segmenter = Segmenter(*spelled(known))
        counts = Counter(place for text in texts for place in segmenter.cut(text))
        known = [replace(word, count=counts[place]) for place, word in enumerate(known)]
    return known


def spelled(known: list[Word]) -> tuple[np.ndarray, np.ndarray]:
    """Return the hashes of words, which must all differ, and the logarithms of their shares."""
    total = sum(each.count for each in known) or 1
    keys = np.array([_hash(each) for each in known], np.uint64)
    if not (keys[1:] > keys[:-1]).all():
        raise ValueError("two words have one hash")
    scores = [math.log(each.count / total) if each.count else _UNSEEN for each in known]
    return keys, np.array(scores, np.float32)


def _hash(word: Word) -> int:
    return word_hash(word.text)


def main() -> None:
    """Make the vectors and write them with their card."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("cedict", type=Path)
    asked.add_argument("data", type=Path)
    asked.add_argument("out", type=Path)
    given = asked.parse_args()
    raw = given.cedict.read_bytes()
    explained = glosses(gzip.decompress(raw).decode("utf-8"))
    known = words(explained, passages(given.data))
    print(f"{len(known)} words, {sum(each.count > 0 for each in known)} of them met", flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "words.npz").write_bytes(packed(known, read(known)))
    write_card(given.out, hashlib.sha256(raw).hexdigest())


def passages(data: Path) -> list[str]:
    """Return Chinese texts that may be trained on."""
    names = ("drcd_dev", "drcd_test")
    return [each.read for name in names for each in question_sets.corpus(data, name).values()]


def read(known: list[Word]) -> dict[str, np.ndarray]:
    """Return what the built-in embedder makes of each explanation."""
    embedder = OnnxEmbedder(resources() / "models" / "all-minilm-l6-v2")
    texts = sorted({each.gloss for each in known}, key=lambda text: (len(text), text))
    made: dict[str, np.ndarray] = {}
    for start in range(0, len(texts), 4096):
        some = texts[start : start + 4096]
        made |= dict(zip(some, embedder.embed(some), strict=True))
        print(f"{len(made)} of {len(texts)} explanations", flush=True)
    return made


def packed(known: list[Word], vectors: dict[str, np.ndarray]) -> bytes:
    """Return the file that the program loads: each row less the mean, in 8 bits, turned.

    They are turned to where they spread most, and half of the numbers left out; `spread`
    turns them back. A word's weight is `a / (a + frequency)`.
    """
    places = {gloss: row for row, gloss in enumerate(vectors)}
    matrix = np.stack(list(vectors.values()))
    rows = np.array([places[each.gloss] for each in known], np.int32)
    total = sum(each.count for each in known)
    often = np.array([max(each.count, 0.5) / total for each in known], np.float32)
    matrix -= np.average(matrix[rows], axis=0, weights=often)
    basis = np.linalg.eigh(matrix.T @ matrix)[1][:, -DIMENSIONS:].astype(np.float32)
    turned = matrix @ basis
    scale = np.abs(turned).max(axis=0) / 127.0
    out = io.BytesIO()
    keys, scores = spelled(known)
    np.savez(
        out,
        keys=keys,
        scores=scores,
        rows=rows,
        weights=(_RARE / (_RARE + often)).astype(np.float32),
        numbers=np.rint(turned / scale).astype(np.int8),
        spread=(scale[:, None] * basis.T).astype(np.float32),
    )
    return out.getvalue()


def write_card(out: Path, cedict: str) -> None:
    """Write where it comes from, and what its files are."""
    said = {
        "name": out.name,
        "kind": "glosses",
        "title": "Chinese words by their English explanations",
        "licence": "CC-BY-SA-4.0",
        "source": f"CC-CEDICT (cc-cedict.org), sha256 {cedict}, read by all-minilm-l6-v2",
        "made": "training/glosses.py",
        "number_format": "int8",
        "dimensions": 384,
        "max_tokens": 0,
        "scripts": ["cjk"],
        "files": {name: _facts(out / name) for name in ("words.npz",)},
        "quality": MEASURED,
    }
    (out / "card.json").write_text(f"{json.dumps(said, indent=2)}\n", "utf-8")


def _facts(path: Path) -> dict[str, str | int]:
    raw = path.read_bytes()
    return {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}


if __name__ == "__main__":
    main()
