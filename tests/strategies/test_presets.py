"""What a preset is composed of, and what takes the place of its parts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop_rag.core.errors import UsageError
from desktop_rag.core.settings import Settings
from desktop_rag.strategies import presets, registry
from desktop_rag.strategies.iter_retgen import IterRetgen
from desktop_rag.strategies.linked_hops import LinkedHops
from desktop_rag.strategies.single_pass import SinglePass
from desktop_rag.strategies.transforms.hyde import Hyde

ONE = "How long is the notice period?"
SEVERAL = "Where was the director of the film Camelia born?"


def test_balanced_follows_names_only_where_a_question_seems_to_need_it() -> None:
    way = presets.compose("balanced")
    assert isinstance(way.chosen(ONE), SinglePass)
    assert isinstance(way.chosen(SEVERAL), LinkedHops)
    assert way.transforms == ()


def test_the_settings_begin_with_balanced() -> None:
    assert Settings().answering.strategy == "balanced"


@pytest.mark.parametrize("preset", [each.name for each in presets.PRESETS])
def test_a_preset_needs_no_strategy_that_only_a_language_model_can_run(preset: str) -> None:
    way = presets.compose(preset)
    assert "llm" not in way.strategy.needs
    assert way.several is None or "llm" not in way.several.needs
    assert bool(way.left_out) == way.needs_model


def test_a_preset_is_named_by_itself_or_in_the_place_of_a_strategy() -> None:
    assert presets.compose("fast") == presets.compose("", preset="fast")
    assert presets.compose("fast").preset == "fast"
    assert presets.compose("single_pass").preset == ""


def test_a_strategy_beside_a_preset_takes_the_place_of_its_own() -> None:
    way = presets.compose("iter_retgen", preset="balanced", options={"rounds": "2"})
    assert way.chosen(SEVERAL) == way.chosen(ONE) == IterRetgen(rounds=2)
    assert presets.compose("single_pass", preset="fast").strategy == SinglePass()
    assert presets.compose("single_pass", preset="fast").reads == presets.find("fast").reads


def test_transforms_beside_a_preset_take_the_place_of_its_own_and_tell_of_themselves() -> None:
    way = presets.compose(
        "", preset="thorough", transforms=("hyde",), options={"hyde.passages": "2"}
    )
    assert way.transforms == (Hyde(passages=2),)
    assert way.strategy == LinkedHops()
    assert way.left_out == ""


def test_an_option_beside_a_preset_goes_to_the_strategies_that_have_it() -> None:
    way = presets.compose("balanced", options={"beam": "5", "k": "8"})
    assert (way.strategy, way.several) == (SinglePass(k=8), LinkedHops(k=8, beam=5))
    assert presets.compose("fast", options={"k": "7"}).strategy == SinglePass(k=7)


@pytest.mark.parametrize(
    ("name", "more", "told"),
    [
        ("", {"preset": "magic"}, "balanced"),
        ("fast", {"preset": "fast"}, "fast"),
        ("balanced", {"options": {"colour": "red"}}, "beam|k"),
        ("balanced", {"options": {"hyde.passages": "2"}}, "--transform hyde"),
        ("thorough", {"options": {"verify.checks": "9"}}, "1 to 5"),
    ],
)
def test_what_a_preset_does_not_know_is_wrong_usage(name: str, more: Any, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        presets.compose(name, **more)
    assert any(each in caught.value.what + caught.value.remedy for each in told.split("|"))


def test_the_listing_tells_what_each_is_composed_of() -> None:
    rows = [presets.described(each) for each in presets.PRESETS]
    assert [(row["kind"], row["name"]) for row in rows] == [
        ("preset", "fast"), ("preset", "balanced"), ("preset", "thorough"),
        ("preset", "study_best"), ("preset", "study_balanced"),
    ]  # fmt: skip
    for row in rows:
        assert list(row) == ["kind", "name", "title", "paper", "needs", "options"]
        assert all({"name", "default", "effect"} == set(each) for each in row["options"])
    balanced = {each["name"]: each["default"] for each in rows[1]["options"]}
    assert balanced == {"strategy": "single_pass", "several": "linked_hops"}
    assert json.dumps(rows)


def test_the_recipes_of_the_study_say_where_they_are_from_and_what_stands_in_for_what() -> None:
    best, balanced = (presets.find(f"study_{name}") for name in ("best", "balanced"))
    assert all("2407.01219" in presets.described(each)["paper"] for each in (best, balanced))
    assert presets.compose("study_best").transforms == (Hyde(),)
    assert presets.compose("study_balanced").transforms == ()
    assert presets.compose("study_balanced").reads == 12
    told = {each["name"]: each["effect"] for each in presets.parts_of(best)}
    assert "monoT5" in told["reranker"]
    assert "TILDEv2" in {e["name"]: e["effect"] for e in presets.parts_of(balanced)}["reranker"]
    for each in (best, balanced):
        way = presets.compose(each.name)
        assert way.answering == {"order": "reverse", "compression": "extractive"}


def test_no_strategy_and_no_transform_is_called_like_a_preset() -> None:
    taken = {kind.name for kind in (*registry.STRATEGIES, *registry.TRANSFORMS)}
    assert taken.isdisjoint(each.name for each in presets.PRESETS)


def test_a_name_that_nothing_has_is_told_all_that_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        presets.compose("fost")
    assert "fast, balanced, thorough, study_best, study_balanced, single_pass" in (
        caught.value.remedy
    )
