"""Make PDFs of COVID-QA's articles, with the questions that one place in one of them answers.

python -m benchmarks.peers.article_pdfs DATA OUT --environments FOLDER

DATA holds `singlehop/covidqa` (Möller et al. 2020: what physicians asked of articles, and the
words that answer). Only articles are taken that nothing here was trained on
(`training.question_sets.is_held_out`), and only answers that stand in their article once, so that
it is known which page is right. OUT serves `benchmarks.peers` as `--documents` and `--questions`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pypdfium2

from benchmarks.peers import environments
from training.question_sets import is_held_out, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--environments", type=Path, required=True, help="where they are kept")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    articles, asked = held_out(given.data / "singlehop" / "covidqa")
    for name, text in articles.items():
        (given.out / f"{name}.txt").write_text(text, encoding="utf-8")
    python = environments.python_of("article_pdfs", given.environments)
    command = [python, "-m", "benchmarks.peers.article_typesetter", given.out.resolve()]
    subprocess.run(command, check=True, cwd=environments.ROOT)
    pages = {name: list(_page_texts(given.out / f"{name}.pdf")) for name in articles}
    kept = list(located(asked, pages))
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in kept)
    (given.out / "manifest.jsonl").write_text(lines, encoding="utf-8")
    count = sum(map(len, pages.values()))
    print(f"{len(articles)} articles, {count} pages, {len(kept)} of {len(asked)} questions")


def held_out(folder: Path) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return the texts of the articles by name, and the questions about them."""
    every = rows(folder / "questions.jsonl.gz")
    asked = [each for each in every if is_held_out(each["gold"][0])]
    names = {each["gold"][0] for each in asked}
    corpus = rows(folder / "corpus.jsonl.gz")
    return {each["id"]: each["text"] for each in corpus if each["id"] in names}, asked


def located(
    asked: Iterable[Mapping[str, Any]], pages: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """Yield lines of a manifest: the questions whose answer stands at one place of its article."""
    for each in asked:
        name, answer = each["gold"][0], each["answers"][0]
        if gold := pages_of(answer, pages[name]):
            yield {
                "id": each["id"],
                "source": "COVID-QA",
                "lang": "en",
                "doc": f"{name}.pdf",
                "question": each["question"],
                "answer": answer,
                "pages": gold,
            }


def pages_of(answer: str, pages: Sequence[str]) -> list[int]:
    """Return the pages, from 1, of the one place where an answer stands; none if not just one."""
    wanted, texts = _letters(answer), [_letters(page) for page in pages]
    whole = "".join(texts)
    start = whole.find(wanted)
    if not wanted or start < 0 or whole.find(wanted, start + 1) >= 0:
        return []
    found, at = [], 0
    for number, text in enumerate(texts, start=1):
        if at < start + len(wanted) and start < at + len(text):
            found.append(number)
        at += len(text)
    return found


def _page_texts(path: Path) -> Iterator[str]:
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            yield page.get_textpage().get_text_bounded()


def _letters(text: str) -> str:
    """Return letters and digits alone, so that ends of lines and hyphens do not matter."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


if __name__ == "__main__":
    main()
