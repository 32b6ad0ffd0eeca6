"""Not a byte of a prompt goes to a model that Ollama runs elsewhere, however it is spelled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import ollama
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, NotAllowed
from desktop_rag.core.ollama_records import CLOUD, is_cloud_name
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat, OllamaEmbedder, OllamaServer
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyPiece
from testing.ollama_double import DoubleModel, OllamaDouble, fail
from testing.ollama_double.models import CHAT, EMBEDDING

SECRET = "What did the surgeon write?"
ASKED = [Message("user", SECRET)]
BEGUN = [*ASKED, Message("assistant", "The surgeon wrote")]
VERSIONS = ("0.12.11", "0.18.0", "0.33.1")
SPELLINGS = (
    "gpt-oss:120b-cloud", "GPT-OSS:120B-Cloud", "gpt-oss:120b-CLOUD ", " glm:cloud", "glm:Cloud",
    "glm: cloud", "glm:\tCLOUD", "llama3.2:3b:cloud", "llama3.2:3b:CLOUD", "llama3.2:3b-cloud",
)  # fmt: skip
HERE = ("llama3.2:3b", "my-cloud-model:latest", "cloud:latest", "cloudy:7b", "x/cloud:local")


@pytest.fixture(params=VERSIONS)
def double(request: pytest.FixtureRequest) -> Iterator[OllamaDouble]:
    with OllamaDouble(CHAT, EMBEDDING) as running:
        running.version = request.param
        yield running


def asked(double: OllamaDouble, name: str, consent: Consent | None = None) -> str:
    chat = OllamaChat(double.url, name, Ollama(), consent or Consent())
    parts = list(chat.chat(ASKED, GenerationOptions(), CancelToken()))
    return "".join(each.text for each in parts if isinstance(each, ReplyPiece))


def mine(field: str) -> DoubleModel:
    """Return a model with a plain name that a field of the lists says to run elsewhere."""
    told: dict[str, Any] = {field: CLOUD}
    return DoubleModel("mine:latest", **told)


def has_left(double: OllamaDouble) -> bool:
    """Whether anything of a prompt was sent to be generated from."""
    paths = ("/api/chat", "/api/generate", "/api/embed")
    return bool(double.passed_on) or any(double.to(path) for path in paths)


@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("is_listed", [True, False], ids=["listed", "not listed"])
def test_no_spelling_of_a_cloud_model_gets_a_byte(
    double: OllamaDouble, name: str, *, is_listed: bool
) -> None:
    if is_listed:
        double.models[name] = DoubleModel(name)
    for messages in (ASKED, BEGUN):
        chat = OllamaChat(double.url, name, Ollama())
        with pytest.raises(ModelUnavailable, match=r"not on this computer|not installed"):
            list(chat.chat(messages, GenerationOptions(), CancelToken()))
    with pytest.raises(ModelUnavailable, match=r"not on this computer|not installed"):
        OllamaEmbedder(double.url, name, Ollama())
    assert not has_left(double)
    assert is_cloud_name(name)


@pytest.mark.parametrize("field", ["remote_host", "remote_model"])
@pytest.mark.parametrize("path", ["/api/tags", "/api/show"])
def test_a_plain_name_that_a_list_or_show_places_elsewhere_gets_no_byte(
    double: OllamaDouble, field: str, path: str
) -> None:
    double.models["mine:latest"] = mine(field)
    plain = DoubleModel("mine:latest")
    if path == "/api/tags":
        double.verbatim["/api/show"] = json.dumps(plain.shown())
    else:
        double.verbatim["/api/tags"] = json.dumps({"models": [plain.listed()]})
    with pytest.raises(NotAllowed, match=r"mine:latest runs at https://ollama\.com:443"):
        asked(double, "mine")
    assert not has_left(double)


@pytest.mark.parametrize("field", ["remote_host", "remote_model"])
def test_a_reply_that_names_another_place_ends_the_call(field: str) -> None:
    with OllamaDouble(mine(field)) as double:
        plain = DoubleModel("mine:latest")
        double.verbatim = {
            "/api/tags": json.dumps({"models": [plain.listed()]}),
            "/api/show": json.dumps(plain.shown()),
        }
        with pytest.raises(NotAllowed, match=r"passed the question on to https://ollama\.com:443"):
            asked(double, "mine")
        assert len(double.chats) == 1
        assert asked(double, "mine", Consent(everywhere=True))


def test_the_double_passes_on_what_a_careless_client_sends() -> None:
    with OllamaDouble(CHAT) as double:
        double.version = "0.18.0"
        with ollama.Client(double.url, trust_env=False) as careless:
            careless.chat(" GPT-OSS:120B-Cloud", [{"role": "user", "content": SECRET}])
        assert double.passed_on[0].said("user") == SECRET


def test_a_model_on_this_computer_is_asked_as_such_where_the_server_knows_how() -> None:
    names = {"0.12.11": CHAT.name, "0.17.9": CHAT.name, "0.18.0": f"{CHAT.name}:local"}
    names |= {"1.0.0-rc1": f"{CHAT.name}:local", "unknown": CHAT.name}
    for version, name in names.items():
        with OllamaDouble(CHAT, EMBEDDING) as double:
            double.verbatim["/api/version"] = json.dumps({"version": version})
            double.version = version if version != "unknown" else "0.12.11"
            assert asked(double, CHAT.name)
            assert double.chats[0].model == name
            OllamaEmbedder(double.url, EMBEDDING.name, Ollama()).embed(["a text"])
            assert {each.model for each in double.to("/api/embed")} == {
                name.replace(CHAT.name, EMBEDDING.name)
            }


def test_a_model_that_is_replaced_by_one_elsewhere_is_refused_by_the_server_itself() -> None:
    """Between the list and the question somebody may have made the name one of the cloud's."""
    with OllamaDouble(CHAT) as double:
        double.version = "0.18.0"
        chat = OllamaChat(double.url, CHAT.name, Ollama())
        list(chat.chat(ASKED, GenerationOptions(), CancelToken()))
        double.models[CHAT.name] = DoubleModel(CHAT.name, remote_host=CLOUD)
        with pytest.raises(ModelUnavailable, match="not installed"):
            list(chat.chat(ASKED, GenerationOptions(), CancelToken()))
        assert double.passed_on == []


