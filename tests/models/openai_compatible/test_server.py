"""What servers of OpenAI's protocol tell of themselves, and who is none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from desktop_rag.core.errors import ModelUnavailable, NotAllowed
from desktop_rag.core.remote_consent import Consent
from desktop_rag.models.openai_compatible import OpenAIServer
from desktop_rag.models.openai_compatible.server_errors import NotCompatible, OllamaAnswers
from testing.ollama_double import DoubleModel, OllamaDouble, fail
from testing.ollama_double.models import CHAT, EMBEDDING
from testing.openai_double import LLAMA_CPP, LM_STUDIO, OTHER, VLLM, OpenAIDouble
from tests.attacks.hostile_ollama import NOT_THERE, HostileOllama, body, head, packed, silent

MIB = 1 << 20


@pytest.mark.parametrize("product", [LLAMA_CPP, LM_STUDIO, VLLM])
def test_each_program_is_known_by_its_list(product: str) -> None:
    with OpenAIDouble(product=product, context=3000) as double:
        server = OpenAIServer(double.url)
        assert [each.name for each in server.models()] == [CHAT.name]
        assert server.title == product
        assert [each.context_length for each in server.running()] == [3000]
        assert server.first_chat_model() == CHAT.name


def test_a_program_that_is_not_known_lists_names_alone() -> None:
    with OpenAIDouble(product=OTHER) as double:
        server = OpenAIServer(double.url)
        (found,) = server.models()
        assert (found.name, found.context_length) == (CHAT.name, None)
        assert server.running() == ()
        assert server.title == "OpenAI-compatible server"


def test_the_v1_that_people_copy_along_is_no_hindrance() -> None:
    with OpenAIDouble() as double:
        assert OpenAIServer(f"{double.url}/v1/").models()


def test_llama_cpp_tells_parameters_and_size() -> None:
    with OpenAIDouble() as double:
        (found,) = OpenAIServer(double.url).models()
        assert (found.parameters, found.quantization, found.size) == ("3.2B", "Q4_K_M", 2 << 30)


def test_embedding_models_are_not_asked_and_loaded_ones_come_first() -> None:
    with OpenAIDouble(EMBEDDING, CHAT, product=LM_STUDIO) as double:
        assert OpenAIServer(double.url).first_chat_model() == CHAT.name
        double.models = {EMBEDDING.name: EMBEDDING}
        with pytest.raises(ModelUnavailable, match="no model is loaded") as caught:
            OpenAIServer(double.url).first_chat_model()
        assert "Load a model" in caught.value.remedy


def test_a_server_without_models_says_what_to_do() -> None:
    with OpenAIDouble() as double:
        double.models = {}
        assert OpenAIServer(double.url).models() == ()
        with pytest.raises(ModelUnavailable, match="no model is loaded"):
            OpenAIServer(double.url).first_chat_model()


def test_a_server_that_wants_a_key_is_told_apart() -> None:
    with OpenAIDouble() as double:
        double.key = "sk-secret"
        with pytest.raises(ModelUnavailable, match="wants a key") as caught:
            OpenAIServer(double.url).models()
        assert "--api-key" in caught.value.remedy


def test_another_computer_is_not_asked_without_consent(only_loopback: list[str]) -> None:
    url = "http://192.168.1.50:1234"
    with pytest.raises(NotAllowed, match="another computer"):
        OpenAIServer(url).models()
    with pytest.raises(NotAllowed, match="blocked"):
        OpenAIServer(url, Consent(frozenset({url}), blocked=True)).models()
    assert only_loopback == []


PAGE = b"<!DOCTYPE html><title>Jenkins</title>"
NOT_COMPATIBLE = {
    "a page": body(PAGE),
    "a page that is missing": body(PAGE, 404),
    "no object": body([1]),
    "an object without a list": body({"status": "ok"}),
    "LM Studio's word for no such path": body({"error": "Unexpected endpoint or method. (GET /)"}),
    "a list of something else": body({"data": [{"title": "a post"}]}),
    "names that are none": body({"data": [{"id": 3}]}),
    "a data that is none": body({"data": "models"}),
}


@pytest.mark.parametrize("kind", NOT_COMPATIBLE)
def test_only_a_list_of_models_is_taken_for_one(kind: str) -> None:
    with HostileOllama() as server:
        server.replies["/v1/models"] = NOT_COMPATIBLE[kind]
        with pytest.raises(NotCompatible, match="neither Ollama nor"):
            OpenAIServer(server.url).models()


@pytest.mark.parametrize("name", ["llama3.2:3b", "vllm/secret:120b-cloud", ""])
def test_an_ollama_is_never_taken_for_another(name: str) -> None:
    models = [DoubleModel(name)] if name else []
    with OllamaDouble(*models) as double:
        if not name:
            double.models.clear()
        with pytest.raises(OllamaAnswers):
            OpenAIServer(double.url).models()


def test_what_may_be_an_ollama_in_trouble_is_not_taken_for_another() -> None:
    with OllamaDouble(DoubleModel("vllm/secret:1b")) as double:
        double.trouble["/api/tags"] = fail(503, "no slot")
        with pytest.raises(ModelUnavailable, match="busy"):
            OpenAIServer(double.url).models()


def test_a_program_that_drops_what_it_does_not_know_has_models_all_the_same() -> None:
    def deep(write: Callable[[bytes], None]) -> None:
        write(head() + b'{"data": ' + b"[" * 200_000)

    for behave in (lambda _write: None, deep, silent):
        with HostileOllama(tags=NOT_THERE) as server:
            server.replies["/v1/models"] = body({"data": [{"id": "m"}]})
            server.replies["/api/v0/models"] = behave
            (found,) = OpenAIServer(server.url).models()
        assert found.name == "m"


def test_a_long_list_of_lm_studio_s_is_read_once() -> None:
    rows = [{"id": f"m{at % 500}", "state": "loaded", "arch": str(at)} for at in range(60_000)]
    with HostileOllama(tags=NOT_THERE) as server:
        server.replies["/v1/models"] = body({"data": rows[:500]})
        server.replies["/api/v0/models"] = body({"data": rows})
        found = OpenAIServer(server.url).models()
    assert [each.family for each in found] == [str(at) for at in range(500)]


def test_a_long_list_and_a_packed_one_are_refused() -> None:
    def endless(write: object) -> None:
        write(head() + b'{"data": ["')  # type: ignore[operator]
        for _ in range(20):
            write(b"x" * MIB)  # type: ignore[operator]

    for behave in (endless, packed("gzip")):
        with HostileOllama() as server:
            server.replies["/v1/models"] = behave
            with pytest.raises(ModelUnavailable, match="answers oddly"):
                OpenAIServer(server.url).models()


def test_who_hangs_up_is_told() -> None:
    with HostileOllama() as server:
        server.replies["/v1/models"] = lambda _write: None
        with pytest.raises(ModelUnavailable, match="hangs up"):
            OpenAIServer(server.url).models()


def test_who_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.models.openai_compatible.server._SECONDS", 0.2)
    with HostileOllama() as server:
        server.replies["/v1/models"] = silent
        with pytest.raises(ModelUnavailable, match="too long to answer"):
            OpenAIServer(server.url).models()


def test_names_are_shown_on_one_line_and_only_so_many() -> None:
    rows = [{"id": f"model\n{at}\u202e"} for at in range(700)]
    with HostileOllama(tags=NOT_THERE) as server:
        server.replies["/v1/models"] = body({"data": rows})
        found = OpenAIServer(server.url).models()
    assert len(found) == 500
    assert all("\n" not in each.name and "\u202e" not in each.name for each in found)


def test_a_model_s_extras_may_be_nonsense() -> None:
    row = {"id": "m", "owned_by": 3, "meta": [1], "max_model_len": "many"}
    with HostileOllama(tags=NOT_THERE) as server:
        server.replies["/v1/models"] = body({"data": [row]})
        server.replies["/api/v0/models"] = body({"data": [1, "state", None]})
        (found,) = OpenAIServer(server.url).models()
    assert found.name == DoubleModel("m").name
