"""A question chooses its knowledge base; where one does not know, another that does is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.bootstrap import open_workspace, with_settings
from desktop_rag.catalog.stored_answer import read_answer
from desktop_rag.commands.dispatch import perform
from desktop_rag.commands.knowledge_base_choice import choose, choose_for
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Answer, Event, KbsChosen, OtherKb
from desktop_rag.core.requests import AskRequest, IndexRequest, SearchRequest
from desktop_rag.core.routing_signals import LeftOut
from desktop_rag.core.settings import Answering, Ollama, Settings
from desktop_rag.core.types import ChatId
from desktop_rag.workspace import Workspace
from testing.narrowing import narrow

WHALES = "The blue whale is the largest animal that has ever lived. It feeds on krill."
LEASE = "The tenant pays the rent of 940 euros by the third working day of each month."
ON_RENT = "By which working day of the month does the tenant pay the rent?"
ON_WHALES = "Which animal is the largest that has ever lived?"
PLACE = "http://203.0.113.7:11434"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = open_workspace(tmp_path / "home", Settings())
    for kb, text in (("Animals", WHALES), ("Contracts", LEASE)):
        file = tmp_path / f"{kb.lower()}.txt"
        file.write_text(text, "utf-8")
        list(perform(made, IndexRequest(kb, (str(file),)), CancelToken()))
    made.catalog.kbs.create("Diary")
    yield made
    made.close()


def asked(workspace: Workspace, question: str, *kbs: str, **how: Any) -> list[Event]:
    request = AskRequest(kbs, question, strategy="single_pass")
    return list(perform(workspace, replace(request, **how), CancelToken()))


def the(kind: type[Event], events: list[Event]) -> Event | None:
    return next((each for each in events if isinstance(each, kind)), None)


@pytest.mark.parametrize("kbs", [(), ("auto",), ("Animals", "Contracts")])
def test_a_question_is_asked_where_it_belongs(workspace: Workspace, kbs: tuple[str, ...]) -> None:
    events = asked(workspace, ON_RENT, *kbs, chooses_kb=True)
    chosen = narrow(events[0], KbsChosen)
    assert chosen.kbs == ("Contracts",)
    assert [each.kb for each in chosen.ranking] == ["Contracts", "Animals"]
    assert chosen.ranking[0].words > chosen.ranking[1].words
    answer = narrow(events[-1], Answer)
    assert answer.mode == "extracted"
    assert {Path(each.path).name for each in answer.citations} == {"contracts.txt"}
    assert chosen.as_json()["ranking"][0]["kb"] == "Contracts"


def test_only_those_that_are_named_are_chosen_among(workspace: Workspace) -> None:
    chosen = choose(workspace, ON_RENT, ("Animals",), CancelToken())
    assert chosen.kbs == ("Animals",)
    assert [each.kb for each in chosen.ranking] == ["Animals"]


def test_a_base_that_is_called_auto_is_reached_by_its_name(workspace: Workspace) -> None:
    workspace.catalog.kbs.rename("Animals", "auto")
    assert choose(workspace, ON_RENT, ("auto",), CancelToken()).kbs == ("auto",)
    assert choose(workspace, ON_RENT, (), CancelToken()).kbs == ("Contracts",)


def test_a_base_in_which_nothing_is_read_is_left_out_and_told(workspace: Workspace) -> None:
    chosen = choose(workspace, ON_RENT, (), CancelToken())
    assert chosen.left_out == (("Diary", LeftOut.EMPTY),)
    with pytest.raises(UserError, match="no knowledge base that can be asked"):
        choose(workspace, ON_RENT, ("Diary",), CancelToken())
    with pytest.raises(UserError, match="no knowledge base named"):
        choose(workspace, ON_RENT, ("Nowhere",), CancelToken())


def test_a_base_whose_passages_may_not_go_to_the_model_is_left_out_and_told(
    workspace: Workspace,
) -> None:
    far = with_settings(workspace, Settings(ollama=Ollama(host=PLACE, model="m")))
    animals = far.catalog.kbs.get("Animals").id
    request = AskRequest((), ON_RENT, chooses_kb=True)
    assert choose_for(far, request, CancelToken()).kbs == ("Contracts",), "none has consent"
    far.catalog.consents.give(animals, PLACE)
    chosen = choose_for(far, request, CancelToken())
    assert chosen.kbs == ("Animals",)
    assert ("Contracts", LeftOut.NO_CONSENT) in chosen.left_out


def test_a_search_tells_first_where_it_searches(workspace: Workspace) -> None:
    request = SearchRequest((), ON_RENT, chooses_kb=True)
    first, *rows = list(perform(workspace, request, CancelToken()))
    assert narrow(first, KbsChosen).kbs == ("Contracts",)
    assert {Path(each.as_json()["path"]).name for each in rows} == {"contracts.txt"}


def test_the_conversation_goes_on_where_it_was_asked_and_knows_why(workspace: Workspace) -> None:
    events = asked(workspace, ON_RENT, chooses_kb=True, new_chat=True)
    chat = ChatId(narrow(events[-1], Answer).chat_id or 0)
    assert workspace.catalog.chats.get(chat).kbs == ("Contracts",)
    kept = read_answer(workspace.catalog.chats.messages(chat)[-1].payload)
    assert narrow(the(KbsChosen, list(kept.steps())), KbsChosen).kbs == ("Contracts",)


def test_a_refusal_names_the_base_that_knows(workspace: Workspace) -> None:
    events = asked(workspace, ON_RENT, "Animals", new_chat=True)
    answer = narrow(events[-1], Answer)
    assert answer.mode == "refused"
    other = narrow(the(OtherKb, events), OtherKb)
    assert other.kb == "Contracts"
    assert other.evidence > 0.7
    kept = read_answer(workspace.catalog.chats.messages(ChatId(answer.chat_id or 0))[-1].payload)
    assert the(OtherKb, list(kept.steps())) == other


def test_nothing_is_named_where_no_base_knows_or_this_one_does(workspace: Workspace) -> None:
    for question, kb in ((ON_WHALES, "Animals"), ("Who won the chess match in Oslo?", "Animals")):
        assert the(OtherKb, asked(workspace, question, kb)) is None, question


def test_nothing_else_is_searched_where_the_user_chose_documents_or_does_not_want_it(
    workspace: Workspace,
) -> None:
    assert the(OtherKb, asked(workspace, ON_RENT, "Animals", where="title:whale")) is None
    quiet = with_settings(workspace, Settings(answering=Answering(other_kbs=False)))
    assert the(OtherKb, asked(quiet, ON_RENT, "Animals")) is None


def test_a_base_whose_passages_may_not_go_where_these_may_is_not_named(
    workspace: Workspace,
) -> None:
    workspace.catalog.consents.give(workspace.catalog.kbs.get("Animals").id, PLACE)
    assert the(OtherKb, asked(workspace, ON_RENT, "Animals")) is None
