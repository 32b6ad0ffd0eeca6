"""A desk to ask at: a real catalog, a real client of the Ollama double, and no index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from desktop_rag.catalog.facade import Catalog
from desktop_rag.commands import ask
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Answer, Event
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings import Settings
from desktop_rag.indexing.key_ring import KeyRing
from desktop_rag.indexing.password_store import PasswordStore
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.previous_embedders import PreviousEmbedders
from desktop_rag.models.protocols import ChatModel
from desktop_rag.tables.table_store import TableStore
from desktop_rag.workspace import ActiveModels, Lazy, Workspace
from testing.fake_retriever import FakeRetriever

COURT = "The court is currently filled with nine justices. Anna Berg founded it in 1902."
TEA = "Tea is grown in the hills."
QUESTION = "How many justices has the court?"
NO_MODEL = ModelUnavailable("Ollama does not answer.", "Start Ollama.")


def nothing() -> None:
    raise AssertionError("not needed to answer a question")


class AskSetup:
    """A workspace around a shelf: real catalog, real Ollama client, no index."""

    def __init__(self, folder: Path, url: str | None) -> None:
        self.retriever = FakeRetriever(COURT, TEA)
        self.url = url
        self.catalog = Catalog.open(folder)
        self.catalog.kbs.ensure("default")
        self.settings = Settings()
        self.token = CancelToken()

    def chat_model(self, name: str, consent: Consent) -> ChatModel:
        del consent
        if self.url is None:
            raise NO_MODEL
        return OllamaChat(self.url, name or "llama3.2:3b", self.settings.ollama)

    @property
    def workspace(self) -> Workspace:
        return Workspace(
            data_dir=Path("/nowhere"),
            settings=self.settings,
            catalog=self.catalog,
            models=ActiveModels(Lazy(lambda: None), Lazy(tuple), PreviousEmbedders(Settings())),  # type: ignore[arg-type,return-value]
            turns=RunCoordinator(),
            passwords=PasswordStore(self.catalog.choices, KeyRing()),
            lazy_indexes=Lazy(nothing),  # type: ignore[arg-type]
            lazy_retriever=Lazy(lambda: self.retriever),  # type: ignore[arg-type,return-value]
            lazy_parsers=Lazy(nothing),  # type: ignore[arg-type]
            lazy_indexer=Lazy(nothing),  # type: ignore[arg-type]
            make_chat_model=self.chat_model,
            tables=TableStore(self.catalog),
        )

    def start(self, question: str = QUESTION, **more: Any) -> Iterator[Event]:
        request = AskRequest(kbs=("default",), question=question, **more)
        return ask.run(self.workspace, request, self.token)

    def ask(self, question: str = QUESTION, **more: Any) -> list[Event]:
        return list(self.start(question, **more))

    def answer(self, question: str = QUESTION, **more: Any) -> Answer:
        last = self.ask(question, **more)[-1]
        assert isinstance(last, Answer)
        return last
