"""The typed words as a request: what the engine is asked to do."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace

from desktop_rag.core.errors import UsageError
from desktop_rag.core.requests import (
    AdaptRequest,
    AskRequest,
    ContinueRequest,
    DescribeRequest,
    DocumentsRequest,
    EvalRequest,
    ExplainRequest,
    FilesRequest,
    IndexRequest,
    KbRequest,
    KeepRequest,
    NoteRequest,
    OpenRequest,
    PrepareRequest,
    RecoverRequest,
    RemoveRequest,
    Request,
    SearchRequest,
    SetsRequest,
    ShowRequest,
)

_DEFAULT_KB = "default"
_AUTO = "auto"
_USUAL_STRATEGIES = ("single_pass",)
_NAMELESS = ("list", "import", "sync", "shared", "health")
_SET_ACTIONS = {each: each for each in ("show", "delete", "export", "import", "propose")} | {
    "sets": "list"
}

Kbs = tuple[str, ...]


def request_of(typed: Namespace, kbs: Kbs) -> Request:
    """Return the request that was typed; a `UsageError` where words contradict each other."""
    return _COMMANDS[typed.command](typed, kbs)


def opening_of(typed: Namespace, kbs: Kbs) -> OpenRequest:
    """Return what the window is to show; it has one knowledge base at a time."""
    paths, purpose = getattr(typed, "opened", ()), getattr(typed, "purpose", "")
    return OpenRequest(tuple(paths), _one(kbs) if kbs else "", purpose)


def _one(kbs: Kbs) -> str:
    if len(set(kbs)) > 1:
        raise UsageError("This command works on one knowledge base.", "Name one with --kb.")
    return kbs[0] if kbs else _DEFAULT_KB


def _several(kbs: Kbs) -> Kbs:
    return tuple(dict.fromkeys(kbs)) or (_DEFAULT_KB,)


def _chooses(typed: Namespace, kbs: Kbs) -> bool:
    """Say whether the question is to choose where it is asked."""
    return bool(typed.choose_kb) or set(kbs) == {_AUTO}


def _index(typed: Namespace, kbs: Kbs) -> Request:
    paths, exclude = tuple(typed.paths), tuple(typed.exclude)
    if typed.worker and typed.watch:
        raise UsageError("A worker ends when all is read.", "Give --worker or --watch.")
    if typed.folder and (not typed.worker or len(paths) > 1):
        raise UsageError("--folder names the one folder of a --worker.", "Give both, and one PATH.")
    if typed.keep_password and typed.password is None:
        raise UsageError("There is no password to keep.", "Give --password, too.")
    return IndexRequest(
        _one(kbs),
        paths,
        exclude,
        watch=typed.watch,
        retry=typed.retry,
        worker=typed.worker,
        folder=typed.folder or "",
        keeps_password=typed.keep_password,
    )


def _show(typed: Namespace, kbs: Kbs) -> Request:
    return ShowRequest(_several(kbs), tuple(typed.paths))


def _remove(typed: Namespace, kbs: Kbs) -> Request:
    return RemoveRequest(_one(kbs), tuple(typed.paths), quotes=typed.quotes)


def _passwords(typed: Namespace, kbs: Kbs) -> Request:
    action = "forget_passwords" if typed.forget else "passwords"
    return FilesRequest(action, _one(kbs), tuple(typed.paths))


def _files(typed: Namespace, kbs: Kbs) -> Request:
    return FilesRequest("list", _one(kbs), tuple(typed.paths))


def _search(typed: Namespace, kbs: Kbs) -> Request:
    if _chooses(typed, kbs):
        return SearchRequest(kbs, typed.query, typed.k, typed.where, chooses_kb=True)
    return SearchRequest(_several(kbs), typed.query, typed.k, typed.where)


def _explain(typed: Namespace, kbs: Kbs) -> Request:
    if typed.passage is None and not typed.text.strip() and not typed.path:
        raise UsageError("Which passage is meant?", "Name it: --passage, --text or --path.")
    return ExplainRequest(
        _several(kbs),
        typed.query,
        typed.passage,
        typed.text,
        typed.path or "",
        k=typed.k,
        where=typed.where,
        chat_id=typed.chat,
    )


def _ask(typed: Namespace, kbs: Kbs) -> Request:
    goes_on = typed.chat not in (None, "new")
    if typed.continues:
        if not goes_on or typed.question:
            raise UsageError(
                "--continue writes on the last answer of a conversation.",
                "Give --chat with its number, and no question.",
            )
        return ContinueRequest(typed.chat, model=typed.model)
    if not typed.question:
        raise UsageError("The question is empty.", "Ask something.")
    chooses = _chooses(typed, kbs)
    if chooses and goes_on:
        raise UsageError(
            "A conversation goes on in its own knowledge bases.",
            "Leave --choose-kb out, or begin one with --chat new.",
        )
    has_own = goes_on and not kbs  # a conversation
    return AskRequest(
        kbs=kbs if has_own or chooses else _several(kbs),
        question=typed.question,
        strategy=typed.strategy,
        preset=typed.preset,
        transforms=tuple(typed.transform),
        model=typed.model,
        k=typed.k,
        where=typed.where,
        chat_id=None if typed.chat == "new" else typed.chat,
        new_chat=typed.chat == "new",
        options=dict(typed.option),
        may_reuse=not typed.anew,
        chooses_kb=chooses,
    )


def _keep(typed: Namespace, _kbs: Kbs) -> Request:
    if typed.chat is None:
        if typed.answer or typed.no_longer:
            raise UsageError("Which conversation is meant?", "Give its number.")
        return KeepRequest("list")
    return KeepRequest("release" if typed.no_longer else "keep", typed.chat, typed.answer)


def _notes(typed: Namespace, kbs: Kbs) -> Request:
    if typed.action == "remove":
        return NoteRequest("remove", typed.note)
    if typed.action != "add":
        return NoteRequest("list")
    if typed.chat and typed.file:
        raise UsageError("A note is taken from a conversation or from a file.", "Name one.")
    if typed.answer and not typed.chat:
        raise UsageError("Which conversation is meant?", "Give its number.")
    if not (typed.chat or typed.text.strip()):
        raise UsageError("There is nothing to save.", "Give a text, or --chat.")
    return NoteRequest(
        "add",
        title=typed.title,
        text=typed.text or None,
        chat_id=typed.chat,
        answer_id=typed.answer,
        path=typed.file or "",
        kbs=_several(kbs),
    )


def _documents(typed: Namespace, kbs: Kbs) -> Request:
    """Read `summarise`, `compare` and `each`."""
    question, file = getattr(typed, "question", ""), getattr(typed, "csv", None) or ""
    if typed.command == "each" and not question.strip():
        raise UsageError("The question is empty.", "Ask something.")
    if file and not file.lower().endswith((".csv", ".xlsx")):
        raise UsageError("A table is a .csv or an .xlsx file.", "Name it so.")
    goes_on = typed.chat not in (None, "new")
    return DocumentsRequest(
        typed.command,
        kbs=() if goes_on and not kbs else _several(kbs),
        paths=tuple(typed.paths),
        question=question,
        model=typed.model,
        chat_id=None if typed.chat == "new" else typed.chat,
        new_chat=typed.chat == "new",
        file=file,
    )


def _kb(typed: Namespace, kbs: Kbs) -> Request:
    """Read `kb`: the name may stand after the action, or in --kb."""
    name = getattr(typed, "name", "")
    if not name and kbs:
        name = _one(kbs)
    if not name and typed.action in ("rebuild", "update"):
        name = _DEFAULT_KB
    if not name and typed.action not in _NAMELESS:
        raise UsageError(
            f"kb {typed.action} needs a name.",
            "Write it after the action, before the file if there is one.",
        )
    if typed.action == "update":
        return IndexRequest(name, retry=typed.retry)
    made = KbRequest(
        typed.action,
        name,
        getattr(typed, "file", ""),
        getattr(typed, "new_name", None) or "",
        agrees=getattr(typed, "agree", False),
        together=getattr(typed, "together", False),
        withdraws=getattr(typed, "withdraw", False),
        switch=getattr(typed, "switch", ""),
    )
    if typed.action == "import":
        return replace(made, follow=tuple(typed.follow))
    return replace(made, quotes=typed.quotes) if typed.action == "delete" else made


def _eval(typed: Namespace, kbs: Kbs) -> Request:
    """Read `eval`: a set of one's own or files, or what is done with sets."""
    if typed.task in _SET_ACTIONS and typed.saved:
        raise UsageError("--set names nothing here.", "Write the set's name after the action.")
    if typed.task in _SET_ACTIONS:
        name, file = getattr(typed, "name", ""), getattr(typed, "file", "")
        more = getattr(typed, "count", 10), getattr(typed, "model", "")
        return SetsRequest(_SET_ACTIONS[typed.task], name, file, _several(kbs), *more)
    if typed.task == "crud":
        return _eval_crud(typed, kbs)
    if getattr(typed, "real", False):
        return _eval_builtin(typed)
    if any(getattr(typed, name, "") for name in ("fresh", "so_far", "out")):
        raise UsageError("This belongs to the built-in questions.", "Give --real, too.")
    if bool(typed.saved) == bool(typed.corpus or typed.questions):
        raise UsageError(
            "Name what is asked.", "Either --set NAME, or both --corpus FILE and --questions FILE."
        )
    if bool(typed.corpus) != bool(typed.questions):
        raise UsageError("A corpus and its questions go together.", "Name both.")
    names = {"strategy": "strategies", "k": "ks", "judge": "judge", "sizes": "sizes"}
    of_task = {names[key]: value for key, value in vars(typed).items() if key in names}
    if not of_task.get("strategies", True):
        of_task["strategies"] = _USUAL_STRATEGIES
    return EvalRequest(
        task=typed.task,
        corpus=typed.corpus or "",
        questions=typed.questions or "",
        limit=typed.limit,
        model=typed.model,
        saved=typed.saved,
        kbs=kbs,
        **of_task,
    )


