"""Listings in words for a person: chunks, knowledge bases, strategies, models, checks, figures."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from desktop_rag.cli.console import Console
from desktop_rag.cli.text_format import counted
from desktop_rag.core.locator_text import format_locator
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.ipc.wire import Line

_NAMING = ("strategy", "ability", "dataset")
Form = Callable[[Console, Line], str]
_NOTHING_KEPT = (
    "Nothing could be read from the damaged catalog, and there is no copy. A new, empty one stands "
    "in its place."
)

_PLACES = {
    "run": "until Desktop RAG ends", "key ring": "in the system's key ring",
    "forgotten": "forgotten",
}  # fmt: skip
_ADAPTED = {
    "none": "not adapted",
    "kept": "adapted: more is found",
    "not_kept": "not kept: no gain that could be told from chance",
    "other_model": "not applied: it was trained for another embedding model",
}
_FILE_MARKS = {"ready": ("✓", "green"), "queued": ("…", "dim")}
_UNREAD = ("!", "yellow")
_SWITCHED = (
    ("recognizes_text", False, "the text of scans is not recognised"),
    ("opens_archives", True, "archives are looked into"),
    ("is_served", True, "other programs may ask it"),
)
_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "error": ("✗", "red")}


class ListPrinter:
    """Prints each line in one form; `nothing` is said where there is none."""

    def __init__(self, screen: Console, form: Form, nothing: str) -> None:
        self._screen = screen
        self._form = form
        self._nothing = nothing
        self._count = 0

    def show(self, line: Line) -> None:
        """Print one line of a listing."""
        if line.get("event") == "progress":
            self._screen.status(_progress(line))
        elif "event" in line:
            self._screen.note(str(line.get("text", "")))
        else:
            self._count += 1
            self._screen.say(self._form(self._screen, line))

    def end(self) -> None:
        """Say so when there was nothing."""
        self._screen.clear_status()
        if not self._count:
            self._screen.say(self._nothing)


def _progress(line: Line) -> str:
    if line["stage"] == "fetch":
        come, whole = (line[name] / 1e6 for name in ("done", "total"))
        return f"fetching {line['current']}: {come:,.0f} of {whole:,.0f} MB"
    if not line["total"]:
        return f"{line['stage']} {line['current']}".strip()
    return f"{line['stage']} {line['done']}/{line['total']}"


class ChunkRows:
    """Chunks, each document under its path."""

    def __init__(self) -> None:
        self._path = ""

    def __call__(self, screen: Console, line: Line) -> str:
        """Return a chunk, after its document's path where that is a new one."""
        path = screen.styled(sanitize_name(line["path"]), "bold")
        head = f"{path}\n" if line["path"] != self._path else ""
        self._path = line["path"]
        where = screen.styled(f"── {format_locator(line['locator'])} · {line['kind']}", "dim")
        return f"{head}{where}\n{line['text']}\n"


def file_row(screen: Console, line: Line) -> str:
    """Return a file with its state, and why it is so."""
    mark, color = _FILE_MARKS.get(line["status"], _UNREAD)
    held = counted(line["chunks"], "chunk") if line["chunks"] else line["status"].replace("_", " ")
    head = f"{screen.styled(mark, color)} {sanitize_name(line['path'])}  {held}"
    return f"{head}\n    {line['reason']}" if line["reason"] else head


def password_row(screen: Console, line: Line) -> str:
    """Return a file with where its password is."""
    return f"{screen.styled(sanitize_name(line['path']), 'bold')}  {_PLACES[line['password']]}"


