"""Questions made of documents and suggested: real files, index and models, no language model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.catalog.facade import Catalog
from desktop_rag.commands import suggested_questions
from desktop_rag.commands.dispatch import perform
from desktop_rag.commands.suggested_questions import has_waiting
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Answer
from desktop_rag.core.requests import AskRequest, RemoveRequest, SuggestedQuestionsRequest
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.core.suggested_question import DocumentLookedAt, QuestionTried, SuggestedQuestion
from desktop_rag.ipc.wire import Call, decode_call, encode_call, pack, unpack
from desktop_rag.workspace import Workspace
from testing.narrowing import narrow
from testing.ollama_double.server import refused_url
from testing.sample_folder import SAMPLES, copied
from tests.indexing.indexed_folder import KB, IndexedFolder

GERMAN = """# Mietvertrag

## 1. Mietsache

Vermietet wird die Wohnung im zweiten Stock des Hauses Hafenstraße 12 mit 64 Quadratmetern.

## 2. Miete und Kaution

Die monatliche Miete beträgt 1.140 Euro und ist am dritten Werktag des Monats fällig.

## 3. Kündigungsfrist

Die Kündigungsfrist beträgt drei Monate zum Monatsende, nach fünf Jahren sechs Monate.
"""
FRENCH = """# Contrat de location

## 1. Le logement

Le bailleur loue au preneur l'appartement du deuxième étage, au 12 rue du Port, avec une cave.

## 2. Loyer

Le loyer mensuel est de 940 euros, payable le trois de chaque mois au compte du bailleur.

## 3. Durée

La durée du bail est de trois ans, et le congé est donné par écrit par celui qui le donne.
"""
SPANISH = """# Contrato de alquiler

## 1. La vivienda

El arrendador alquila al arrendatario el piso de la segunda planta de la calle del Puerto 12.

## 2. Renta

