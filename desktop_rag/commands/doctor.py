"""Checks what the program stands on: installation, models, data folder, stores, Ollama, privacy.

Every check looks and changes nothing; each is a row with a remedy where something is wrong.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from urllib.request import getproxies_environment

from desktop_rag.catalog import integrity
from desktop_rag.commands.doctor_check import ERROR, OK, WARNING, DoctorCheck
from desktop_rag.commands.index_health import health_checks
from desktop_rag.core import paths
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.errors import CatalogDamaged, ModelUnavailable, UserError
from desktop_rag.core.events import Event
from desktop_rag.core.ollama_records import InstalledModel
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import DescribeRequest
from desktop_rag.core.settings import Settings
from desktop_rag.core.settings_file import FILE_NAME, invalid_entries
from desktop_rag.indexing.chunker import embed_key
from desktop_rag.models.model_card import read_model_card
from desktop_rag.models.model_server import find_server
from desktop_rag.models.ollama import OllamaServer, is_loopback, resolve_host
from desktop_rag.parsing.sandbox import confinement_check
from desktop_rag.workspace import Workspace

_PACKAGES = (
    "chromadb",
    "tantivy",
    "onnxruntime",
    "pypdfium2",
    "lxml",
    "PySide6-Essentials",
)
_REINSTALL = "Install Desktop RAG again."
_LOOK_AGAIN = "Mend what the message names, then run the doctor again."
_LANDLOCK = "Use Linux 5.13 or newer, with landlock among its security modules (lsm=)."
_HOLD = (
    "Use Linux on x86_64 or aarch64 with seccomp and Landlock; until then, add only documents that "
    "you trust."
)
_FED = (
    "It is mended in the background while the window is open, and by `desktop-rag index`. Until "
    "then searches compare the catalog's vectors."
)
_NO_CLOUD = (
    "To switch it off altogether, set disable_ollama_cloud to true in ~/.ollama/server.json, or "
    "set OLLAMA_NO_CLOUD=1 where Ollama is started, and start it again."
)
_SPARE_BYTES = 1_000_000_000


Look = Callable[[], Iterator[DoctorCheck]]


def run(
    workspace: Workspace,
    request: DescribeRequest,  # noqa: ARG001 (every operation is called alike)
    token: CancelToken,
) -> Iterator[Event]:
    """Yield a row `name`, `status`, `detail`, `remedy` for each check."""
    places = workspace.catalog.consents.any_places()
    yield from _outer(workspace.data_dir, workspace.settings, token, places)
    yield from _looked("catalog", lambda: _catalog(workspace), token)
    yield from _looked("copies", lambda: _copies(workspace), token)
    yield from _looked("indexes", lambda: _indexes(workspace), token)
    yield from _looked("files", lambda: health_checks(workspace), token)
    yield from _looked("sharing", lambda: _sharing(workspace), token)


def run_without_workspace(
    data_dir: Path, settings: Settings, problem: UserError, token: CancelToken
) -> Iterator[Event]:
    """Yield the checks of a data folder that can't be opened, `problem` among them."""
    yield from _outer(data_dir, settings, token)
    yield DoctorCheck("catalog", ERROR, problem.what, problem.remedy).row()


def _outer(
    data_dir: Path,
    settings: Settings,
    token: CancelToken,
    places: frozenset[str] = frozenset(),
) -> Iterator[Event]:
    """Check all that lies around the stores; `places` are those that consent was given for."""
    looks: dict[str, Look] = {
        "installation": _installation,
        "models": _models,
        "data folder": lambda: _data_folder(data_dir),
        "settings": lambda: _settings(data_dir),
        "disk space": lambda: _disk_space(data_dir),
        "confinement": lambda: _confinement(token),
        "Ollama": lambda: _language_models(settings, places, token),
        "privacy": lambda: _privacy(settings, places),
        "proxies": _proxies,
    }
    for name, look in looks.items():
        yield from _looked(name, look, token)


def _looked(name: str, look: Look, token: CancelToken) -> Iterator[Event]:
    """Yield what a look found; what stops it is a finding, too."""
    token.check()
    try:
        for check in look():
            yield check.row()
    except UserError as error:
        yield DoctorCheck(name, ERROR, error.what, error.remedy).row()
    except (OSError, sqlite3.Error) as error:
        yield DoctorCheck(
            name, ERROR, Phrase("It can't be examined: {0}.", error), _LOOK_AGAIN
        ).row()


