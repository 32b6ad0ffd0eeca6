"""What leaves this computer, and for which knowledge base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace, with_settings
from desktop_rag.commands import doctor
from desktop_rag.commands.consent_check import (
    MissingConsent,
    any_consent,
    common_consent,
    missing_consent,
    other_kbs_with_consent,
)
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Answer, ListingRow, Notice
from desktop_rag.core.requests import AskRequest, IndexRequest
from desktop_rag.core.settings import Ollama, Privacy, Settings
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.ollama.address import require_consent
from desktop_rag.workspace import Workspace
from testing.narrowing import narrow
from testing.ollama_double import DoubleModel, OllamaDouble

PLACE = "http://203.0.113.7:11434"
REMOTE = Settings(ollama=Ollama(host=PLACE, model="m"))


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = open_workspace(tmp_path / "home", REMOTE)
    for name in ("contracts", "diary"):
        made.catalog.kbs.create(name)
    yield made
    made.close()


def allow(workspace: Workspace, kb: str, place: str = PLACE) -> None:
    workspace.catalog.consents.give(workspace.catalog.kbs.get(kb).id, place)


def test_only_the_knowledge_base_with_consent_may_go(workspace: Workspace) -> None:
    allow(workspace, "contracts")
    require_consent(PLACE, common_consent(workspace, ["contracts"]))
    assert common_consent(workspace, ["contracts"]).covers(PLACE)
    for kbs in (["diary"], ["contracts", "diary"]):
        assert not common_consent(workspace, kbs).covers(PLACE)
    assert any_consent(workspace).covers(PLACE)


def test_another_knowledge_base_is_in_reach_only_where_its_passages_may_go(
    workspace: Workspace,
) -> None:
    contracts = (workspace.catalog.kbs.get("contracts").id,)
    assert [base.name for base in other_kbs_with_consent(workspace, contracts)] == ["diary"]
    allow(workspace, "contracts")
    assert other_kbs_with_consent(workspace, contracts) == ()
    allow(workspace, "diary")
    assert [base.name for base in other_kbs_with_consent(workspace, contracts)] == ["diary"]


@pytest.mark.parametrize("privacy", [Privacy(allow_remote=True), Privacy(block_remote=True)])
def test_another_is_in_reach_where_all_are_treated_alike(
    workspace: Workspace, privacy: Privacy
) -> None:
    allow(workspace, "contracts")
    view = with_settings(workspace, replace(REMOTE, privacy=privacy))
    contracts = (workspace.catalog.kbs.get("contracts").id,)
    assert [base.name for base in other_kbs_with_consent(view, contracts)] == ["diary"]


def test_a_question_says_what_it_lacks(workspace: Workspace) -> None:
    allow(workspace, "contracts")
    request = AskRequest(("contracts", "diary"), "Why?")
    assert missing_consent(workspace, request, CancelToken()) == MissingConsent(PLACE, ("diary",))
    assert missing_consent(workspace, AskRequest(("contracts",), "Why?"), CancelToken()) is None


@pytest.mark.parametrize(
    "privacy", [Privacy(allow_remote=True), Privacy(block_remote=True)], ids=["allowed", "blocked"]
)
def test_nobody_is_asked_where_the_answer_is_known(workspace: Workspace, privacy: Privacy) -> None:
    view = with_settings(workspace, replace(REMOTE, privacy=privacy))
    assert missing_consent(view, AskRequest(("diary",), "Why?"), CancelToken()) is None


def test_the_switch_wins_over_every_consent(workspace: Workspace, only_loopback: list[str]) -> None:
    allow(workspace, "contracts")
    view = with_settings(workspace, replace(REMOTE, privacy=Privacy(block_remote=True)))
    with pytest.raises(ModelUnavailable, match="are blocked"):
        view.chat_model("", common_consent(view, ["contracts"]))
    assert only_loopback == []


def test_a_model_in_a_cloud_is_another_computer(workspace: Workspace) -> None:
    with OllamaDouble(DoubleModel("big:cloud"), DoubleModel("here:latest")) as ollama:
        view = with_settings(workspace, Settings(ollama=Ollama(host=ollama.url)))
        cloud = AskRequest(("diary",), "Why?", model="big:cloud")
        here = AskRequest(("diary",), "Why?", model="here")
        found = missing_consent(view, cloud, CancelToken())
        assert found == MissingConsent("https://ollama.com:443", ("diary",))
        assert missing_consent(view, here, CancelToken()) is None


def test_without_consent_the_answer_is_made_of_quotes(
    workspace: Workspace, tmp_path: Path, only_loopback: list[str]
) -> None:
    text = tmp_path / "ferry.txt"
    text.write_text("The ferry Sula runs on electricity. It cut the fuel used by 71 percent.\n" * 4)
    for kb in ("contracts", "diary"):
        list(perform(workspace, IndexRequest(kb, (str(text),)), CancelToken()))
    allow(workspace, "contracts")
    events = list(perform(workspace, AskRequest(("diary",), "Which ferry?"), CancelToken()))
    assert isinstance(events[-1], Answer)
    assert events[-1].mode == "extracted"
    said = " ".join(each.text for each in events if isinstance(each, Notice))
    assert "another computer" in said
    assert only_loopback == []
    list(perform(workspace, AskRequest(("contracts",), "Which ferry?"), CancelToken()))
    assert set(only_loopback) == {"socket.connect 203.0.113.7"}
    only_loopback.clear()


def test_a_shared_chroma_elsewhere_is_left_alone_while_others_are_blocked(
    tmp_path: Path, only_loopback: list[str]
) -> None:
    privacy = Privacy(block_remote=True, chroma_url="http://203.0.113.7:8000")
    opened = open_workspace(tmp_path / "other", Settings(privacy=privacy))
    kb = opened.catalog.kbs.create("contracts")
    opened.catalog.consents.give(kb.id, privacy.chroma_url)
    assert opened.indexes.of(kb.id).check() is None
    opened.close()
    assert only_loopback == []


def test_a_model_is_kept_with_what_it_learnt_of_tokens(workspace: Workspace) -> None:
    with OllamaDouble() as ollama:
        view = with_settings(workspace, Settings(ollama=Ollama(host=ollama.url)))
        first = view.chat_model("llama3.2:3b")
        assert view.chat_model("llama3.2:3b") is first
        changed = replace(view.settings, ollama=replace(view.settings.ollama, num_ctx=4096))
        other = with_settings(view, changed).chat_model("llama3.2:3b")
        assert other is not first
        text = "word " * 200
        before = other.estimate_tokens(text)
        narrow(first, OllamaChat)._estimate.learn([text], 2 * before)
        assert other.estimate_tokens(text) > before


@pytest.mark.parametrize(
    ("privacy", "given", "status", "said"),
    [
        (Privacy(), False, "ok", "not used without your consent"),
        (Privacy(), True, "warning", "Texts of some knowledge bases are sent to"),
        (Privacy(block_remote=True), True, "ok", "blocked"),
        (Privacy(allow_remote=True), False, "warning", "Texts are sent to"),
    ],
)
def test_the_doctor_says_where_texts_may_go(
    workspace: Workspace, privacy: Privacy, given: bool, status: str, said: str
) -> None:
    if given:
        allow(workspace, "contracts")
    settings = replace(REMOTE, privacy=privacy, ollama=Ollama(host="http://203.0.113.7:11434"))
    view = with_settings(workspace, settings)
    checks = [
        event.values
        for event in doctor._looked(
            "privacy",
            lambda: doctor._privacy(settings, view.catalog.consents.any_places()),
            CancelToken(),
        )
        if isinstance(event, ListingRow)
    ]
    assert [(each["status"], said in each["detail"]) for each in checks] == [(status, True)]
