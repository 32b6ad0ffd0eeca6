"""How near the questions of earlier answers must be: `python -m benchmarks.earlier_answers`.

Paraphrases of built-in questions, written for this, are compared with the questions that they say
again, and with all other built-in questions of their language. One line a language: at cosines,
which share of paraphrases is told of their question, and which share of a question that was never
asked is told of another one (its nearest).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.settings import Settings
from desktop_rag.evaluation.builtin_questions import builtin_questions

_PARAPHRASES = Path(__file__).with_name("question_paraphrases.jsonl")
_COSINES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)


def main() -> None:
    """Print the table."""
    import tempfile

    said = [json.loads(line) for line in _PARAPHRASES.read_text(encoding="utf-8").splitlines()]
    known = {each.id: each.question for each in builtin_questions()}
    with tempfile.TemporaryDirectory() as folder:
        workspace = open_workspace(Path(folder), Settings())
        embedder = workspace.models.embedder
        vectors = {name: embedder.embed_query(text).ravel() for name, text in known.items()}
        again = [embedder.embed_query(each["question"]).ravel() for each in said]
        workspace.close()
    for language in ("en", "zh"):
        names = [name for name in known if name.startswith(language)]
        asked = np.stack([vectors[name] for name in names])
        between = asked @ asked.T
        np.fill_diagonal(between, -1)
        nearest = between.max(axis=1)
        own = np.array(
            [
                float(vector @ vectors[each["of"]])
                for each, vector in zip(said, again, strict=True)
                if each["of"].startswith(language)
            ]
        )
        print(f"{language}: {len(own)} paraphrases, {len(names)} questions")
        for cosine in _COSINES:
            print(f"  {cosine:.2f}  told {np.mean(own >= cosine):6.1%}  "
                  f"falsely {np.mean(nearest >= cosine):6.1%}")  # fmt: skip


if __name__ == "__main__":
    main()
