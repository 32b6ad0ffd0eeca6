"""Summaries that were made before they are asked for: kept, cited again, and gone when they should.

The double stands for the language model; what is counted are its calls.
"""

from __future__ import annotations

from pathlib import Path

from desktop_rag.commands import prepare
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer, Event, ListingRow, ModelCall, Notice
from desktop_rag.core.requests import IndexRequest, PrepareRequest
from desktop_rag.core.types import DocumentId
from testing.ollama_double import OllamaDouble
from testing.ollama_double.models import CHAT, SMALL
from testing.sample_folder import copied
from tests.whole_documents.documents_setup import DocumentsSetup, assert_cited, read_documents
from tests.whole_documents.test_summarise import told_of_each

WAY = "summaries"


def prepared(setup: DocumentsSetup, **more: str) -> dict[str, object]:
    """Prepare for it; return what there is then."""
    request = PrepareRequest("default", WAY, **more)
    events = list(prepare.run(setup.workspace, request, CancelToken()))
    last = events[-1]
    assert isinstance(last, ListingRow)
    return dict(last.values)


def calls(events: list[Event]) -> int:
    return sum(isinstance(each, ModelCall) for each in events)


def kept_of(setup: DocumentsSetup, name: str) -> list[str]:
    number = number_of(setup, name)
    return [each.text for each in setup.workspace.catalog.preparations.texts_of(number, WAY)]


def number_of(setup: DocumentsSetup, name: str) -> DocumentId:
    kb = setup.workspace.catalog.kbs.get("default").id
    row = setup.workspace.catalog.files.get(kb, setup.path(name))
    assert row is not None
    assert row.document_id is not None
    return row.document_id


def test_a_prepared_summary_is_given_without_a_call_and_every_citation_holds(
    modelled: DocumentsSetup, double: OllamaDouble
) -> None:
    double.otherwise = told_of_each
    made = prepared(modelled)
    assert (made["state"], made["prepared"], made["texts"]) == ("ready", 5, 5)
    events = modelled.events("summarise", "first.md", "long.md")
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert calls(events) == answer.llm_calls == 0
    assert answer.mode == "generated"
    assert_cited(answer, modelled.workspace)
    assert {Path(each.path).name for each in answer.citations} == {"first.md", "long.md"}
    told = [each.text for each in events if isinstance(each, Notice)]
    assert "Documents whose summary was prepared: 2." in told
    assert answer.text.startswith("## first.md\n")


def test_another_model_writes_its_own(tmp_path: Path, read_once: tuple[Path, Path]) -> None:
    home, folder = read_once
    with OllamaDouble(CHAT, SMALL) as double:
        double.otherwise = told_of_each
        setup = DocumentsSetup.opened(copied(home, tmp_path / "home"), folder, double.url)
        try:
            prepared(setup)
            assert calls(setup.events("summarise", "first.md")) == 0
            assert calls(setup.events("summarise", "first.md", model=SMALL.name)) > 0
        finally:
            setup.workspace.close()


def test_without_a_model_they_are_the_documents_own_sentences(bare: DocumentsSetup) -> None:
    made = prepared(bare, model="")
    assert (made["state"], made["model"], made["texts"]) == ("ready", None, 5)
    (text,) = kept_of(bare, "合同.md")
    assert "月租金为人民币5000元" in text
    (long,) = kept_of(bare, "long.md")
    assert 8 <= long.count("“") <= 30
    assert_cited(bare.answer("summarise", "long.md"), bare.workspace)


def test_a_summary_leads_to_the_chunks_that_it_quotes(bare: DocumentsSetup) -> None:
    prepared(bare, model="")
    number = number_of(bare, "long.md")
    (kept,) = bare.workspace.catalog.preparations.texts_of(number, WAY)
    chunks = bare.workspace.catalog.documents.get_chunks(kept.sources)
    assert {each.document_id for each in chunks.values()} == {number}
    for n, quote in enumerate(kept.text.split("\n\n"), start=1):
        said, _, cited = quote.rpartition(" [")
        chunk = chunks[kept.sources[int(cited.rstrip("]")) - 1]]
        assert said.strip("“”") in " ".join(chunk.text.split()), n


def test_what_changed_is_summed_up_anew(tmp_path: Path, double: OllamaDouble) -> None:
    name, folder = "note.md", tmp_path / "docs"
    folder.mkdir()
    text = "# Note\n\nThe harbour of Vard froze in the winter of 1929 for eleven weeks.\n"
    (folder / name).write_text(text)
    read_documents(tmp_path / "home", folder, double.url)
    setup = DocumentsSetup.opened(tmp_path / "home", folder, double.url)
    try:
        double.otherwise = told_of_each
        prepared(setup)
        assert "1929" in kept_of(setup, name)[0]
        (folder / name).write_text(text.replace("1929", "1931").replace("eleven", "twelve"))
        request = IndexRequest("default", (str(folder),))
        list(perform(setup.workspace, request, CancelToken()))
        answer = setup.answer("summarise", name)
        assert "1929" not in answer.text
        assert "1931" in answer.text
        prepared(setup)
        assert "1931" in kept_of(setup, name)[0]
        setup.remove(name)
        found = setup.workspace.catalog.database.read().execute("SELECT 1 FROM derived_texts")
        assert found.fetchone() is None
    finally:
        setup.workspace.close()
