"""The samples, asked on a machine without a language model: real parsers, index and models."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.settings import Ollama, Settings
from desktop_rag.core.types import Citation
from desktop_rag.workspace import Workspace
from testing.ollama_double.server import refused_url
from testing.sample_folder import copied


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, read_samples: Path) -> Iterator[Workspace]:
    settings = Settings(ollama=Ollama(host=refused_url()))
    home = copied(read_samples, tmp_path_factory.mktemp("samples") / "home")
    workspace = open_workspace(home, settings)
    yield workspace
    workspace.close()


def asked(workspace: Workspace, question: str) -> Answer:
    *_, last = perform(workspace, AskRequest(("default",), question), CancelToken())
    assert isinstance(last, Answer)
    return last


def stands_at(workspace: Workspace, citation: Citation, answer: Answer) -> str:
    """Return the text that the document has where a citation points."""
    source = answer.sources[citation.n - 1]
    start, end = citation.locator.start, citation.locator.end
    assert start is not None
    assert end is not None
    return workspace.catalog.documents.text(source.document_id, start, end)


@pytest.mark.parametrize(
    ("question", "said", "file"),
    [
        ("How long is the notice period of the lease?", "three months", "Lease agreement.docx"),
        ("Who bears the cost of small repairs?", "borne by the tenant", "Lease agreement.docx"),
        ("Who was elected chair of the board?", "Ingrid Solheim", "Annual report 2024.pdf"),
        ("How many passengers travelled in 2024?", "1.86 million", "Annual report 2024.pdf"),
        ("How high is the membership fee of the garden society?", "45 euros", "Meeting notes.md"),
        ("一线城市的住宿标准是每晚多少元？", "550元", "差旅报销制度.md"),
        ("出差须提前几个工作日提交申请？", "三个工作日", "差旅报销制度.md"),
    ],
)
def test_the_samples_answer_by_quoting(
    samples: Workspace, question: str, said: str, file: str
) -> None:
    answer = asked(samples, question)
    assert answer.mode == "extracted"
    assert said in answer.text
    assert any(Path(c.path).name == file and said in c.quote for c in answer.citations)
    for citation in answer.citations:
        assert stands_at(samples, citation, answer) == citation.quote


def test_a_cell_of_a_sheet_is_quoted_with_its_place(samples: Workspace) -> None:
    answer = asked(samples, "What are the delivery days of Kiso Outdoor?")
    assert "“Delivery days: 35”" in answer.text
    assert answer.citations[0].locator.value == "Suppliers"


def test_a_quote_of_a_pdf_has_the_boxes_of_its_own_lines(samples: Workspace) -> None:
    answer = asked(samples, "Who was elected chair of the board?")
    citation = next(c for c in answer.citations if "Solheim" in c.quote)
    source = answer.sources[citation.n - 1]
    assert citation.locator.boxes
    assert len(citation.locator.boxes) < len(source.locator.boxes)


@pytest.mark.parametrize(
    ("question", "refusal"),
    [
        ("Which volcano erupted in Iceland?", "Not found in your documents."),
        ("火星上有多少座火山？", "在您的文档中没有找到答案。"),
    ],
)
def test_what_the_samples_do_not_hold_is_refused(
    samples: Workspace, question: str, refusal: str
) -> None:
    answer = asked(samples, question)
    assert (answer.mode, answer.text, answer.citations) == ("refused", refusal, ())