def _installation() -> Iterator[DoctorCheck]:
    python = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    missing = []
    found = []
    for package in _PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    frozen = getattr(sys, "frozen", False)
    if missing and not frozen:
        yield DoctorCheck(
            "installation", ERROR, Phrase("Missing: {0}.", ", ".join(missing)), _REINSTALL
        )
    else:
        yield DoctorCheck("installation", OK, f"{python}; {', '.join(found)}")
    if not (paths.resources() / "prompts").is_dir():
        yield DoctorCheck(
            "resources", ERROR, Phrase("{0} is incomplete.", paths.resources()), _REINSTALL
        )


def _models() -> Iterator[DoctorCheck]:
    """Compare each built-in model's files with its card."""
    cards = sorted((paths.resources() / "models").glob("*/card.json"))
    if not cards:
        yield DoctorCheck("models", ERROR, "There is no built-in model.", _REINSTALL)
    for place in cards:
        try:
            card = read_model_card(place.parent)
            card.check()
        except ModelUnavailable as problem:
            yield DoctorCheck(
                Phrase("model {0}", place.parent.name), ERROR, problem.what, problem.remedy
            )
        else:
            count = "1 file" if len(card.files) == 1 else f"{len(card.files)} files"
            yield DoctorCheck(Phrase("model {0}", card.name), OK, f"{count}, as its card says")


def _data_folder(data_dir: Path) -> Iterator[DoctorCheck]:
    if not os.access(data_dir, os.R_OK | os.W_OK | os.X_OK):
        remedy = "Give yourself the right to write there, or name another with --data-dir."
        yield DoctorCheck("data folder", ERROR, Phrase("{0} can't be written.", data_dir), remedy)
    elif os.name == "posix" and data_dir.stat().st_mode & 0o077:
        remedy = Phrase("Run: chmod 700 {0}", data_dir)
        yield DoctorCheck(
            "data folder", WARNING, Phrase("Others may look into {0}.", data_dir), remedy
        )
    else:
        yield DoctorCheck("data folder", OK, str(data_dir))


def _settings(data_dir: Path) -> Iterator[DoctorCheck]:
    told, place = invalid_entries(data_dir), data_dir / FILE_NAME
    for each in told:
        yield DoctorCheck(
            "settings", WARNING, each, Phrase("Mend it in {0}, or take it out.", place)
        )
    if not told:
        yield DoctorCheck("settings", OK, str(place) if place.exists() else "all as they come")


def _disk_space(data_dir: Path) -> Iterator[DoctorCheck]:
    free = shutil.disk_usage(data_dir).free
    told = f"{free / 1e9:.1f} GB free at {data_dir}"
    if free < _SPARE_BYTES:
        yield DoctorCheck("disk space", WARNING, told, "Make room, or move the data folder.")
    else:
        yield DoctorCheck("disk space", OK, told)


def _confinement(token: CancelToken) -> Iterator[DoctorCheck]:
    """Let a reader's process try what it should not be able to do."""
    name = "confinement"
    if sys.platform != "linux":
        told = "Readers of documents are held by Python's hooks and limits; C code by nothing else."
        yield DoctorCheck(name, OK, told)
        return
    found = confinement_check.examine(token)
    told: str
    if found.passed:
        told = Phrase("What reads documents is not refused: {0}.", ", ".join(found.passed))
        yield DoctorCheck(name, WARNING, told, _HOLD)
    elif not found.has_scratch:
        told = (
            "What reads documents is held by a filter of system calls, not by Landlock: it writes "
            "nothing, so attachments of mails are not read."
        )
        yield DoctorCheck(name, WARNING, told, _LANDLOCK)
    else:
        told = Phrase(
            "What reads documents is held by Landlock (version {0}) and a filter of "
            "system calls: no network, no processes, no files but its own changed. It "
            "may read your files.",
            found.landlock,
        )
        yield DoctorCheck(name, OK, told)


def _catalog(workspace: Workspace) -> Iterator[DoctorCheck]:
    """Let SQLite read every page and every reference, and judge every row."""
    connection = workspace.catalog.database.read()
    pages = connection.execute("PRAGMA integrity_check(5)").fetchall()
    dangling = connection.execute("PRAGMA foreign_key_check").fetchall()
    wrong = [said for (said,) in pages if said != "ok"]
    wrong = wrong or [each.text for each in integrity.findings(connection, embed_key)]
    if wrong:
        damaged = Phrase("It is damaged: {0}.", wrong[0])
        yield DoctorCheck("catalog", ERROR, damaged, CatalogDamaged().remedy)
    elif dangling:
        lost = Phrase("{0} references lead nowhere.", len(dangling))
        yield DoctorCheck("catalog", ERROR, lost, CatalogDamaged().remedy)
    else:
        kbs = workspace.catalog.kbs.all()
        files, chunks = sum(kb.files for kb in kbs), sum(kb.chunks for kb in kbs)
        said = (("knowledge base", len(kbs)), ("file", files), ("chunk", chunks))
        counts = ", ".join(f"{n:,} {noun}{'' if n == 1 else 's'}" for noun, n in said)
        told = f"{counts}; sound"
        yield DoctorCheck("catalog", OK, told)