def test_with_consent_it_is_asked_by_its_own_name() -> None:
    cloud = DoubleModel("gpt-oss:120b-cloud", remote_host=CLOUD, remote_model="gpt-oss:120b")
    with OllamaDouble(cloud) as double:
        double.version = "0.18.0"
        assert asked(double, cloud.name, Consent(frozenset({CLOUD})))
        assert double.passed_on[0].model == cloud.name
        double.cloud_is_off = True
        with pytest.raises(ModelUnavailable, match="which is switched off there"):
            asked(double, cloud.name, Consent(frozenset({CLOUD})))
        double.trouble["/api/chat"] = fail(401, "unauthorized")
        with pytest.raises(ModelUnavailable, match="not signed in") as error:
            asked(double, cloud.name, Consent(frozenset({CLOUD})))
        assert "ollama signin" in error.value.remedy


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_model_in_the_cloud_is_not_even_fetched_without_consent(
    double: OllamaDouble, name: str
) -> None:
    with pytest.raises(NotAllowed, match="not on this computer"):
        list(OllamaServer(double.url).pull(name, CancelToken()))
    blocked = OllamaServer(double.url, Consent(frozenset({CLOUD}), blocked=True))
    with pytest.raises(NotAllowed, match="blocked"):
        list(blocked.pull(name, CancelToken()))
    assert double.to("/api/pull") == []
    double.pullable[name] = DoubleModel(name, remote_host=CLOUD, remote_model="x")
    server = OllamaServer(double.url, Consent(frozenset({CLOUD})))
    assert [part.status for part in server.pull(name, CancelToken())][-1] == "success"


@pytest.mark.parametrize("name", HERE)
def test_a_name_that_only_has_the_word_in_it_is_of_this_computer(name: str) -> None:
    assert not is_cloud_name(name)


def test_whether_the_cloud_is_off_is_told_from_0_16_2_on() -> None:
    with OllamaDouble(CHAT) as double:
        server = OllamaServer(double.url)
        assert server.cloud_is_off() is None
        double.version = "0.16.2"
        assert server.cloud_is_off() is False
        double.cloud_is_off = True
        assert server.cloud_is_off() is True
        double.verbatim["/api/status"] = '{"cloud": {"disabled": "perhaps"}}'
        assert server.cloud_is_off() is None
        double.trouble["/api/status"] = fail(500, "out of order")
        del double.verbatim["/api/status"]
        with pytest.raises(ModelUnavailable):
            server.cloud_is_off()
        assert httpx.get(f"{double.url}/api/status", trust_env=False).status_code == 500
