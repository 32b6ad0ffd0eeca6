"""multilingual-e5-small as an ONNX graph of ONNX Runtime's own operators, built without torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.e5_weights import BLOCK, E5Weights, FourBits

_MICROSOFT = "com.microsoft"  # the domain of ONNX Runtime's own operators


class _Graph:
    """Collects a graph's nodes and weights."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def weight(self, name: str, values: NDArray[Any]) -> str:
        """Add an array, and return its name."""
        from onnx import numpy_helper

        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind: str, given: Sequence[str], *made: str, **more: Any) -> str:
        """Add a node, and return the name of the first thing that it makes."""
        from onnx import helper

        self.nodes.append(helper.make_node(kind, given, made, name=made[0], **more))
        return made[0]


def write_encoder(weights: E5Weights, layers: Sequence[int], table: FourBits, out: Path) -> None:
    """Write the encoder: token numbers and mask in, the last layer's states out."""
    import onnx
    from onnx import TensorProto, helper
    from onnxruntime.quantization import QuantType, quantize_dynamic

    graph = _Graph()
    states = _embedded(graph, weights, table)
    graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    graph.weight("thirds", np.full(3, weights.hidden))
    for layer in layers:
        states = _layer(graph, weights, layer, states)
    graph.node("Identity", [states], "states")
    axes = ["batch", "length"]
    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64, axes)
        for name in ("input_ids", "attention_mask")
    ]
    made = helper.make_tensor_value_info("states", TensorProto.FLOAT, [*axes, weights.hidden])
    model = helper.make_model(
        helper.make_graph(graph.nodes, "encoder", given, [made], graph.weights),
        opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(_MICROSOFT, 1)],
        ir_version=10,
    )
    onnx.save(model, out)
    quantize_dynamic(
        out,
        out,
        op_types_to_quantize=["MatMul"],
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )


def _embedded(graph: _Graph, weights: E5Weights, table: FourBits) -> str:
    """Add what turns token numbers into the first layer's states."""
    from onnx import TensorProto, helper

    low = (table.signed() & 15).astype(np.uint8)
    packed = (low[:, 0::2] | low[:, 1::2] << 4).tobytes()
    graph.weights.append(helper.make_tensor("table", TensorProto.INT4, low.shape, packed, raw=True))
    found = graph.node(
        "GatherBlockQuantized",
        ["table", "input_ids", graph.weight("scales", table.scales)],
        "found",
        domain=_MICROSOFT,
        gather_axis=0,
        quantize_axis=1,
        block_size=BLOCK,
    )
    graph.node("Cast", [found], "embedded", to=TensorProto.FLOAT)
    graph.weight("first", np.zeros(1, np.int64))
    graph.node("Shape", ["input_ids"], "length", start=1, end=2)
    places = graph.weight("positions", weights.positions_and_type())
    graph.node("Slice", [places, "first", "length", "first"], "placed")
    return _normed(graph, weights, "emb.ln", graph.node("Add", ["embedded", "placed"], "input"))


def _normed(graph: _Graph, weights: E5Weights, name: str, states: str) -> str:
    scale, shift = (
        graph.weight(f"{name}.{part}", weights.single(f"{name}.{part}")) for part in "wb"
    )
    return graph.node(
        "LayerNormalization",
        [states, scale, shift],
        f"{name}.out",
        axis=-1,
        epsilon=weights.epsilon,
    )


def _layer(graph: _Graph, weights: E5Weights, layer: int, states: str) -> str:
    """Add a layer, and return its states' name. The three products before attention are one."""
    name, size = f"l{layer}", weights.hidden
    heads = [f"{name}.{part}" for part in "qkv"]
    matrix = np.concatenate([weights.matrix(f"{head}.w", size) for head in heads])
    graph.node("MatMul", [states, graph.weight(f"{name}.qkv.w", matrix.T)], f"{name}.qkv")
    graph.node("Split", [f"{name}.qkv", "thirds"], *heads, axis=2)
    shift = np.concatenate([weights.single(f"{head}.b") for head in heads])
    seen = graph.node(
        "MultiHeadAttention",
        [*heads, graph.weight(f"{name}.qkv.b", shift), "mask"],
        f"{name}.seen",
        domain=_MICROSOFT,
        num_heads=weights.heads,
    )
    added = graph.node("Add", [_product(graph, weights, f"{name}.ao", seen), states], f"{name}.a")
    read = _normed(graph, weights, f"{name}.aln", added)
    product, shift_name = _bare_product(graph, weights, f"{name}.fi", read)
    wide = graph.node("BiasGelu", [product, shift_name], f"{name}.wide", domain=_MICROSOFT)
    added = graph.node("Add", [_product(graph, weights, f"{name}.fo", wide), read], f"{name}.b")
    return _normed(graph, weights, f"{name}.oln", added)


def _bare_product(graph: _Graph, weights: E5Weights, name: str, states: str) -> tuple[str, str]:
    """Add the product with a matrix; return its name, and that of what is to be added to it."""
    columns = weights.inner if name.endswith(".fo") else weights.hidden
    matrix = graph.weight(f"{name}.w", weights.matrix(f"{name}.w", columns).T)
    shift = graph.weight(f"{name}.b", weights.single(f"{name}.b"))
    return graph.node("MatMul", [states, matrix], f"{name}.product"), shift


def _product(graph: _Graph, weights: E5Weights, name: str, states: str) -> str:
    return graph.node("Add", _bare_product(graph, weights, name, states), f"{name}.out")