def kb_row(screen: Console, line: Line) -> str:
    """Return a knowledge base with its figures."""
    if line.get("deleted"):
        return f"“{line['name']}” is deleted; your files are where they were."
    if line.get("file"):
        return f"“{line['name']}” is in {line['file']}."
    if line.get("on_server"):
        return f"{screen.styled(sanitize_name(line['name']), 'bold')}  made with {line['model']}"
    if line.get("unshared"):
        return f"“{line['name']}” is shared no more."
    made = datetime.fromtimestamp(line["created"]).astimezone().strftime("%Y-%m-%d")
    figures = f"{counted(line['files'], 'file')}, {counted(line['chunks'], 'chunk')}, made {made}"
    if (chroma := line.get("chroma")) is not None:
        held = f"{chroma['held']:,} of {counted(chroma['vectors'], 'vector')} in Chroma"
        figures += f"; {held}, " + (
            f"{chroma['behind']:,} behind" if chroma["behind"] else "in step"
        )
    counts = sorted(line["states"].items(), key=lambda each: -each[1])
    states = ", ".join(f"{n:,} {state.replace('_', ' ')}" for state, n in counts)
    figures += "".join(f"; {told}" for key, is_so, told in _SWITCHED if line.get(key) is is_so)
    head = f"{screen.styled(line['name'], 'bold')}  {figures}"
    rows = [head, *(f"    {sanitize_name(source)}" for source in line["sources"])]
    if shared := line.get("shared"):
        rows.append(f"    {_shared(shared)}")
    if sync := line.get("sync"):
        told = ", ".join(f"{number:,} {name}" for name, number in sync.items() if number)
        rows.append(f"    {told or 'nothing was new'}")
    return "\n".join([*rows, f"    {states}"] if states else rows)


def _shared(shared: Line) -> str:
    """Return how a knowledge base is shared."""
    role = "written" if shared["writer"] else "read"
    told = f"{role} as “{sanitize_name(shared['shared_name'])}” on {shared['server']}"
    if shared["away"]:
        return f"{told}, which does not answer since {_clock(shared['away'])}"
    return f"{told}, in step since {_clock(shared['synced'])}" if shared["synced"] else told


def _clock(when: float) -> str:
    return datetime.fromtimestamp(when).astimezone().strftime("%Y-%m-%d %H:%M")


def strategy_row(screen: Console, line: Line) -> str:
    """Return a strategy or transform with its options as they are written, a preset's parts."""
    needs = f" (needs {', '.join(line['needs'])})" if line["needs"] else ""
    paper = f"\n    {line['paper']}" if line["paper"] else ""
    before = {"preset": "", "transform": f"--option {line['name']}."}
    how = before.get(line["kind"], "--option ")
    options = "".join(f"\n    {how}{text}" for text in _options(line["options"]))
    kept = "".join(f"\n    kept: {key}={text}" for key, text in line.get("kept", {}).items())
    name = screen.styled(line["name"], "bold")
    return f"{line['kind']:<10} {name}  {line['title']}{needs}{paper}{options}{kept}"


def _options(options: list[dict[str, Any]]) -> list[str]:
    return [f"{each['name']}={each.get('default')}  {each.get('effect', '')}" for each in options]


def model_row(screen: Console, line: Line) -> str:
    """Return a model, and whether it is there."""
    size = f", {line['size'] / 1e9:.1f} GB" if line.get("size") else ""
    title = f"  {line['title']}" if line["title"] != line["name"] else ""
    missing = "" if line["there"] else f"\n{' ' * 10} not there: {line['remedy']}"
    return f"{line['kind']:<10} {screen.styled(line['name'], 'bold')}{title}{size}{missing}"


def check_row(screen: Console, line: Line) -> str:
    """Return a check of the doctor."""
    mark, colour = _MARKS[line["status"]]
    remedy = f"\n    {line['remedy']}" if line["remedy"] else ""
    return f"{screen.styled(mark, colour)} {line['name']}: {line['detail']}{remedy}"


def recover_row(screen: Console, line: Line) -> str:
    """Return what became of one kind of row in a damaged catalog, or of all of it."""
    if "recovered" in line:
        if not line["recovered"]:
            return "The catalog is sound; nothing was changed."
        said = _NOTHING_KEPT if line["empty"] else "The catalog is recovered."
        return f"{screen.styled(said, 'bold')}{_renamed(line['renamed'])}"
    copied = f", {line['from_copy']:,} of them from a copy" if line["from_copy"] else ""
    return f"{line['kind']:<17} {line['kept']:,} kept{copied}; {_lost(line)}"