La renta mensual es de 800 euros y se paga el tercer día de cada mes por transferencia.
"""
NOTHING = "One evening we walked along the shore and spoke of old times until it was dark.\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, read_samples: Path) -> Iterator[Workspace]:
    """The samples, read, with their questions."""
    home = copied(read_samples, tmp_path_factory.mktemp("suggested") / "home")
    workspace = open_workspace(home, Settings(ollama=Ollama(host=refused_url())))
    make(workspace)
    yield workspace
    workspace.close()


def make(workspace: Workspace) -> list[QuestionTried]:
    request = SuggestedQuestionsRequest(KB, action="make")
    events = list(perform(workspace, request, CancelToken()))
    assert {type(each) for each in events} <= {QuestionTried, DocumentLookedAt}
    return [each for each in events if isinstance(each, QuestionTried)]


def listed(workspace: Workspace, limit: int = 6) -> list[SuggestedQuestion]:
    events = perform(workspace, SuggestedQuestionsRequest(KB, limit), CancelToken())
    return [narrow(each, SuggestedQuestion) for each in events]


def questions(workspace: Workspace, limit: int = 50) -> set[str]:
    return {each.question for each in listed(workspace, limit)}


def asked(workspace: Workspace, question: str, *, new_chat: bool = False) -> Answer:
    request = AskRequest((KB,), question, new_chat=new_chat)
    *_, last = perform(workspace, request, CancelToken())
    return narrow(last, Answer)


def test_the_samples_suggest_what_a_person_might_ask(made: Workspace) -> None:
    found = questions(made)
    assert {
        "What is the monthly rent?",
        "What is the membership fee?",
        "What was the passenger revenue in 2024?",
        "《差旅报销制度》从什么时候起施行？",
    } <= found
    assert all(len(each) <= 80 for each in found)


def test_each_is_answered_by_a_quote_of_its_document_first(made: Workspace) -> None:
    for each in listed(made, 50):
        answer = asked(made, each.question)
        assert answer.mode == "extracted", each.question
        assert answer.citations[0].path == each.path, each.question


def test_every_document_has_its_turn_before_one_has_a_second(made: Workspace) -> None:
    found = listed(made)
    documents = len({each.document_id for each in listed(made, 50)})
    assert len({each.document_id for each in found[:documents]}) == documents
    assert len(found) == 6
    assert [each.question for each in listed(made, 2)] == [each.question for each in found[:2]]


def test_what_was_looked_at_is_not_looked_at_again(made: Workspace) -> None:
    assert not has_waiting(made, made.catalog.kbs.get(KB).id)
    assert make(made) == []


def test_what_was_asked_in_a_kept_conversation_is_not_suggested(
    tmp_path: Path, read_samples: Path
) -> None:
    home = copied(read_samples, tmp_path / "home")
    with closing(open_workspace(home, Settings(ollama=Ollama(host=refused_url())))) as workspace:
        make(workspace)
        first = listed(workspace)[0].question
        asked(workspace, first)
        assert first in questions(workspace), "nothing was kept of that"
        asked(workspace, first, new_chat=True)
        assert first not in questions(workspace)


def test_they_go_with_their_document(tmp_path: Path, read_samples: Path) -> None:
    home = copied(read_samples, tmp_path / "home")
    with closing(open_workspace(home, Settings(ollama=Ollama(host=refused_url())))) as workspace:
        make(workspace)
        gone = next(each for each in listed(workspace, 50) if "rent" in each.question)
        list(perform(workspace, RemoveRequest(KB, (gone.path,)), CancelToken()))
        assert gone.document_id not in {each.document_id for each in listed(workspace, 50)}
        rows = workspace.catalog.database.read().execute(
            "SELECT count(*) FROM suggested_questions WHERE questions LIKE '%rent?%'"
        )
        assert rows.fetchone() == (0,)
    held = b"".join(each.read_bytes() for each in home.glob("catalog*"))
    assert gone.question.encode() not in held


def test_of_a_document_in_two_knowledge_bases_they_go_with_the_one_that_loses_it(
    library: IndexedFolder,
) -> None:
    catalog, path = library.workspace.catalog, library.write("miete.md", GERMAN)
    library.index()
    other = catalog.kbs.ensure("other").id
    ((document, _),) = catalog.suggestions.looked_at(library.kb, "1", 5)
    catalog.suggestions.store(library.kb, document.document_id, "1", ["Was?"])
    catalog.files.transfer(library.kb, other, [str(path)])
    assert catalog.suggestions.newest(library.kb, 5) == []
    assert catalog.suggestions.looked_at(other, "1", 5) == [(document, -1)]
    rows = catalog.database.read().execute("SELECT count(*) FROM suggested_questions")
    assert rows.fetchone() == (0,)


def test_each_document_is_asked_in_its_own_language(library: IndexedFolder) -> None:
    for name, text in (("miete.md", GERMAN), ("bail.md", FRENCH), ("renta.md", SPANISH)):
        library.write(name, text)
    library.index(library.docs, SAMPLES)
    make(library.workspace)
    assert {
        "Wie hoch ist die monatliche Miete?",
        "Wie lang ist die Kündigungsfrist?",
        "Quel est le loyer mensuel ?",
        "Quelle est la durée du bail ?",
        "¿Cuál es la renta mensual?",
        "《差旅报销制度》从什么时候起施行？",
    } <= questions(library.workspace)


def test_a_document_with_nothing_to_ask_has_no_question_and_is_looked_at_once(
    library: IndexedFolder,
) -> None:
    library.write("evening.txt", NOTHING)
    library.index()
    assert has_waiting(library.workspace, library.kb)
    assert make(library.workspace) == []
    assert questions(library.workspace) == set()
    assert not has_waiting(library.workspace, library.kb)


def test_documents_are_read_on_where_the_making_was_stopped(
    tmp_path: Path, read_samples: Path
) -> None:
    home = copied(read_samples, tmp_path / "home")
    with closing(open_workspace(home, Settings(ollama=Ollama(host=refused_url())))) as workspace:
        request = SuggestedQuestionsRequest(KB, action="make")
        steps = perform(workspace, request, CancelToken())
        first = next(each for each in steps if isinstance(each, QuestionTried))
        steps.close()  # type: ignore[attr-defined]
        again = make(workspace)
        assert again[0] == first, "its document was not done"


def test_the_same_question_of_two_documents_is_suggested_once(library: IndexedFolder) -> None:
    for name in ("a.txt", "b.txt"):
        library.write(name, f"{name}\n\n{GERMAN}")
    library.index()
    catalog = library.workspace.catalog
    for each, _ in catalog.suggestions.looked_at(library.kb, "1", 5):
        catalog.suggestions.store(library.kb, each.document_id, "1", ["Wie hoch ist der Beitrag?"])
    assert len(listed(library.workspace)) == 1


def test_a_request_and_its_events_cross_a_socket(made: Workspace) -> None:
    request = SuggestedQuestionsRequest(KB, 3)
    call = Call(request)
    assert decode_call(unpack(pack(encode_call(call)))) == call
    (first, *_) = listed(made)
    assert first.as_json()["question"] == first.question


def test_what_is_no_action_is_refused(made: Workspace) -> None:
    with pytest.raises(UsageError):
        list(perform(made, SuggestedQuestionsRequest(KB, action="guess"), CancelToken()))


def test_documents_of_before_are_looked_at_as_well_the_newest_first(
    tmp_path: Path, read_samples: Path
) -> None:
    home = copied(read_samples, tmp_path / "home")
    with closing(Catalog.open(home)) as catalog:
        kb = catalog.kbs.get(KB).id
        found = catalog.suggestions.looked_at(kb, "1", 50)
        assert {count for _, count in found} == {-1}
        rows = sorted(catalog.files.under(kb), key=lambda row: row.changed_at, reverse=True)
        assert [each.document_id for each, _ in found] == [row.document_id for row in rows]
        assert catalog.suggestions.looked_at(kb, "1", 3) == found[:3]


def test_a_document_behind_enough_others_is_not_looked_at(
    library: IndexedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.write("old.txt", f"A note. {NOTHING}")
    library.index()
    library.write("new.md", GERMAN)
    library.index()
    catalog, kb = library.workspace.catalog, library.kb
    (new, _), (old, _) = catalog.suggestions.looked_at(kb, "1", 5)
    catalog.suggestions.store(kb, new.document_id, "1", ["Was?"])
    assert has_waiting(library.workspace, kb)
    monkeypatch.setattr(suggested_questions, "_ENOUGH", 1)
    assert not has_waiting(library.workspace, kb)
    make(library.workspace)
    assert catalog.suggestions.looked_at(kb, "1", 5)[1] == (old, -1)
