"""Models of sentence-transformers, made here with weights by chance; skipped without the extra.

With it they run: `pip install -c constraints.txt -e .[test,sentence-transformers]`.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core import paths
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import ListingRow, Notice
from desktop_rag.core.requests import DescribeRequest, IndexRequest, SearchRequest
from desktop_rag.core.settings import Models, Retrieval, Settings
from desktop_rag.models.model_loader import load_embedder, load_rerankers
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.previous_embedders import PreviousEmbedders
from desktop_rag.models.sentence_transformer import SentenceTransformerReranker

pytest.importorskip("sentence_transformers", reason="the extra is not installed")
transformers = pytest.importorskip("transformers", reason="the extra is not installed")
torch = pytest.importorskip("torch", reason="the extra is not installed")

TEXTS = [
    "The rent is 1,450 francs.",
    "Blue whales are the largest animals.",
    "A note that says very little.",
]


def bert(folder: Path, kind: str, *, safe: bool = True, **more: object) -> Path:
    """Write a very small BERT with the built-in model's tokenizer."""
    words = str(paths.resources() / "models" / "all-minilm-l6-v2" / "tokenizer.json")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=words, pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        unk_token="[UNK]", mask_token="[MASK]", model_max_length=128,
    )  # fmt: skip
    torch.manual_seed(7)
    config = transformers.BertConfig(
        vocab_size=30522, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=128, **more,
    )  # fmt: skip
    model = getattr(transformers, kind)(config)
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    if not safe:
        (folder / "model.safetensors").unlink()
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    return folder


def test_a_bi_encoder_embeds_by_its_folder(tmp_path: Path) -> None:
    folder = bert(tmp_path / "bi", "BertModel")
    embedder = load_embedder(str(folder), Settings())
    assert (embedder.dimensions, embedder.max_tokens) == (16, 128)
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (3, 16)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    alone = embedder.embed(TEXTS[1:2])[0]
    assert alone == pytest.approx(vectors[1], abs=1e-5), "nothing depends on what is beside it"
    assert PreviousEmbedders(Settings()).has(embedder.fingerprint), (
        "it is found again by its vectors"
    )


def test_a_cross_encoder_reranks_by_its_folder(tmp_path: Path, embedder: OnnxEmbedder) -> None:
    folder = bert(tmp_path / "cross", "BertForSequenceClassification", num_labels=1)
    (reranker,) = load_rerankers(str(folder), Settings(), embedder)
    assert isinstance(reranker, SentenceTransformerReranker)
    scores = reranker.score("How high is the rent?", TEXTS)
    assert len(set(scores)) == 3
    alone = [reranker.score("How high is the rent?", [text])[0] for text in TEXTS]
    assert alone == pytest.approx(scores, abs=1e-5)


def test_a_classifier_of_several_kinds_is_no_reranker(tmp_path: Path) -> None:
    folder = bert(tmp_path / "kinds", "BertForSequenceClassification", num_labels=3)
    with pytest.raises(ModelUnavailable, match="3 scores"):
        SentenceTransformerReranker(str(folder)).score("a", ["b"])


def test_pickled_weights_are_refused_unread(tmp_path: Path) -> None:
    folder = bert(tmp_path / "pickled", "BertModel", safe=False)
    with pytest.raises(ModelUnavailable, match="no safetensors"):
        load_embedder(str(folder), Settings())


@pytest.mark.parametrize("way", ["config", "own.Model", "evil/repo--own.Model", "broken"])
def test_code_that_comes_with_a_model_is_not_run(
    tmp_path: Path, only_loopback: list[str], way: str
) -> None:
    folder = bert(tmp_path / "own", "BertModel")
    if way == "config":
        config = json.loads((folder / "config.json").read_text("utf-8"))
        config["auto_map"] = {"AutoModel": "own.Model", "AutoConfig": "own.Config"}
        config["model_type"] = "own"
        (folder / "config.json").write_text(json.dumps(config), "utf-8")
    else:
        parts = [{"idx": 0, "name": "0", "path": "", "type": way}] if way != "broken" else {"a": 1}
        (folder / "modules.json").write_text(json.dumps(parts), "utf-8")
    ran = tmp_path / "ran"
    (folder / "own.py").write_text(f"open({str(ran)!r}, 'w')\n", "utf-8")
    with pytest.raises(ModelUnavailable, match=r"cannot be loaded|code of its own"):
        load_embedder(str(folder), Settings())
    assert not ran.exists()
    assert only_loopback == []


