import pytest

from desktop_rag.strategies.token_confidence import TokenConfidence, locate_tokens, tokens_of_prefix

TOKENS = (("\n Anna", 0.9), (" Berg", 0.3), (" was", 0.95), (" born", 0.35), (" in", 0.2))
TEXT = "Anna Berg was born in"


def test_tokens_are_found_in_a_text_that_lost_its_edges() -> None:
    assert [TEXT[p.start : p.end] for p in locate_tokens(TEXT, TOKENS)] == [
        "Anna",
        " Berg",
        " was",
        " born",
        " in",
    ]


def test_the_least_sure_word_that_means_something_is_known() -> None:
    least = TokenConfidence(TEXT, TOKENS).least_confident()
    assert least is not None
    assert (TEXT[least.start : least.end], least.probability) == ("Berg", 0.3)
    assert TokenConfidence(TEXT, ()).least_confident() is None


def test_words_that_mean_nothing_and_signs_are_nothing_to_be_unsure_of() -> None:
    tokens = (("The", 0.29), (" court", 0.9), (" of", 0.3), (" Oslo", 0.95), (".", 0.2))
    least = TokenConfidence("The court of Oslo.", tokens).least_confident()
    assert least is not None
    assert least.probability == 0.9
    assert TokenConfidence("The of.", (("The", 0.2), (" of", 0.2))).least_confident() is None


def test_a_word_is_masked_whole_whichever_of_its_tokens_is_unsure() -> None:
    tokens = (("Marie", 0.9), (" Sk", 0.2), ("ł", 0.9), ("odow", 0.9), ("ska", 0.95), (" won", 0.9))
    confidence = TokenConfidence("Marie Skłodowska won", tokens)
    assert confidence.masked(0.4) == "Marie won"
    assert confidence.uncertain_spans(0.4) == ["Skłodowska"]
    least = confidence.least_confident()
    assert least is not None
    assert (least.start, least.end) == (6, 16)


def test_neighbours_are_one_span_and_words_without_meaning_none() -> None:
    assert TokenConfidence(TEXT, TOKENS).uncertain_spans(0.4) == ["Berg", "born in"]
    assert TokenConfidence(TEXT, TOKENS).uncertain_spans(0.25) == []


def test_a_text_without_its_unsure_tokens_is_one_line() -> None:
    assert TokenConfidence(TEXT, TOKENS).masked(0.4) == "Anna was"
    assert TokenConfidence("One\n\ntwo [1].", (("One", 0.9),)).masked(0.4) == "One two."


def test_of_an_aside_that_is_left_out_one_comma_stays() -> None:
    tokens = tuple(
        zip(("The ferry", ", ", "Sula", ", ", "came."), (0.9, 0.9, 0.1, 0.9, 0.9), strict=True)
    )
    assert TokenConfidence("The ferry, Sula, came.", tokens).masked(0.4) == "The ferry, came."


@pytest.mark.parametrize("number", ["[1]", "[1, 2]", "【3】", "[1][2]"])
def test_the_numbers_of_sources_are_no_facts(number: str) -> None:
    text = f"Paris fell {number}."
    tokens = (("Paris fell", 0.9), *((character, 0.1) for character in f" {number}"), (".", 0.9))
    confidence = TokenConfidence(text, tokens)
    least = confidence.least_confident()
    assert least is not None
    assert least.probability == 0.9
    assert confidence.masked(0.4) == "Paris fell."
    assert confidence.uncertain_spans(0.4) == []


def test_a_character_of_several_tokens_takes_the_least_of_their_probabilities() -> None:
    tokens = (("拜登", 0.9), ("\ufffd", 0.1), ("\ufffd", 0.9), ("于", 0.9), ("。", 0.9))
    assert TokenConfidence("拜登斯于。", tokens).masked(0.4) == "拜登于。"


def test_the_tokens_of_a_beginning_join_to_it() -> None:
    assert tokens_of_prefix(TEXT, TOKENS, len("Anna Berg")) == TOKENS[:2]
    assert tokens_of_prefix(TEXT, TOKENS, len(TEXT)) == TOKENS
    assert tokens_of_prefix(TEXT, (), 3) == ()
