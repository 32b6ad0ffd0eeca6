import copy
import json
import pickle

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.core.events import Notice, NoticeCode
from desktop_rag.core.phrases import (
    Phrase,
    PhraseList,
    SourceName,
    code_of,
    dump,
    from_json,
    has_code,
    joined,
    load,
    map_source_names,
    parts_of,
    to_json,
)

texts = st.text(max_size=30)
phrases = st.recursive(
    texts | st.builds(SourceName, texts, st.integers(0, 1 << 60)),
    lambda inner: (
        st.builds(
            lambda a, b, n: Phrase("{0} of “{1}” in {2}", a, b, n), inner, inner, st.integers()
        )
        | st.builds(lambda parts: PhraseList(parts, "; "), st.lists(inner, max_size=3))
    ),
    max_leaves=6,
)


def made_of(text: str) -> object:
    """Return everything that a phrase is made of, so that two can be compared whole."""
    if isinstance(text, Phrase):
        arguments = [made_of(each) if isinstance(each, str) else each for each in text.arguments]
        return (text.template, text.code, arguments)
    if isinstance(text, PhraseList):
        return (text.separator, [made_of(each) for each in text.parts])
    return (type(text), str(text), getattr(text, "chunk_id", None))


def test_a_phrase_is_its_english_text() -> None:
    phrase = Phrase("The file has {0} MiB; files above {1} MiB are not read.", 300, "200")
    assert phrase == "The file has 300 MiB; files above 200 MiB are not read."
    assert json.dumps({"text": phrase}) == json.dumps({"text": str(phrase)})
    assert phrase.arguments == (300, "200")


def test_what_is_neither_text_nor_number_becomes_its_text() -> None:
    assert Phrase("It failed: {0}.", ValueError("no")).arguments == ("no",)


def test_a_gap_in_an_argument_is_no_gap() -> None:
    assert Phrase("{0} and {1}", "{1}", "{0}") == "{1} and {0}"


def test_a_gap_without_an_argument_stays() -> None:
    assert Phrase("{0} and {1}", "one") == "one and {1}"


def test_the_code_is_made_of_the_words_that_tell() -> None:
    assert Phrase("The disk is full.").code == "disk-full"
    assert Phrase("{0} needs a language model; a single pass is done instead.", "x").code == (
        "needs-language-model-single-pass-done-instead"
    )
    assert code_of("The disk is full.") == "disk-full"
    assert Phrase("The disk is full.", code="full").code == "full"


def test_a_code_is_the_same_whatever_fills_the_gaps() -> None:
    assert Phrase("There is no file {0}.", "a").code == Phrase("There is no file {0}.", "b").code


def test_sentences_in_a_row_have_the_codes_of_all() -> None:
    said = joined("A.", Phrase("Without it.", code=NoticeCode.QUOTES_ONLY), "")
    assert said == "A. Without it."
    assert parts_of(said) == ("A.", "Without it.")
    assert has_code(said, NoticeCode.QUOTES_ONLY)
    assert Notice(said).says(NoticeCode.QUOTES_ONLY)
    assert not Notice(said).says(NoticeCode.BROKEN_OFF)


def test_one_sentence_alone_stays_what_it_is() -> None:
    phrase = Phrase("There is no file {0}.", "a")
    assert joined(phrase, "") is phrase
    assert parts_of(phrase) == (phrase,)


def test_a_name_of_a_document_is_changed_wherever_it_stands() -> None:
    names = PhraseList([SourceName("Plan", 1), SourceName("Offer", 2)], ", ")
    phrase = Phrase("From “{0}”: {1}.", "Plan", names)
    changed = map_source_names(phrase, lambda name: "gone" if name.chunk_id == 1 else name)
    assert changed == "From “Plan”: gone, Offer."


@given(phrases)
def test_a_phrase_is_stored_and_read_with_all_that_it_is_made_of(phrase: str) -> None:
    assert made_of(from_json(json.loads(json.dumps(to_json(phrase))))) == made_of(phrase)
    assert made_of(copy.deepcopy(phrase)) == made_of(phrase)
    assert made_of(pickle.loads(pickle.dumps(phrase))) == made_of(phrase)


@given(phrases)
def test_a_column_holds_a_phrase(phrase: str) -> None:
    assert load(dump(phrase)) == phrase


@given(st.text(max_size=40))
def test_a_text_of_an_older_version_is_read_as_it_is(text: str) -> None:
    assert load(text) == text


def test_what_is_no_phrase_is_read_as_text() -> None:
    assert load('{"template": 3') == '{"template": 3'
    assert from_json({"template": 3}) == "{'template': 3}"
    deep: object = "x"
    for _ in range(400):
        deep = {"parts": [deep], "separator": ""}
    assert isinstance(from_json(deep), str)
