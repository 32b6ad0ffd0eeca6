from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Settings
from desktop_rag.engine.evaluation.ways import Retrieving
from desktop_rag.engine.strategies.base import Question
from desktop_rag.engine.strategies.engine import Engine
from tests.engine.shelf import Shelf, passages
from tests.engine.strategies.conftest import finished


def test_of_an_answer_in_parts_the_passages_are_measured_too() -> None:
    question = Question("Where?", "Where?", "en")
    research = Retrieving(Engine(Shelf(), None, None, Settings()), question, CancelToken())
    shown = passages("She was born in Oslo.", "Oslo is a city.")
    research.tally.shown = shown
    _, outcome = finished(research.written())
    assert outcome.sources == shown
