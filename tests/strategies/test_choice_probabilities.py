import pytest

from desktop_rag.strategies.base import Generated
from desktop_rag.strategies.choice_probabilities import choice_probabilities

Pairs = tuple[tuple[str, float], ...]
SUPPORT = ("[Fully supported]", "[Partially supported]", "[No support / Contradictory]")


def said(*tokens: tuple[str, float, Pairs]) -> Generated:
    pairs = tuple((text, p) for text, p, _ in tokens)
    return Generated("", "stop", pairs, alternatives=tuple(others for _, _, others in tokens))


def test_a_choice_counts_its_share_of_all_choices() -> None:
    others = (("yes", 0.6), ("no", 0.2), ("perhaps", 0.1))
    found = choice_probabilities(said(("yes", 0.6, others)), (0, 3), ("yes", "no"))
    assert found == pytest.approx({"yes": 0.75, "no": 0.25})


def test_a_choice_in_several_tokens_parts_where_it_differs_from_the_others() -> None:
    reply = said(
        ("[", 1.0, (("[", 1.0),)),
        ("Part", 0.5, (("Part", 0.5), ("Fully", 0.3), ("No", 0.1), ("Utility", 0.1))),
        ("ially supported]", 0.8, (("ially supported]", 0.8), ("ial", 0.2))),
    )
    found = choice_probabilities(reply, (0, 21), SUPPORT)
    assert found == pytest.approx(
        {SUPPORT[0]: 0.3 / 0.9, SUPPORT[1]: 0.5 / 0.9, SUPPORT[2]: 0.1 / 0.9}
    )


def test_a_choice_that_is_decided_loses_nothing_by_a_rest_that_it_was_held_to() -> None:
    # As a real server told it: held to a schema, the model that would have written "no" adds a t.
    reply = said(
        ("no", 0.02, (("true", 0.2), ("no", 0.02), ("full", 0.01), ("None", 0.01))),
        ("t", 0.0001, (('",', 0.6), ("t", 0.0001))),
    )
    found = choice_probabilities(reply, (0, 3), ("fully", "partly", "not"))
    assert found == pytest.approx({"fully": 1 / 3, "partly": 0.0, "not": 2 / 3})


def test_a_beginning_that_two_choices_share_counts_for_none() -> None:
    others = (("[Utility:4]", 0.5), ("[Utility:", 0.3), ("[Utility:5]", 0.25))
    choices = [f"[Utility:{n}]" for n in range(1, 6)]
    found = choice_probabilities(said(("[Utility:4]", 0.5, others)), (0, 11), choices)
    assert {n: p for n, p in found.items() if p} == pytest.approx(
        {"[Utility:4]": 2 / 3, "[Utility:5]": 1 / 3}
    )


def test_a_token_that_begins_before_its_choice_is_compared_from_there_on() -> None:
    others = ((": true", 0.5), (": false", 0.25), (": null", 0.1), ("false", 0.05))
    reply = said(('{"a"', 1.0, ()), (": true", 0.5, others), ("}", 1.0, ()))
    found = choice_probabilities(reply, (6, 10), ("true", "false"))
    assert found == pytest.approx({"true": 0.5 / 0.8, "false": 0.3 / 0.8})


def test_a_longer_word_is_another_one() -> None:
    others = (("5", 0.5), ("50", 0.3), ("4", 0.1), ("4,", 0.1))
    found = choice_probabilities(said(("5", 0.5, others)), (0, 1), ("4", "5"))
    assert found == pytest.approx({"5": 0.5 / 0.7, "4": 0.2 / 0.7})


def test_what_was_emitted_need_not_be_a_choice() -> None:
    others = (("Eleven", 0.6), ("[Retrieval]", 0.1), ("[No Retrieval]", 0.3))
    reply = said(("Eleven", 0.6, others))
    found = choice_probabilities(reply, (0, 6), ("[Retrieval]", "[No Retrieval]"))
    assert found == pytest.approx({"[Retrieval]": 0.25, "[No Retrieval]": 0.75})


def test_nothing_is_known_without_alternatives() -> None:
    assert choice_probabilities(Generated("", "stop", (("yes", 0.5),)), (0, 3), ("yes",)) == {}
    assert choice_probabilities(said(("yes", 0.5, ())), (0, 3), ("yes", "no")) == {}
    assert choice_probabilities(said(("x", 1.0, (("x", 1.0),))), (0, 1), ("yes", "no")) == {}