def _copies(workspace: Workspace) -> Iterator[DoctorCheck]:
    """Tell of the copies of the catalog, and of a damaged one that is kept aside."""
    database = workspace.catalog.database
    copies, lacking = database.copies.all(), database.copies.lacking_room()
    if lacking:
        yield DoctorCheck(
            "copies", WARNING, lacking.text, "Make room: without a copy, damage costs more."
        )
    elif made := database.copies.made():
        newest = datetime.fromtimestamp(made).astimezone()
        told = f"{len(copies)}, the newest of {newest:%Y-%m-%d %H:%M}"
        yield DoctorCheck("copies", OK, told)
    else:
        yield DoctorCheck("copies", OK, "none yet; one is made while the program is open")
    yield from _set_aside(database.set_aside())


def _set_aside(files: list[Path]) -> Iterator[DoctorCheck]:
    """Tell in one row of the damaged catalogs, and their logs, that are kept."""
    if len(files) == 1:
        yield DoctorCheck(
            "damaged catalog",
            WARNING,
            Phrase("{0} is kept since the catalog was recovered, and holds text.", files[0]),
            "Delete it when you do not need it; a removal for good deletes it as well.",
        )
    elif files:
        yield DoctorCheck(
            "damaged catalog",
            WARNING,
            Phrase(
                "{0} files {1} are kept since the catalog was recovered, and hold text.",
                len(files),
                files[0].with_name("catalog-damaged-*"),
            ),
            "Delete them when you do not need them; a removal for good deletes them as well.",
        )


def _indexes(workspace: Workspace) -> Iterator[DoctorCheck]:
    """Ask whether the indexes hold what the catalog says."""
    kbs, embedder = workspace.catalog.kbs.all(), workspace.models.embedder
    for kb in kbs:
        name, problem = Phrase("indexes of {0}", kb.name), workspace.indexes.of(kb.id).check()
        if problem is None:
            yield DoctorCheck(name, OK, Phrase("in step with the catalog: {0} chunks", kb.chunks))
        elif unfit := workspace.catalog.embeddings.unfit(kb.id, embedder.fingerprint):
            yield DoctorCheck(
                name,
                ERROR,
                Phrase(
                    "{0} vectors have another length than the embedding model's and are not used.",
                    unfit,
                ),
                f"Run: desktop-rag kb rebuild {kb.name}",
            )
        elif workspace.catalog.embeddings.missing(kb.id, embedder.fingerprint, 1):
            remedy = Phrase(
                "Leave the window open, or run `desktop-rag kb rebuild {0}`.", shlex.quote(kb.name)
            )
            yield DoctorCheck(name, WARNING, problem.text, remedy)
        else:
            yield DoctorCheck(name, ERROR, problem.text, f"Run: desktop-rag kb rebuild {kb.name}")
        yield _chroma(workspace, kb)
    if not kbs:
        yield DoctorCheck("indexes", OK, "nothing is indexed yet")


def _chroma(workspace: Workspace, kb: KnowledgeBase) -> DoctorCheck:
    """Ask whether Chroma's copy of a knowledge base is what the catalog has, id by id."""
    name, replica = Phrase("Chroma's copy of {0}", kb.name), workspace.indexes.of(kb.id).replica
    problem, state = replica.check(), replica.state()
    if problem is not None:
        return DoctorCheck(name, WARNING, problem.text, _FED)
    if state.behind:
        told = Phrase(
            "{0} of {1} vectors are in Chroma, {2} changes are to come",
            f"{state.held:,}",
            f"{state.vectors:,}",
            f"{state.behind:,}",
        )
        return DoctorCheck(name, WARNING, told, _FED)
    told = Phrase("in step with the catalog: {0} vectors", f"{state.held:,}")
    if state.recall is not None:
        told = Phrase(
            "in step with the catalog: {0} vectors; of the 50 nearest it finds {1}%",
            f"{state.held:,}",
            f"{100 * state.recall:.1f}",
        )
    return DoctorCheck(name, OK, told)


