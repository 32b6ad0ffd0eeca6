import re
from pathlib import Path

import pytest

from desktop_rag.core.paths import resources
from desktop_rag.generation.prompts import Prompts
from testing.prompt_lengths import PAGE, prompt_names

FOLDER = resources() / "prompts"


def test_every_language_has_every_prompt() -> None:
    names = {
        folder.name: {f.relative_to(folder) for f in folder.rglob("*") if f.is_file()}
        for folder in FOLDER.iterdir()
    }
    assert names["en"]
    assert all(each == names["en"] for each in names.values())


@pytest.mark.parametrize(
    "file", sorted(FOLDER.rglob("*.txt")), ids=lambda f: str(f.relative_to(FOLDER))
)
def test_a_translation_has_the_same_places_to_fill(file: Path) -> None:
    english = FOLDER.joinpath("en", *file.relative_to(FOLDER).parts[1:]).read_text(encoding="utf-8")
    places = re.findall(r"\$\w+", file.read_text(encoding="utf-8"))
    assert sorted(places) == sorted(re.findall(r"\$\w+", english))


def test_a_dollar_in_a_value_stays_as_it_is() -> None:
    filled = Prompts("en").text(
        "shared/passages_and_question", passages="It costs $passages.", question="$5?"
    )
    assert "It costs $passages." in filled
    assert filled.endswith("Question: $5?")


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        Prompts("en").text("shared/passages_and_question", passages="")


def test_the_page_of_prompts_tells_of_every_prompt() -> None:
    page = PAGE.read_text(encoding="utf-8")
    counted = re.findall(r"^\| (\S+) \| \d+ \| \d+ \|$", page, re.MULTILINE)
    assert counted == prompt_names(), "python -m testing.prompt_lengths"
    text = page.partition("## Prompt by prompt")[2].partition("## How long")[0]
    untold = [each for each in prompt_names() if each.partition("/")[2] not in text]
    assert set(untold) <= {"answer/not_found", "answer/nothing_read"} | {
        each for each in untold if each.startswith(("judge/", "question_proposal/"))
    }
