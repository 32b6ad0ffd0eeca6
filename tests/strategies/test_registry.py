import json
import subprocess
import sys
from typing import Any

import pytest

from desktop_rag.core.errors import UsageError
from desktop_rag.core.strategy_titles import strategy_title
from desktop_rag.strategies import registry
from desktop_rag.strategies.iter_retgen import IterRetgen
from desktop_rag.strategies.presets import PRESETS
from desktop_rag.strategies.transforms.hyde import Hyde
from desktop_rag.strategies.transforms.verify import Verify


def test_a_strategy_is_made_with_the_papers_defaults() -> None:
    assert registry.make("iter_retgen", {}) == IterRetgen(rounds=3, k=5)


def test_an_option_is_read_as_its_kind() -> None:
    assert registry.make("iter_retgen", {"rounds": "2"}) == IterRetgen(rounds=2)


@pytest.mark.parametrize(
    "options", [{"rounds": "0"}, {"rounds": "many"}, {"rounds": "99"}, {"colour": "red"}]
)
def test_a_wrong_option_is_wrong_usage(options: dict[str, str]) -> None:
    with pytest.raises(UsageError) as caught:
        registry.make("iter_retgen", options)
    assert next(iter(options)) in caught.value.what
    assert caught.value.remedy


def test_the_titles_at_hand_everywhere_are_the_strategies_and_presets_own() -> None:
    listed: tuple[Any, ...] = (*registry.STRATEGIES, *PRESETS)
    for each in listed:
        assert strategy_title(each.name) == each.title


def test_an_unknown_strategy_or_transform_is_wrong_usage_and_names_what_there_is() -> None:
    with pytest.raises(UsageError, match="single_pass"):
        registry.make("magic", {})
    with pytest.raises(UsageError, match="condense"):
        registry.transforms(["magic"], {})


def test_transforms_are_made_in_their_order_with_their_own_options_each_once() -> None:
    options = {"hyde.passages": "8", "rounds": "2"}
    made = registry.transforms(["verify", "hyde", "verify"], options)
    assert made == (Verify(), Hyde(passages=8))
    assert registry.make("iter_retgen", options) == IterRetgen(rounds=2)


@pytest.mark.parametrize(
    ("option", "value"),
    [("hyde.passages", "9"), ("hyde.colour", "red"), ("hyde.temperature", "nan"), ("magic.k", "3")],
)
def test_a_wrong_option_of_a_transform_is_wrong_usage(option: str, value: str) -> None:
    with pytest.raises(UsageError) as caught:
        registry.transforms(["hyde"], {option: value})
    assert caught.value.remedy


def test_an_option_of_a_transform_that_is_not_used_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match=r"hyde\.passages"):
        registry.transforms(["verify"], {"hyde.passages": "2"})


def test_the_listing_says_what_the_contract_asks() -> None:
    rows = [registry.described(kind) for kind in registry.STRATEGIES]
    changes = [registry.described(kind) for kind in registry.TRANSFORMS]
    assert [row["name"] for row in changes] == [
        "condense", "rewrite", "hyde", "query2doc", "multi_query", "step_back", "decompose",
        "self_query", "utility", "verify",
    ]  # fmt: skip
    assert {row["kind"] for row in rows} == {"strategy"}
    assert {row["kind"] for row in changes} == {"transform"}
    for row in (*rows, *changes):
        assert list(row) == ["kind", "name", "title", "paper", "needs", "options"]
    (iterating,) = (row for row in rows if row["name"] == "iter_retgen")
    assert iterating["needs"] == ["llm"]
    rounds = iterating["options"][0]
    assert (rounds["name"], rounds["default"], rounds["low"]) == ("rounds", 3, 1)
    assert json.dumps([*rows, *changes])


def test_to_list_the_strategies_loads_no_index_and_no_model() -> None:
    """Every start lists them: Chroma alone would take most of a second."""
    told = "import sys, desktop_rag.strategies.registry; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    heavy = {"chromadb", "onnxruntime", "tokenizers", "jsonschema"}
    assert heavy.isdisjoint(done.stdout.split())