def _eval_builtin(typed: Namespace) -> Request:
    """Read `eval answers --real`."""
    if typed.saved or typed.corpus or typed.questions or typed.judge:
        raise UsageError(
            "--real has questions of its own, and no model judges the answers.",
            "Leave --set, --corpus, --questions and --judge out.",
        )
    return EvalRequest(
        task=typed.task,
        strategies=typed.strategy,
        limit=typed.limit,
        model=typed.model,
        builtin=True,
        fresh=typed.fresh,
        so_far=typed.so_far,
        out=typed.out or "",
    )


def _eval_crud(typed: Namespace, kbs: Kbs) -> Request:
    """Read `eval crud`."""
    return EvalRequest(
        task=typed.task,
        strategies=typed.strategy,
        limit=typed.count,
        model=typed.model,
        kbs=_several(kbs),
        fresh=typed.fresh,
        so_far=typed.so_far,
        out=typed.out or "",
        seed=typed.seed,
    )


def _prepare(typed: Namespace, kbs: Kbs) -> Request:
    given = [each for each in ("remove", "pause", "list") if getattr(typed, each)]
    action = given[0] if given else "prepare"
    if not typed.way and action in ("remove", "pause"):
        raise UsageError("Name the way.", "`desktop-rag prepare --list` says which there are.")
    model = "" if typed.without_model else typed.model or None
    if not typed.way and action == "prepare":
        action = "resume"
    return PrepareRequest(_one(kbs), typed.way, action, model)


def _adapt(typed: Namespace, kbs: Kbs) -> Request:
    action = "remove" if typed.remove else "list" if typed.list else "adapt"
    return AdaptRequest(_one(kbs), action, typed.questions or "", typed.count, typed.model)


def _recover(_typed: Namespace, _kbs: Kbs) -> Request:
    return RecoverRequest()


def _described(typed: Namespace, _kbs: Kbs) -> Request:
    return DescribeRequest(typed.command, getattr(typed, "get", ""))


_COMMANDS: dict[str, Callable[[Namespace, Kbs], Request]] = {
    "index": _index,
    "search": _search,
    "ask": _ask,
    "keep": _keep,
    "notes": _notes,
    "summarise": _documents,
    "compare": _documents,
    "each": _documents,
    "explain": _explain,
    "show": _show,
    "remove": _remove,
    "files": _files,
    "passwords": _passwords,
    "kb": _kb,
    "prepare": _prepare,
    "adapt": _adapt,
    "eval": _eval,
    "strategies": _described,
    "models": _described,
    "doctor": _described,
    "recover": _recover,
}
