"""An answer that was cut is written on, and is one answer: in the catalog, with its citations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.catalog.stored_answer import StoredAnswer, read_answer
from desktop_rag.commands import ask, continue_answer
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import ChatMessage
from desktop_rag.core.errors import Cancelled, ModelUnavailable, UserError
from desktop_rag.core.events import Answer, Event, Notice, NoticeCode, Resumed, Token
from desktop_rag.core.phrases import has_code
from desktop_rag.core.requests import AskRequest, ContinueRequest, RemoveRequest
from desktop_rag.core.settings import Answering, Ollama, Settings
from desktop_rag.core.types import ChatId
from desktop_rag.gui.controllers.conversation_jobs import load_transcript
from testing.ollama_double import OllamaDouble
from testing.ollama_double.script import Script
from tests.indexing.indexed_folder import KB, IndexedFolder

QUESTION = "Which ferries cross the fjord, and what do they carry?"
SOLVEIG = "# Solveig\n\nThe ferry Solveig carries forty cars across the fjord."
INGRID = "# Ingrid\n\nThe ferry Ingrid carries ninety lorries across the fjord at night."
FIRST = "The ferry Solveig carries forty cars [1]. The ferry"
LAST_WORD = " Ingrid"  # with which the tokens end: a model writes it anew
REST = f"{LAST_WORD} carries ninety lorries across the fjord [2]."


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as made:
        yield made


@pytest.fixture
def library(tmp_path: Path, double: OllamaDouble) -> Iterator[IndexedFolder]:
    short = Ollama(host=double.url, model="llama3.2:3b", answer_tokens=16)
    made = IndexedFolder(tmp_path, Settings(ollama=short))
    made.write("solveig.md", SOLVEIG)
    made.write("ingrid.md", INGRID)
    made.index()
    yield made
    made.close()


def cut(library: IndexedFolder, double: OllamaDouble, said: str = FIRST + REST) -> Answer:
    """Ask, and have the answer cut at 16 tokens: within a word."""
    double.say(said)
    *_, answer = ask.run(
        library.workspace, AskRequest((KB,), QUESTION, new_chat=True), CancelToken()
    )
    assert isinstance(answer, Answer)
    return answer


def continued(
    library: IndexedFolder, answer: Answer, token: CancelToken | None = None
) -> list[Event]:
    assert answer.chat_id is not None
    request = ContinueRequest(answer.chat_id)
    return list(continue_answer.run(library.workspace, request, token or CancelToken()))


def message(library: IndexedFolder, answer: Answer) -> ChatMessage:
    assert answer.chat_id is not None
    return library.workspace.catalog.chats.messages(ChatId(answer.chat_id))[-1]


def kept(library: IndexedFolder, answer: Answer) -> StoredAnswer:
    return read_answer(message(library, answer).payload)


def codes(notices: tuple[str, ...]) -> list[NoticeCode]:
    return [code for each in notices for code in NoticeCode if has_code(each, code)]


def test_a_cut_answer_is_continued_as_one_answer(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first = cut(library, double)
    assert codes(kept(library, first).notices) == [NoticeCode.CUT]
    number = {Path(each.path).name: n for n, each in enumerate(first.sources, start=1)}
    double.say(REST.replace("[2]", f"[{number['ingrid.md']}]"))
    events = continued(library, first)
    answer = events[-1]
    assert isinstance(answer, Answer)
    written = [each for each in events if isinstance(each, Token | Resumed)]
    assert isinstance(written[0], Resumed)
    assert "".join(each.text for each in written) == answer.text
    assert answer.text.split(". ")[1].startswith("The ferry Ingrid carries ninety lorries across")
    assert answer.sources == first.sources, "the same passages under the same numbers"
    assert (answer.searches, answer.llm_calls) == (first.searches, first.llm_calls + 1)
    cited = {each.quote for each in answer.citations}
    assert any("forty cars" in each for each in cited)
    assert any("ninety lorries" in each for each in cited)
    for each in answer.citations:
        assert each.quote in answer.sources[each.n - 1].text
    stored = kept(library, first)
    assert message(library, first).text == answer.text
    assert (stored.citations, stored.sources) == (answer.citations, answer.sources)
    assert codes(stored.notices) == [], "it is whole now"
    (turn,) = load_transcript(library.workspace.catalog, answer.chat_id or 0).turns
    assert (turn.text, turn.is_unfinished) == (answer.text, False)
    assert [each.event for each in turn.trace].count("search") == first.searches
    with pytest.raises(UserError, match="nothing to continue"):
        continued(library, first)


def test_the_model_is_asked_the_same_with_what_it_has_written(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first = cut(library, double)
    double.say(REST)
    continued(library, first)
    asked, again = (each.body["messages"] for each in double.chats)
    assert again[:2] == asked, "a server that keeps its cache reads only the beginning anew"
    assert again[2] == {"role": "assistant", "content": FIRST}


def test_behind_a_whole_sentence_it_goes_on_in_the_user_s_turn(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first = cut(
        library, double, "The ferry Solveig carries forty cars across the fjord [1].\n\nMore"
    )
    assert message(library, first).text.endswith("[1]."), message(library, first).text
    double.say("The ferry Ingrid carries lorries [1].")
    *_, answer = continued(library, first)
    assert isinstance(answer, Answer)
    assert double.chats[-1].body["messages"][-1]["role"] == "user"
    assert answer.text.endswith("[1]. The ferry Ingrid carries lorries [1].")


def test_an_answer_that_is_cut_again_can_be_continued_again(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first = cut(library, double)
    double.say(f"{LAST_WORD} carries lorries at night, and in the morning, when all others sleep,")
    events = continued(library, first)
    assert [each.says(NoticeCode.CUT) for each in events if isinstance(each, Notice)] == [True]
    assert codes(kept(library, first).notices) == [NoticeCode.CUT], "the one before is past"
    before = message(library, first).text
    double.say(" it comes home.")
    *_, answer = continued(library, first)
    assert isinstance(answer, Answer)
    assert answer.text.startswith(before.rsplit(" ", 1)[0])
    assert "in the morning, when it comes home." in answer.text
    assert codes(kept(library, first).notices) == []


def test_stopped_it_keeps_what_had_come_and_can_go_on(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first = cut(library, double)
    double.say(Script(REST, pace=0.05))
    token = CancelToken()
    request = ContinueRequest(first.chat_id or 0)
    written: list[str] = []
    events = continue_answer.run(library.workspace, request, token)
    for event in events:
        if isinstance(event, Token):
            written.append(event.text)
        if len(written) == 3:
            token.cancel()
            break
    with pytest.raises(Cancelled):
        next(events)
    stored = kept(library, first)
    assert message(library, first).text.startswith(FIRST + "".join(written))
    assert stored.mode == "stopped"
    assert stored.citations == first.citations, "what was cited before still is"
    assert stored.is_unfinished
    double.say(" lorries [1].")
    *_, answer = continued(library, first)
    assert isinstance(answer, Answer)
    assert kept(library, first).mode == "generated"


def test_a_server_that_dies_half_way_leaves_what_came(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first = cut(library, double)
    double.say(Script(REST, breaks_after=6))
    events = continued(library, first)
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.text.startswith(f"{FIRST}{LAST_WORD} carries ninety")
    assert codes(kept(library, first).notices) == [NoticeCode.BROKEN_OFF]
    assert kept(library, first).is_unfinished


def test_a_server_that_is_gone_changes_nothing(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first = cut(library, double)
    before = message(library, first)
    double.say(Script(status=500, error="out of memory"))
    with pytest.raises(ModelUnavailable):
        continued(library, first)
    assert message(library, first) == before


def test_a_model_that_has_no_more_to_say_ends_the_answer(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first = cut(library, double)
    double.say("")
    *_, answer = continued(library, first)
    assert isinstance(answer, Answer)
    assert answer.text == first.text
    assert not kept(library, first).is_unfinished


def test_what_the_documents_do_not_say_is_dotted_in_the_rest_too(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    first = cut(library, double)
    double.say(" Ingrid carries lorries. Bananas are grown in warm countries by many farmers.")
    library.workspace = replace(
        library.workspace,
        settings=replace(
            library.workspace.settings,
            ollama=replace(library.workspace.settings.ollama, answer_tokens=64),
        ),
    )
    *_, answer = continued(library, first)
    assert isinstance(answer, Answer)
    assert len(answer.text.split(". ")) - 1 in answer.from_model, "the last sentence"


def test_an_answer_whose_documents_are_gone_is_not_continued(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    from desktop_rag.commands import remove

    first = cut(library, double)
    paths = [each.path for each in first.sources]
    request = RemoveRequest(KB, tuple(paths[:1]))
    list(remove.run(library.workspace, request, CancelToken()))
    double.say(REST)
    events = continued(library, first)
    assert any("1 of the 2 passages" in each.text for each in events if isinstance(each, Notice))
    sent = double.chats[-1].body["messages"][1]["content"]
    assert 'number="2"' in sent, "what is left keeps its number"
    assert 'number="1"' not in sent
    other = cut(library, double)
    paths = [each.path for each in other.sources]
    list(remove.run(library.workspace, RemoveRequest(KB, tuple(paths)), CancelToken()))
    with pytest.raises(UserError, match="are gone"):
        continued(library, other)


def test_there_must_be_a_last_answer_that_was_cut(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    with pytest.raises(UserError, match="no conversation 7"):
        list(continue_answer.run(library.workspace, ContinueRequest(7), CancelToken()))
    first = cut(library, double)
    request = ContinueRequest(first.chat_id or 0, answer_id=message(library, first).id + 1)
    with pytest.raises(UserError, match="has gone on"):
        list(continue_answer.run(library.workspace, request, CancelToken()))


def test_nothing_from_outside_the_documents_is_continued_where_only_they_count(
    library: IndexedFolder, double: OllamaDouble
) -> None:
    free = Answering(only_documents=False)
    own = library.workspace
    library.workspace = replace(own, settings=replace(own.settings, answering=free))
    double.say("Bananas are grown in warm countries by many farmers who have done so for ages")
    request = AskRequest((KB,), "Where are bananas grown?", strategy="direct", new_chat=True)
    *_, answer = ask.run(library.workspace, request, CancelToken())
    assert isinstance(answer, Answer)
    if answer.sources:
        pytest.fail("this answer should rest on nothing")
    double.say(" of years.")
    *_, whole = continued(library, answer)
    assert isinstance(whole, Answer)
    assert whole.text.endswith("of years.")
    double.say("Bananas are grown in warm countries by many farmers who have done so for ages")
    *_, answer = ask.run(library.workspace, request, CancelToken())
    assert isinstance(answer, Answer)
    library.workspace = own
    with pytest.raises(UserError, match="does not rest on your documents"):
        continued(library, answer)


def test_a_small_context_still_has_room_for_the_rest(tmp_path: Path, double: OllamaDouble) -> None:
    tight = Ollama(host=double.url, model="llama3.2:3b", num_ctx=2048, answer_tokens=1024)
    library = IndexedFolder(tmp_path, Settings(ollama=tight))
    library.write("long.md", "# Ferries\n\n" + "The ferry Astrid crosses the fjord. " * 120)
    library.index()
    long = " ".join(f"The ferry Astrid crosses the fjord for the {n}th time." for n in range(200))
    first = cut(library, double, long)
    assert kept(library, first).is_unfinished
    double.say(" That is all.")
    events = continued(library, first)
    told = [each.text for each in events if isinstance(each, Notice)]
    assert any("the beginning of the answer" in each for each in told), told
    sent = double.chats[-1].body
    asked = sum(len(each["content"]) for each in sent["messages"])
    assert asked / 4 + sent["options"]["num_predict"] < 2048 * 1.2
    assert isinstance(events[-1], Answer)
    assert events[-1].text.startswith("The ferry Astrid crosses the fjord for the 0th time.")
    assert events[-1].text.removesuffix(" [1]").endswith("That is all.")
    library.close()
