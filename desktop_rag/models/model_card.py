"""A built-in model's card: where it comes from, what its files must be, what it was measured at."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.phrases import Phrase

_TOKENIZER = "tokenizer.json"
BIAS = "language_bias.npz"
"""The file of a `LanguageBias`, which a multilingual embedder may have."""
TABLE = "embeddings.npy"
"""The file of an `EmbeddingTable`, which a model has whose encoder is fed embeddings."""
_REMEDY = "Install Desktop RAG again, or take the model's folder from another installation."


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """What speaks for an answer, in the sum of a logistic model.

    `words` is what the share in [0, 1] of a question's words counts that a passage holds, `cosine`
    what the best passage's cosine counts, `chunks` what each tenfold number of chunks counts that
    were looked through: among many something looks alike by chance. `lead` is what it counts by how
    much that cosine is above those of chunks that were found far behind.
    """

    words: float
    cosine: float
    chunks: float
    constant: float
    lead: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What `card.json` in a model's folder says; `files` maps a name to its sha256.

    `kind` is `embedder`, `reranker`, or `text recognition` for what reads lines on a page's
    picture. `rank_weight` is a reranker's: what the logarithm of the fused rank takes from its
    score. The rest are an embedder's. The prefixes are those of one that was trained with words
    before each question and passage; `max_tokens`, of which two are the marks at both ends, does
    not count them. `cosine_weight` is what a cosine of 1 counts in fusion beside all of a
    question's words, 0 where that was not measured; `evidence` what words and cosine count for an
    answer: by the question's script, `latin` or `cjk`, and `foreign` for a passage in another
    language than the question; a second time, with what a lead counts, as `latin_lead` and so on.
    `languages` are those that a model of one script was shown, where
    they are not all. `heads` is how many attention heads its last layer has, where `head_output`
    names the output of the model that holds what they saw; 0: it gives none. `vectors` stands for
    the weights in the fingerprint where these were once stored in another way; `table_of` names the
    model whose pieces and their embeddings a reader has.
    """

    folder: Path
    name: str
    kind: str
    title: str
    licence: str
    source: str
    number_format: str
    dimensions: int
    max_tokens: int
    scripts: frozenset[str]
    files: dict[str, str]
    quality: dict[str, Any]
    rank_weight: float = 0.0
    query_prefix: str = ""
    passage_prefix: str = ""
    cosine_weight: float = 0.0
    languages: frozenset[str] = frozenset()
    vectors: str = ""
    table_of: str = ""
    heads: int = 0
    head_output: str = ""
    evidence: Mapping[str, EvidenceWeights] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """Name model, weights, number format and what is done to vectors in one short text."""
        bias = f"-{self.files[BIAS][:6]}" if BIAS in self.files else ""
        vectors = self.vectors or self.files[self.weights]
        return f"{self.name}/{self.number_format}/{vectors[:12]}{bias}"

    @property
    def weights(self) -> str:
        """Name the file that holds what was learnt."""
        return next(name for name in self.files if name != _TOKENIZER)

    def checked(self, file: str) -> bytes:
        """Return a file's bytes; `ModelUnavailable` as of `checked_path`."""
        return self.checked_path(file).read_bytes()

    def checked_path(self, file: str) -> Path:
        """Return a file's path; `ModelUnavailable` if it is missing or not what the card says."""
        path = self.folder / file
        try:
            with path.open("rb") as opened:
                found = hashlib.file_digest(opened, "sha256").hexdigest()
        except OSError as problem:
            raise ModelUnavailable(
                Phrase("The model file {0}/{1} cannot be read.", self.name, file), _REMEDY
            ) from problem
        if found != self.files[file]:
            raise ModelUnavailable(
                Phrase("The model file {0}/{1} is damaged.", self.name, file), _REMEDY
            )
        return path

    def check(self) -> None:
        """Compare every file with the card; `ModelUnavailable` names the first bad one."""
        for file in self.files:
            self.checked_path(file)


def read_model_card(folder: Path) -> ModelCard:
    """Read a model folder's card; `ModelUnavailable` if there is none that can be read."""
    try:
        said = json.loads((folder / "card.json").read_text("utf-8"))
        return ModelCard(
            folder=folder,
            name=said["name"],
            kind=said["kind"],
            title=said["title"],
            licence=said["licence"],
            source=said["source"],
            number_format=said["number_format"],
            dimensions=said["dimensions"],
            max_tokens=said["max_tokens"],
            scripts=frozenset(said["scripts"]),
            files={name: each["sha256"] for name, each in said["files"].items()},
            quality=said["quality"],
            rank_weight=float(said.get("rank_weight", 0.0)),
            query_prefix=said.get("query_prefix", ""),
            passage_prefix=said.get("passage_prefix", ""),
            cosine_weight=float(said.get("cosine_weight", 0.0)),
            languages=frozenset(said.get("languages", ())),
            vectors=said.get("vectors", ""),
            table_of=said.get("table_of", ""),
            heads=int(said.get("heads", 0)),
            head_output=said.get("head_output", ""),
            evidence={
                script: EvidenceWeights(**each) for script, each in said.get("evidence", {}).items()
            },
        )
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise ModelUnavailable(Phrase("There is no model in {0}.", folder), _REMEDY) from problem