def test_threads_may_count_and_embed_at_the_same_time(tmp_path: Path) -> None:
    embedder = load_embedder(str(bert(tmp_path / "bi", "BertModel")), Settings())
    texts = [" ".join(["word"] * (5 + 3 * at)) for at in range(60)]  # some are too long for it
    wanted, counts = embedder.embed(texts), embedder.count_tokens(texts)
    assert max(counts) > embedder.max_tokens
    with ThreadPoolExecutor(4) as pool:
        others = [pool.submit(embedder.count_tokens, texts) for _ in range(100)]
        made = [pool.submit(embedder.embed, texts) for _ in range(6)]
        asked = [pool.submit(embedder.embed_query, texts[-1]) for _ in range(60)]
        assert all(each.result() == counts for each in others)
        assert all(np.allclose(each.result(), wanted, atol=1e-5) for each in made)
        assert all(np.allclose(each.result(), wanted[-1], atol=1e-5) for each in asked)


def test_a_model_that_fails_in_its_work_costs_its_stage(tmp_path: Path) -> None:
    folder = bert(tmp_path / "cross", "BertForSequenceClassification", num_labels=1)
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        if (folder / name).exists():
            said = json.loads((folder / name).read_text("utf-8"))
            said.pop("pad_token", None)
            (folder / name).write_text(json.dumps(said), "utf-8")
    reranker = SentenceTransformerReranker(str(folder))
    with pytest.raises(ModelUnavailable):
        reranker.score("a question", ["a", "a passage that is longer"])


@pytest.mark.parametrize("harm", ["cut", "text"])
def test_a_damaged_reranker_costs_its_stage_and_is_told_of(tmp_path: Path, harm: str) -> None:
    folder = bert(tmp_path / "cross", "BertForSequenceClassification", num_labels=1)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:5000] if harm == "cut" else b"not weights")
    (tmp_path / "docs").mkdir()
    for at, text in enumerate(TEXTS):
        (tmp_path / "docs" / f"{at}.txt").write_text(text)
    settings = replace(Settings(), retrieval=Retrieval(reranker=str(folder)))
    space = open_workspace(tmp_path / "home", settings)
    list(perform(space, IndexRequest("default", (str(tmp_path / "docs"),)), CancelToken()))
    events = list(perform(space, SearchRequest(("default",), "rent in francs"), CancelToken()))
    space.close()
    (notice,) = [event.text for event in events if isinstance(event, Notice)]
    assert "cannot be loaded" in notice
    rows = [event.values for event in events if isinstance(event, ListingRow)]
    assert rows[0]["text"] == TEXTS[0]
    assert {row["rerank_score"] for row in rows} == {None}


def test_a_folder_of_documents_goes_through_both(tmp_path: Path) -> None:
    bi = bert(tmp_path / "bi", "BertModel")
    cross = bert(tmp_path / "cross", "BertForSequenceClassification", num_labels=1)
    (tmp_path / "docs").mkdir()
    for at, text in enumerate(TEXTS):
        (tmp_path / "docs" / f"{at}.txt").write_text(text)
    settings = replace(
        Settings(), models=Models(embedder=str(bi)), retrieval=Retrieval(reranker=str(cross))
    )
    space = open_workspace(tmp_path / "home", settings)
    list(perform(space, IndexRequest("default", (str(tmp_path / "docs"),)), CancelToken()))
    events = list(perform(space, SearchRequest(("default",), "rent in francs"), CancelToken()))
    rows = [event.values for event in events if isinstance(event, ListingRow)]
    assert len(rows) == 3
    assert all(row["dense_rank"] and row["rerank_score"] is not None for row in rows)
    listed = list(perform(space, DescribeRequest("models"), CancelToken()))
    extra = [each.values for each in listed if isinstance(each, ListingRow)]
    assert {row["kind"] for row in extra if "sentence-transformers" in row["name"]} == {
        "embedder",
        "reranker",
    }
    space.close()