def _lost(line: Line) -> str:
    """Return what of one kind is lost, in words; of vectors, what is made again."""
    if "made_again" in line:
        again = line["made_again"]
        return f"{again:,} {'is' if again == 1 else 'are'} made again" if again else "none missing"
    if line["exact"]:
        return f"{line['lost']:,} lost" if line["lost"] else "none lost"
    return f"at least {line['lost']:,} lost" if line["lost"] else "perhaps some lost"


def _renamed(number: int) -> str:
    if number == 1:
        return " 1 knowledge base, conversation or question set has a new name."
    told = f" {number:,} knowledge bases, conversations or question sets have new names."
    return told if number else ""


def eval_row(screen: Console, line: Line) -> str:
    """Return the figures of a strategy, or of an ability."""
    shown = (f"{key} {value}" for key, value in line.items() if key not in _NAMING)
    name = line.get("strategy") or line["ability"]
    return f"{screen.styled(name, 'bold')}  {line['dataset']}\n    {' · '.join(shown)}"


def preparation_row(_screen: Console, line: Line) -> str:
    """Return how far a knowledge base is prepared for a way."""
    counts = f"{line['prepared']:,} of {counted(line['documents'], 'document')}"
    parts = [f"{line['way']:<24}{line['state']}"]
    if line["state"] != "none":
        parts += [counts, counted(line["texts"], "derived text")]
        parts.append(f"with {line['model']}" if line["model"] else "without a language model")
    if line["passages_left"]:
        calls = f", about {line['model_calls']:,} calls" if line["model_calls"] else ""
        parts.append(f"{counted(line['passages_left'], 'passage')} to go{calls}")
    return " · ".join(parts) + f"\n    {line['effect']}"


def adaptation_row(screen: Console, line: Line) -> str:
    """Return what was measured of a knowledge base's adaptation, and what became of it."""
    shown = f"{screen.styled(line['kb'], 'bold')}  {_ADAPTED[line['state']]}"
    if line["state"] == "none":
        return f"{shown}\n    {line['effect']}"
    low, high = line["gain"]
    found = (
        f"recall@5 of {counted(line['held_out'], 'held-out question')} "
        f"{line['recall_before']:.1f} → {line['recall_after']:.1f}, "
        f"95 % interval of the gain {low:+.1f} … {high:+.1f}"
    )
    near = f"the vector alone: {line['vector_before']:.1f} → {line['vector_after']:.1f}"
    trained = (
        f"trained on {counted(line['trained'], 'question')} on "
        f"{counted(line['documents_then'], 'document')}; there are {line['documents']:,} now"
    )
    return "\n    ".join((shown, found, near, trained))


def kept_row(screen: Console, line: Line) -> str:
    """Return a kept answer: its question, where it is, and what became of its documents."""
    now = {"changed": " · its documents have changed since", "gone": " · its documents are gone"}
    where = f"conversation {line['chat_id']} · answer {line['answer_id']} · {line['asked']}"
    said = screen.styled(str(line["question"]), "bold")
    return f"{said}\n    {where}{now.get(line['documents'], '')}"


def note_row(screen: Console, line: Line) -> str:
    """Return a note: its number and title, what it was and when, and its text."""
    saved = datetime.fromtimestamp(line["created"]).strftime("%Y-%m-%d %H:%M")
    head = f"{line['id']:>4}  {screen.styled(str(line['title'] or '—'), 'bold')}"
    text = "".join(f"\n      {each}".rstrip() for each in str(line["text"]).splitlines())
    return f"{head}\n      {line['kind']} · {saved}{text}"


def set_row(screen: Console, line: Line) -> str:
    """Return a question set, or one of its questions."""
    if "question" in line:
        told = [screen.styled(line["question"], "bold"), *(f"  = {a}" for a in line["answers"])]
        return "\n    ".join([*told, *(f"  in {gold}" for gold in line["gold"])])
    if line.get("deleted"):
        return f"“{line['name']}” is deleted."
    if line.get("file"):
        return f"“{line['name']}” is in {line['file']}."
    return f"{screen.styled(line['name'], 'bold')}  {counted(line['questions'], 'question')}"
