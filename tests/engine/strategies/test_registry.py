import json

import pytest

from desktop_rag.core.errors import UsageError
from desktop_rag.engine.strategies import registry
from desktop_rag.engine.strategies.iter_retgen import IterRetgen


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


def test_an_unknown_strategy_or_transform_is_wrong_usage_and_names_what_there_is() -> None:
    with pytest.raises(UsageError, match="single_pass"):
        registry.make("magic", {})
    with pytest.raises(UsageError, match="condense"):
        registry.check_transforms(["hyde"])


def test_the_listing_says_what_the_contract_asks() -> None:
    rows = [registry.described(kind) for kind in registry.STRATEGIES]
    assert [row["name"] for row in rows] == [
        "single_pass",
        "iter_retgen",
        "crag",
        "self_rag",
        "adaptive",
    ]
    for row in (*rows, *registry.TRANSFORMS):
        assert list(row) == ["kind", "name", "title", "paper", "needs", "options"]
    assert rows[1]["needs"] == ["llm"]
    rounds = rows[1]["options"][0]
    assert (rounds["name"], rounds["default"], rounds["low"]) == ("rounds", 3, 1)
    assert json.dumps(rows)
