"""multilingual-e5-small in NumPy and single precision: what the exported graph is compared with."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from training.e5_weights import E5Weights, Numbers


def reference_vectors(
    weights: E5Weights, layers: Sequence[int], texts: list[list[int]]
) -> list[Numbers]:
    """Return the texts' vectors, of token numbers of the whole vocabulary, in single precision."""
    table, places = weights.table(), weights.positions_and_type()
    states = [table.rows(ids).single() + places[: len(ids)] for ids in texts]
    states = [_layer_norm(weights, "emb.ln", each) for each in states]
    for layer in layers:
        states = _after_layer(weights, f"l{layer}", states)
    return [unit_mean(each) for each in states]


def _after_layer(weights: E5Weights, name: str, states: list[Numbers]) -> list[Numbers]:
    size, inner = weights.hidden, weights.inner
    parts = ("q", size), ("k", size), ("v", size), ("ao", size), ("fi", size), ("fo", inner)
    matrices = {part: weights.matrix(f"{name}.{part}.w", columns) for part, columns in parts}

    def product(part: str, given: Numbers) -> Numbers:
        return given @ matrices[part].T + weights.single(f"{name}.{part}.b")

    def apart(given: Numbers) -> Numbers:
        return given.reshape(len(given), weights.heads, -1).transpose(1, 0, 2)

    found = []
    for each in states:
        asked, told, meant = (apart(product(part, each)) for part in "qkv")
        fits = asked @ told.transpose(0, 2, 1) / math.sqrt(asked.shape[2])
        shares = np.exp(fits - fits.max(axis=2, keepdims=True))
        seen = (shares / shares.sum(axis=2, keepdims=True)) @ meant
        joined = product("ao", seen.transpose(1, 0, 2).reshape(each.shape))
        read = _layer_norm(weights, f"{name}.aln", joined + each)
        wide = _gelu(product("fi", read))
        found.append(_layer_norm(weights, f"{name}.oln", product("fo", wide) + read))
    return found


def _layer_norm(weights: E5Weights, name: str, states: Numbers) -> Numbers:
    mean = states.mean(axis=1, keepdims=True)
    spread = np.sqrt(states.var(axis=1, keepdims=True) + weights.epsilon)
    normed: Numbers = (states - mean) / spread
    return normed * weights.single(f"{name}.w") + weights.single(f"{name}.b")


def _gelu(states: Numbers) -> Numbers:
    erf = np.vectorize(math.erf, otypes=[np.float32])
    gelu: Numbers = states * 0.5 * (1 + erf(states / math.sqrt(2)))
    return gelu


def unit_mean(states: Numbers) -> Numbers:
    """Return the mean of a text's states, scaled to length one."""
    mean = states.mean(axis=0)
    unit: Numbers = mean / np.linalg.norm(mean)
    return unit
