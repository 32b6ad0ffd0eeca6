"""Models of the Hugging Face hub: where one lies on this computer, and how one is fetched.

Weights are taken as safetensors only: other files of weights may run code when they are read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from fnmatch import fnmatch
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Self

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.connection_audit import Purpose, about
from desktop_rag.core.errors import DesktopRagError, ModelUnavailable
from desktop_rag.core.phrases import Phrase

_WANTED = ("*.safetensors", "*.json", "*.txt", "*.model", "*.jinja")
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_WEIGHTS = "*.safetensors"
_GLANCE = 0.3  # seconds
_INSTALL = "Install the extra “sentence-transformers” as the README says, or name another model."
_BUILT = "This build cannot load it: name a model of Ollama's, or run the program from its source."
# Before the library is imported: it counts its users otherwise, and its faster way to fetch makes
# connections that the log of connections does not see, and the switch does not stop.
for _name in ("TELEMETRY", "XET", "PROGRESS_BARS"):
    os.environ[f"HF_HUB_DISABLE_{_name}"] = "1"


def install_hint() -> str:
    """Return what helps where sentence-transformers, which loads these models, is missing."""
    return _BUILT if getattr(sys, "frozen", False) else _INSTALL


def model_folder(name: str) -> Path:
    """Return a model's folder: the one that is named, or the one that the hub's cache has.

    Raises `ModelUnavailable` where there is none, or where weights are no safetensors.
    """
    try:
        folder = Path(name).expanduser()
        folder = folder if folder.is_dir() else _cached(name)
        inner = [each for each in folder.iterdir() if each.is_dir()]
        files = [file for place in (folder, *inner) for file in place.iterdir()]
    except (OSError, RuntimeError) as problem:
        raise ModelUnavailable(
            Phrase("The model “{0}” cannot be read.", name),
            "Look at its folder, or choose another model.",
        ) from problem
    _require_safe(name, [file.relative_to(folder).as_posix() for file in files])
    return folder


def _require_safe(name: str, files: Sequence[str]) -> None:
    """Refuse a model whose weights are no safetensors, in its folder or in that of one part."""
    safe = {PurePosixPath(file).parent for file in files if fnmatch(file, _WEIGHTS)}
    pickled = {
        PurePosixPath(file).parent
        for file in files
        if file.count("/") < 2 and any(fnmatch(file, each) for each in _PICKLES)
    }
    if not safe or pickled - safe:
        raise ModelUnavailable(
            Phrase("The model “{0}” has weights that are no safetensors.", name),
            "Choose a model that has them so: other files may run code when they are read.",
        )


def fetch(name: str, token: CancelToken) -> Iterator[tuple[int, int]]:
    """Bring a model into the hub's cache; yield how many bytes are here, of how many.

    Nothing is said of who fetches it: the user's token, if there is one, is not sent.

    Call it after consent alone. Raises `ModelUnavailable` where the hub cannot be reached, does not
    have the model, or has it without safetensors.
    """
    try:
        yield from _fetch(name, token)
    except DesktopRagError:
        raise
    except Exception as problem:  # the library's errors have no kind in common
        raise _unfetched(name, problem) from problem


def _fetch(name: str, token: CancelToken) -> Iterator[tuple[int, int]]:
    with about(Purpose.FETCH):
        revision, sizes = _offered(name)
        context = copy_context()
    come = _Come(token)
    bring = partial(_bring, name, revision, tuple(sizes), come)
    beside = ThreadPoolExecutor(1, "fetch")
    try:
        work = beside.submit(context.run, bring)
        while not work.done():
            token.check()
            wait([work], _GLANCE)
            yield come.bytes, sum(sizes.values())
        work.result()
    finally:
        beside.shutdown(wait=False)  # what waits for a silent server ends with it


def _offered(name: str) -> tuple[str | None, dict[str, int]]:
    """Return a model's revision, and how long each of its files is that is wanted."""
    from huggingface_hub import HfApi, constants

    info = HfApi(endpoint=constants.ENDPOINT, token=False).model_info(name, files_metadata=True)
    files = {each.rfilename: each.size or 0 for each in info.siblings or ()}
    _require_safe(name, list(files))
    wanted = {file: size for file, size in files.items() if any(fnmatch(file, p) for p in _WANTED)}
    return info.sha, wanted


def _bring(name: str, revision: str | None, files: Sequence[str], come: _Come) -> None:
    """Fetch a model's files, and have the library note that they are its newest."""
    from huggingface_hub import constants, hf_hub_download, snapshot_download

    at = constants.ENDPOINT
    bar: Any = partial(_Bar, come)
    for file in files:
        hf_hub_download(name, file, revision=revision, endpoint=at, token=False, tqdm_class=bar)
    snapshot_download(name, endpoint=at, token=False, allow_patterns=list(_WANTED))


class _Come:
    """Counts the bytes that came; a cancel ends what fetches them."""

    def __init__(self, token: CancelToken) -> None:
        self.bytes = 0
        self._token = token

    def count(self, more: float) -> None:
        """Count bytes; raise `Cancelled` where no more are wanted."""
        self.bytes += int(more)
        self._token.check()


class _Bar:
    """The progress bar that the library is given: it counts, and shows nothing."""

    def __init__(self, come: _Come, *, initial: int = 0, **_: object) -> None:
        self.update = come.count
        come.count(initial)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the counts as they are."""


def _cached(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(name, local_files_only=True, allow_patterns=list(_WANTED)))
    except (ImportError, OSError, ValueError) as problem:
        raise ModelUnavailable(
            Phrase("There is no model “{0}” on this computer.", name),
            Phrase("Give a model's folder, or fetch it: desktop-rag models --get {0}", name),
        ) from problem


def _unfetched(name: str, problem: Exception) -> ModelUnavailable:
    first = problem
    while first.__cause__ is not None:
        first = first.__cause__  # type: ignore[assignment]
    said = (str(first).strip().splitlines() or [type(first).__name__])[0].rstrip(".")
    return ModelUnavailable(
        Phrase("The model “{0}” could not be fetched: {1}.", name, said),
        "Look at its name and at the connection, then try again: files that came whole are kept.",
        retryable=True,
    )