def _language_models(
    settings: Settings, places: frozenset[str], token: CancelToken
) -> Iterator[DoctorCheck]:
    """Ask the server what it has. Without it the program works, with quotes for answers."""
    try:
        consent = Consent(places, settings.privacy.allow_remote, settings.privacy.block_remote)
        server = find_server(settings, consent, token)
        version = server.version(token)
        told = Phrase("at {0}", server.url)
        if version:
            told = Phrase("version {0} at {1}", version, server.url)
        models = [each for each in server.models(token) if each.can_chat]
        cloud_is_off = server.cloud_is_off(token)
    except ModelUnavailable as problem:
        yield DoctorCheck("Ollama", WARNING, problem.what, problem.remedy)
        return
    if models:
        yield DoctorCheck(server.title, OK, f"{told}; {', '.join(map(_marked, models))}")
    else:
        remedy = "Load a model there, then try again."
        if isinstance(server, OllamaServer):
            remedy = "Get one, for example with `ollama pull qwen3:4b`."
        nothing = Phrase("{0} has no model that answers.", told)
        yield DoctorCheck(server.title, WARNING, nothing, remedy)
    yield from _cloud(is_off=cloud_is_off)


def _marked(model: InstalledModel) -> str:
    """Return a model's name, and where it runs if not here."""
    return Phrase("{0} (runs at {1})", model.name, model.cloud) if model.cloud else model.name


def _cloud(*, is_off: bool | None) -> Iterator[DoctorCheck]:
    """Tell whether Ollama may pass questions on; servers before 0.16.2 do not say."""
    if is_off:
        yield DoctorCheck("Ollama's cloud", OK, "switched off")
    elif is_off is not None:
        told = "switched on; a model in it is asked only where you have agreed to it"
        yield DoctorCheck("Ollama's cloud", OK, told, _NO_CLOUD)


def _sharing(workspace: Workspace) -> Iterator[DoctorCheck]:
    """Tell of each shared knowledge base how far it is, and of a server that answers anybody."""
    shares = workspace.catalog.shares.all()
    names = {kb: name for name, kb in workspace.catalog.kbs.names().items()}
    for share in shares:
        told = Phrase("“{0}” is “{1}” at {2}", names[share.kb], share.shared_name, share.server)
        if share.away:
            remedy = "Start the server, or look at the network; answers come from the copy here."
            told = Phrase("{0}, which does not answer since {1}.", told, _when(share.away))
            yield DoctorCheck("sharing", WARNING, told, remedy)
        else:
            yield DoctorCheck(
                "sharing", OK, Phrase("{0}, in step since {1}.", told, _when(share.synced))
            )
    from desktop_rag.index.chroma_server import ChromaServer, is_local_server, server_of

    address = server_of(workspace.settings.privacy)
    if not shares or is_local_server(address.url):
        return
    with closing(ChromaServer(address)) as server:
        if server.is_open_to_anybody():
            yield DoctorCheck(
                "sharing",
                WARNING,
                Phrase("{0} answers everybody who reaches it.", address.url),
                "Let Chroma listen on 127.0.0.1, behind a proxy that asks for a token or a "
                "certificate (docs/team-store.md).",
            )


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _privacy(settings: Settings, places: frozenset[str]) -> Iterator[DoctorCheck]:
    host = resolve_host(settings)
    chroma = settings.privacy.chroma_url
    remote = [each for each in (host, chroma) if each and not is_loopback(each)]
    agreed = [each for each in remote if each in places]
    if not remote and places and not settings.privacy.block_remote:
        told = Phrase(
            "Texts may be sent to {0}, where a model there answers.", ", ".join(sorted(places))
        )
        remedy = "Take the consent back on the settings' page “Privacy” if you did not mean it."
        yield DoctorCheck("privacy", WARNING, told, remedy)
    elif not remote:
        yield DoctorCheck("privacy", OK, "nothing leaves this computer")
    elif settings.privacy.block_remote:
        yield DoctorCheck("privacy", OK, f"{', '.join(remote)} is set, and blocked")
    elif settings.privacy.allow_remote:
        remedy = "Take the consent back with allow_remote=false if you did not mean it."
        yield DoctorCheck(
            "privacy", WARNING, Phrase("Texts are sent to {0}.", ", ".join(remote)), remedy
        )
    elif agreed:
        remedy = "Take the consent back on the settings' page “Privacy” if you did not mean it."
        told = Phrase("Texts of some knowledge bases are sent to {0}.", ", ".join(agreed))
        yield DoctorCheck("privacy", WARNING, told, remedy)
    else:
        yield DoctorCheck(
            "privacy", OK, f"{', '.join(remote)} is set, and not used without your consent"
        )


def _proxies() -> Iterator[DoctorCheck]:
    """Tell about proxy variables: they are a fact, and are not followed."""
    names = sorted(name for name in getproxies_environment() if name != "no")
    told = Phrase("set for {0}, and not used", ", ".join(names)) if names else "none is set"
    yield DoctorCheck("proxies", OK, told)
