"""Vectors of a model that is not the built-in one any more answer until there are new ones."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.settings import Settings
from desktop_rag.models.model_loader import BUILT_IN_EMBEDDER, load_embedder
from desktop_rag.models.previous_embedders import PreviousEmbedders
from desktop_rag.models.protocols import LanguageSupport

MINILM = "all-minilm-l6-v2/int8/edaccd6fd7d2"
"""What the catalogs of the versions hold that had it built in."""


@pytest.mark.parametrize("fingerprint", [MINILM, f"{MINILM}+chinese-glosses/v1/0123456789ab"])
def test_a_base_of_the_embedder_of_before_is_asked_by_that(fingerprint: str) -> None:
    before = PreviousEmbedders(Settings())
    assert before.has(fingerprint)
    embedder = before.get(fingerprint)
    assert embedder is before.get(fingerprint), "it is loaded once"
    rent, whales = embedder.embed(["The rent is 1,450 francs.", "Blue whales are very large."])
    asked = embedder.embed_query("What do I pay for the flat?")
    assert asked @ rent > asked @ whales
    assert embedder.trust("多少钱？") is LanguageSupport.NONE


def test_the_vectors_of_the_built_in_one_are_its_own() -> None:
    now = load_embedder(BUILT_IN_EMBEDDER, Settings())
    before = PreviousEmbedders(Settings()).get(now.fingerprint)
    text = ["一份租约。"]
    np.testing.assert_allclose(now.embed(text), before.embed(text), atol=1e-6)


@pytest.mark.parametrize("fingerprint", ["all-minilm-l6-v2/int8/000000000000", "nobody/int8/1"])
def test_other_weights_answer_nothing(fingerprint: str) -> None:
    before = PreviousEmbedders(Settings())
    assert not before.has(fingerprint)
    with pytest.raises(ModelUnavailable):
        before.get(fingerprint)
