"""Models of the hub: fetched from a server on loopback that answers as it does, and found again."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.connection_audit import ConnectionMonitor, Contact, Purpose
from desktop_rag.core.errors import Cancelled, ModelUnavailable
from desktop_rag.models.hugging_face import fetch, model_folder

constants = pytest.importorskip("huggingface_hub.constants", reason="its library is missing")

NAME = "some/model"
COMMIT = "a" * 40
WEIGHTS = bytes(range(256)) * 200_000  # 51 MB: a few pieces on their way
SAFE = {"config.json": b"{}", "model.safetensors": WEIGHTS, "0_Dense/model.safetensors": b"more"}
UNSAFE = {"pytorch_model.bin": b"pickled", "run.py": b"print('never')"}


class Hub:
    """Answers as the hub does, as far as fetching a model asks it."""

    def __init__(self, files: dict[str, bytes], url: str = "") -> None:
        self.files = files
        self.url = url
        self.asked: list[str] = []
        self.headers: list[str] = []
        self.sent = 0
        self.got: list[str] = []
        self.pause: Callable[[int], object] = int

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of a path."""
        self.asked.append(path)
        if path.startswith(f"/api/models/{NAME}/tree"):
            files = [
                {"type": "file", "path": f, "size": len(b), "oid": "0" * 40}
                for f, b in self.files.items()
            ]
            return 200, {}, json.dumps(files).encode()
        if path.startswith(f"/api/models/{NAME}"):
            siblings = [{"rfilename": f, "size": len(b)} for f, b in self.files.items()]
            told = {"id": NAME, "modelId": NAME, "sha": COMMIT, "siblings": siblings}
            return 200, {}, json.dumps(told).encode()
        file = path.removeprefix(f"/{NAME}/resolve/{COMMIT}/")
        if file not in self.files:
            return 404, {"X-Error-Code": "RepoNotFound"}, b"{}"
        body = self.files[file]
        tag = f'"{hashlib.sha256(body).hexdigest()}"'
        return 200, {"ETag": tag, "X-Repo-Commit": COMMIT}, body


@contextmanager
def serving(files: dict[str, bytes]) -> Iterator[Hub]:
    made = Hub(files)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(with_body=True)

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def _answer(self, *, with_body: bool) -> None:
            status, headers, body = made.answer(self.path.partition("?")[0])
            made.headers.append(str(self.headers))
            made.got += [self.path] if with_body else []
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            for start in range(0, len(body) if with_body else 0, 1 << 20):
                piece = body[start : start + (1 << 20)]
                self.wfile.write(piece)
                made.sent += len(piece)
                made.pause(made.sent)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    made.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "cache"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(made))
    harnesses = str(tmp_path / "harnesses.json")
    monkeypatch.setattr(constants, "AGENT_HARNESSES_PATH", harnesses, raising=False)
    return made


@pytest.fixture
def at(
    monkeypatch: pytest.MonkeyPatch, only_loopback: list[str]
) -> Iterator[Callable[[str], None]]:
    """Let the library take a server for the hub."""

    def put(url: str) -> None:
        template = url + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "ENDPOINT", url)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)

    yield put
    assert only_loopback == []


def fetched(token: CancelToken | None = None) -> list[tuple[int, int]]:
    return list(fetch(NAME, token or CancelToken()))


def test_a_model_is_fetched_found_and_not_fetched_again(
    at: Callable[[str], None], cache: Path
) -> None:
    seen: list[Contact] = []
    watch = ConnectionMonitor(seen.append)
    with serving(SAFE | UNSAFE) as server:
        at(server.url)
        with pytest.raises(
            ModelUnavailable, match="no model “some/model” on this computer"
        ) as told:
            model_folder(NAME)
        assert "models --get some/model" in told.value.remedy
        assert server.asked == [], "nothing is asked for before it is wanted"
        steps = fetched()
        folder = model_folder(NAME)
        asked = len(server.asked)
    watch.close()
    held = {f: (folder / f).read_bytes() for f in SAFE}
    assert held == SAFE
    assert {each.name for each in folder.rglob("*") if each.is_file()} == {
        "config.json",
        "model.safetensors",
    }
    assert {total for _, total in steps} == {sum(map(len, SAFE.values()))}
    assert {each.purpose for each in seen} == {Purpose.FETCH}
    assert model_folder(NAME) == folder, "without the server"
    assert asked


def test_what_was_stopped_is_no_model_and_files_that_came_whole_are_kept(
    at: Callable[[str], None], cache: Path
) -> None:
    with serving(SAFE) as server:
        at(server.url)
        token = CancelToken()

        def stop_halfway(sent: int) -> None:
            if sent > len(WEIGHTS) // 2:
                token.cancel()
                time.sleep(0.2)

        server.pause = stop_halfway
        with pytest.raises(Cancelled):
            fetched(token)
        assert server.sent > len(WEIGHTS) // 2
        with pytest.raises(ModelUnavailable):
            model_folder(NAME)
        server.pause = int
        fetched()
        assert (model_folder(NAME) / "model.safetensors").read_bytes() == WEIGHTS
        assert sum(path.endswith("config.json") for path in server.got) == 1


def test_a_part_with_pickled_weights_is_seen_before_anything_is_fetched(
    at: Callable[[str], None],
) -> None:
    with serving(SAFE | {"2_Dense/pytorch_model.bin": b"pickled"}) as server:
        at(server.url)
        with pytest.raises(ModelUnavailable, match="no safetensors"):
            fetched()
        assert not any("resolve" in path for path in server.asked)


def test_nothing_is_said_of_who_fetches(
    at: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with serving(SAFE) as server:
        at(server.url)
        fetched()
        assert "hf_secret" not in str(server.headers)


def test_a_model_without_safetensors_is_neither_fetched_nor_loaded(
    at: Callable[[str], None], tmp_path: Path
) -> None:
    with serving({"config.json": b"{}"} | UNSAFE) as server:
        at(server.url)
        with pytest.raises(ModelUnavailable, match="no safetensors"):
            fetched()
        assert not any("resolve" in path for path in server.asked)
    mixed = tmp_path / "mixed"
    (mixed / "2_Dense").mkdir(parents=True)
    (mixed / "model.safetensors").write_bytes(b"safe")
    (mixed / "2_Dense" / "pytorch_model.bin").write_bytes(b"pickled")
    with pytest.raises(ModelUnavailable, match="no safetensors"):
        model_folder(str(mixed))
    (mixed / "2_Dense" / "model.safetensors").write_bytes(b"safe")
    assert model_folder(str(mixed)) == mixed


@pytest.mark.parametrize("name", ["other/model", "not a name", "../up"])
def test_what_is_not_there_is_said_with_a_remedy(at: Callable[[str], None], name: str) -> None:
    with serving(SAFE) as server:
        at(server.url)
        with pytest.raises(ModelUnavailable, match="could not be fetched") as told:
            list(fetch(name, CancelToken()))
        assert name in told.value.what
        assert "try again" in told.value.remedy


def test_a_hub_that_cannot_be_reached_is_said(at: Callable[[str], None]) -> None:
    with serving(SAFE) as server:
        at(server.url)
    with pytest.raises(ModelUnavailable, match="could not be fetched"):
        fetched()
