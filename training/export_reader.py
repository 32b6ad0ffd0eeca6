"""Export the trained pair reader to ONNX: a folder of `resources/models`.

    python -m training.export_reader OUT resources/models/NAME --rank-weight 2 [--weights FOLDER]

FOLDER is all-MiniLM-L6-v2's, whose tokenizer and shape the reader has. One pair is one run: what
int8 says of a pair would else depend on what is read beside it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from training.encoder import BERT_NAMES, LAYERS, WIDTH, Batch, Encoder, PairReader, met
from training.export_embedder import FORMATS, packaged, sha256, write_tokenizer
from training.measure_ranking import trained
from training.token_pairs import TOKENS, PairTokenizer

_PROBES = (
    ("Who directed Devotion?", "Devotion (1929 film)\nDevotion was directed by Guido Brignone."),
    ("Who directed Devotion?", "Guido Brignone\nGuido Brignone was an Italian film director."),
    ("notice period", "Lease agreement\nEither party may end the lease with three months' notice."),
    ("When was the bridge opened?", "Ferries\nThe fleet has 14 ships."),
)
# By the program, dev sets of HotpotQA, 2WikiMultihopQA and MuSiQue: recall@5 of reranked fusion.
MEASURED = {"int8": {"recall@5": {"hotpotqa": 86.9, "2wiki": 72.1, "musique": 58.2}}}
_MOST_OFF = {"fp32": 0.001, "fp16": 0.02, "int8": 1.5}  # of a score: good passages have about 5


class Exported(nn.Module):
    """The reader over the library's own BERT, whose attention ONNX Runtime knows."""

    def __init__(self, reader: PairReader, source: Path) -> None:
        from transformers import BertModel

        super().__init__()
        self.bert = BertModel.from_pretrained(
            source, add_pooling_layer=False, attn_implementation="eager"
        )
        self.bert.load_state_dict(_theirs(reader.encoder), strict=False)
        self.says, self.weight = reader.says, reader.weight
        self.marks, self.tags = reader.marks, reader.tags

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Return what the heads say, in the order of `Said`."""
        told = self.bert(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        )
        states = told.last_hidden_state
        close = met(states, Batch(input_ids, token_type_ids))
        score = self.says(states[:, 0]).squeeze(-1) + self.weight * close
        return score, self.marks(states), self.tags(states[:, 0])


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("trained", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--format", choices=tuple(FORMATS), default="int8")
    asked.add_argument("--weights", type=Path, default=None, help="all-MiniLM-L6-v2's folder")
    asked.add_argument("--rank-weight", type=float, required=True, help="as measured best")
    given = asked.parse_args()
    source = given.weights or packaged()
    ranked = trained(given.trained)
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        single = Path(scratch) / "fp32.onnx"
        export(Exported(ranked.reader, source).eval(), single)
        FORMATS[given.format](single, given.out / "model.onnx")
    write_tokenizer(source / "tokenizer.json", given.out / "tokenizer.json")
    off = compare(ranked.reader, given.out)
    print(f"{given.format}: what is said is off by at most {json.dumps(off)}")
    if max(off.values()) > _MOST_OFF[given.format]:
        raise SystemExit("The export does not say what the trained model says.")
    write_card(given.out, given.format, given.rank_weight)


def export(model: Exported, out: Path) -> None:
    """Write the reader in single precision, with BERT's parts fused into ONNX Runtime's own."""
    from onnxruntime.transformers import optimizer
    from onnxruntime.transformers.fusion_options import FusionOptions

    ids = torch.randint(1000, 20000, (2, 16))
    ids[:, 0] = 101
    ids[:, 5] = ids[:, -1] = 102
    parts = torch.zeros_like(ids)
    parts[:, 6:] = 1
    names = ("input_ids", "attention_mask", "token_type_ids")
    axes: dict[str, Any] = {name: {0: "batch", 1: "length"} for name in names}
    torch.onnx.export(
        model,
        (ids, torch.ones_like(ids), parts),
        str(out),
        input_names=list(names),
        output_names=["score", "marks", "tags"],
        dynamic_axes=axes | {"score": {0: "batch"}, "marks": axes[names[0]], "tags": {0: "batch"}},
        opset_version=17,
        dynamo=False,  # the tracer's graph is the one whose attention the optimizer knows
    )
    # Sum and norm as one step are slower than apart, as the program runs a pair in one thread.
    which = FusionOptions("bert")
    which.enable_skip_layer_norm = which.enable_bias_skip_layer_norm = False
    fused = optimizer.optimize_model(
        str(out),
        model_type="bert",
        num_heads=12,
        hidden_size=WIDTH,
        opt_level=0,
        optimization_options=which,
    )
    fused.save_model_to_file(str(out))


def compare(reader: PairReader, out: Path) -> dict[str, float]:
    """Return by how much each head is off at most over the probes."""
    import onnxruntime

    session = onnxruntime.InferenceSession(str(out / "model.onnx"))
    off = dict.fromkeys(("score", "marks", "tags"), 0.0)
    for cut in PairTokenizer().cut(_PROBES):
        batch = Batch.of([cut], step=1)
        fed = {
            "input_ids": batch.ids.numpy(),
            "attention_mask": np.ones_like(batch.ids.numpy()),
            "token_type_ids": batch.segments.numpy(),
        }
        with torch.no_grad():
            said = reader(batch)
        for name, ours in zip(off, session.run(None, fed), strict=True):
            theirs = getattr(said, name).numpy()
            off[name] = max(off[name], round(float(np.abs(ours - theirs).max()), 4))
    return off


def write_card(out: Path, number_format: str, rank_weight: float) -> None:
    """Write what the program checks and a reader wants to know."""
    files = {
        name: {"sha256": sha256(out / name), "bytes": (out / name).stat().st_size}
        for name in ("model.onnx", "tokenizer.json")
    }
    card = {
        "name": out.name,
        "kind": "reranker",
        "title": "MiniLM-L6 trained to rank, read and mark passages",
        "licence": "Apache-2.0",
        "source": "all-MiniLM-L6-v2 (Apache-2.0), trained on train questions of HotpotQA "
        "(CC BY-SA 4.0), 2WikiMultihopQA (Apache-2.0), MuSiQue (CC BY 4.0), PubMedQA (MIT) and "
        "COVID-QA (Apache-2.0), and on questions made up from their passages",
        "made": "training/ranking_groups.py, train.py, average.py, "
        f"export_reader.py --format {number_format}",
        "number_format": number_format,
        "dimensions": 1,
        "max_tokens": TOKENS,
        "rank_weight": round(rank_weight, 4),
        "scripts": ["latin"],
        "languages": ["en"],
        "files": files,
        "quality": MEASURED.get(number_format, {}),
    }
    (out / "card.json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")


def _theirs(encoder: Encoder) -> dict[str, torch.Tensor]:
    """Return the encoder's weights under BERT's names."""
    ours = encoder.state_dict()
    made = {
        "embeddings.word_embeddings.weight": ours["words.weight"],
        "embeddings.position_embeddings.weight": ours["places.weight"],
        "embeddings.token_type_embeddings.weight": ours["segments.weight"],
        "embeddings.LayerNorm.weight": ours["norm.weight"],
        "embeddings.LayerNorm.bias": ours["norm.bias"],
    }
    for at in range(LAYERS):
        for part in ("weight", "bias"):
            split = ours[f"layers.{at}.qkv.{part}"].split(WIDTH)
            for name, each in zip(("query", "key", "value"), split, strict=True):
                made[f"encoder.layer.{at}.attention.self.{name}.{part}"] = each
            for our, name in BERT_NAMES.items():
                made[f"encoder.layer.{at}.{name}.{part}"] = ours[f"layers.{at}.{our}.{part}"]
    return made


if __name__ == "__main__":
    main()
