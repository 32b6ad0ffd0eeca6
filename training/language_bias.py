"""Find what of an encoder's vectors says in which language a text is: `language_bias.npz`.

    export/bin/pip install babel && export/bin/pip install --no-deps --target WHEEL django==5.2.19
    export/bin/python -m training.language_bias WHEEL/django resources/models/multilingual-e5-small

The sentences are those of Django's own interface (BSD-3-Clause), the same ones in each language.
What is written holds none of them, only the means of their vectors. Of half of the sentences the
directions are found for a trial, and by the others it is printed, for each number of directions,
how many of the five nearest of a sentence are its translations, and how many are only in its own
language.
"""

from __future__ import annotations

import argparse
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from babel.messages.mofile import read_mo

from desktop_rag.models.language_bias import LanguageBias
from desktop_rag.models.model_card import BIAS
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import Vectors
from training.export_embedder import sha256

LANGUAGES = (
    "ar", "cs", "de", "el", "en", "es", "fa", "fr", "he", "hi", "id", "it", "ja", "ko", "nl", "pl",
    "pt", "ru", "sv", "th", "tr", "uk", "vi", "zh_Hans", "zh_Hant",
)  # fmt: skip
_SHORTEST = 15  # characters in English: what is shorter says little but its language
_SENTENCES = 240
_GAPS = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}|<[^>]+>")
_TRIED = (0, 2, 4, 8, 12, 16, 24)
_NEAREST = 5


@dataclass(frozen=True, slots=True)
class Parallel:
    """Vectors of the same sentences in each language, as questions and as passages.

    Both have the shape `(languages, sentences, dimensions)`.
    """

    queries: Vectors
    passages: Vectors

    def part(self, chosen: slice) -> Parallel:
        """Return some of the sentences."""
        return Parallel(self.queries[:, chosen], self.passages[:, chosen])


def main() -> None:
    """Write the file and what the card says of it; print what each number of directions does."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("django", type=Path)
    asked.add_argument("model", type=Path)
    asked.add_argument("--directions", type=int, default=12)
    given = asked.parse_args()
    embedder = OnnxEmbedder(given.model)
    embedder.bias = None
    texts = translated(given.django)
    vectors = Parallel(
        np.stack([np.stack(list(map(embedder.embed_query, each))) for each in texts]),
        np.stack([embedder.embed(each) for each in texts]),
    )
    found, held_out = vectors.part(slice(0, None, 2)), vectors.part(slice(1, None, 2))
    print(f"{len(texts)} languages, {len(texts[0])} sentences")
    print("as it is: {:.3f} translations, {:.3f} own language".format(*nearest(held_out, None)))
    for count in _TRIED:
        shares = nearest(held_out, bias_of(found, count))
        print("{}: {:.3f} translations, {:.3f} own language".format(count, *shares))
    store(given.model, bias_of(vectors, given.directions))


def translated(django: Path) -> list[list[str]]:
    """Return the sentences that are there in all languages, language by language."""
    known: dict[str, dict[str, str]] = {each: {} for each in LANGUAGES}
    for file in sorted(django.rglob("LC_MESSAGES/django.mo")):
        told = known.get(file.parts[-3])
        if told is not None:
            with file.open("rb") as content:
                told |= {
                    each.id: each.string
                    for each in read_mo(content)
                    if isinstance(each.id, str) and isinstance(each.string, str) and each.string
                }
    others = [told for language, told in known.items() if language != "en"]
    common = sorted(set.intersection(*map(set, others)))
    known["en"] = {each: each for each in common}
    chosen = [each for each in common if len(each) >= _SHORTEST][:_SENTENCES]
    return [[_GAPS.sub(" ", told[each]) for each in chosen] for told in known.values()]


def bias_of(vectors: Parallel, count: int) -> LanguageBias:
    """Return the means over all languages, and the directions in which theirs differ most."""
    query, passage = vectors.queries.mean((0, 1)), vectors.passages.mean((0, 1))
    apart = [vectors.queries.mean(1) - query, vectors.passages.mean(1) - passage]
    directions = np.linalg.svd(np.concatenate(apart), full_matrices=False)[2][:count]
    return LanguageBias(query, passage, directions)


def nearest(vectors: Parallel, bias: LanguageBias | None) -> tuple[float, float]:
    """Return which share of the nearest are translations, and which only in the same language."""
    queries, passages = vectors.queries, vectors.passages
    if bias is not None:
        queries = bias.without(queries, bias.query)
        passages = bias.without(passages, bias.passage)
    languages, sentences, _ = passages.shape
    rows = passages.reshape(languages * sentences, -1)
    own = np.repeat(np.arange(languages), sentences)
    said = np.tile(np.arange(sentences), languages)
    shares = []
    for language in range(languages):
        cosines = queries[language] @ rows.T
        for sentence, found in enumerate(cosines):
            found[language * sentences + sentence] = -1.0  # itself
            best = np.argsort(-found)[:_NEAREST]
            shares.append((np.mean(said[best] == sentence), np.mean(own[best] == language)))
    translations, alike = np.mean(shares, axis=0)
    return float(translations), float(alike)


def store(folder: Path, bias: LanguageBias) -> None:
    """Write the file beside the model, and its sum into the card."""
    held = io.BytesIO()
    np.savez(held, query=bias.query, passage=bias.passage, directions=bias.directions)
    (folder / BIAS).write_bytes(held.getvalue())
    card = json.loads((folder / "card.json").read_text("utf-8"))
    size = (folder / BIAS).stat().st_size
    card["files"][BIAS] = {"sha256": sha256(folder / BIAS), "bytes": size}
    card["language_bias"] = f"training/language_bias.py --directions {len(bias.directions)}"
    (folder / "card.json").write_text(json.dumps(card, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
