"""The command line's arguments, read into a request.

First the options of `eval` and of `explain`, then all other commands but those of knowledge bases
(`kb_arguments`). Nothing that does the work is known here, and nothing heavy is imported: people
wait for `--help`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_rag.cli.argument_types import count, counts, kb_name, names, path, utf8
from desktop_rag.cli.kb_arguments import add_adapt, add_kb, add_prepare, add_quotes
from desktop_rag.cli.note_arguments import add_notes
from desktop_rag.cli.password_prompt import PasswordSource
from desktop_rag.cli.request_builder import opening_of, request_of
from desktop_rag.cli.whole_document_arguments import Readers as DocumentReaders
from desktop_rag.cli.whole_document_arguments import add_documents
from desktop_rag.core.errors import UsageError
from desktop_rag.core.paths import default_data_dir
from desktop_rag.core.requests import OpenRequest, Request

SAVED = ""
"""The key under which `--set NAME` stands among the settings: no setting has it."""
_TASKS = {
    "retrieval": "how much of the evidence is found",
    "answers": "how right the answers and their citations are",
    "rgb": "what the model makes of noise, of nothing, of two questions, of a contradiction",
}
_CRUD = "go on with, ask about, correct and summarise your own documents (CRUD-RAG)"
_SETS = {
    "sets": "list your own question sets",
    "show": "print the questions of a set",
    "delete": "delete a set, its questions and the runs over it",
    "export": "write a set as JSON lines: id, question, answers, gold",
    "propose": "make up questions about your documents, as lines of such a file",
    "import": "add the questions of such a file to a set; --kb says where they are asked",
}
_COMMON = ("data_dir", "kb", "set", "json", "verbose")
_VALUED = ("--data-dir", "--kb", "--set")
_OPEN = "open"
_MCP = "mcp"
_PRESET = (
    "fast, balanced (as a rule the default) or thorough; --strategy, --transform and --option take "
    "the place of that part of it"
)
_PURPOSE = (
    "Ask questions of your own documents, on your own computer, with every answer at its place."
)
Add = Callable[[str, str], argparse.ArgumentParser]


def add_eval(evaluation: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    """Add what can be measured, and what can be done with question sets."""
    tasks = evaluation.add_subparsers(dest="task", metavar="TASK", title="tasks", required=True)
    for task, purpose in _TASKS.items():
        parser = tasks.add_parser(task, help=purpose, allow_abbrev=False, parents=[common])
        _name_sets(parser)
        _add_task(parser)
        if task != "rgb":  # that measures the model, on passages that it is given
            parser.add_argument("--strategy", type=names, default=(), metavar="A,B")
            parser.add_argument("-k", type=counts, default=(2, 5, 10), metavar="2,5,10")
        if task == "retrieval":
            parser.add_argument(
                "--sizes", type=counts, default=(), metavar="1000,5000",
                help="over so many passages of the corpus, with the second stage and without",
            )  # fmt: skip
        if task == "answers":
            parser.add_argument(
                "--judge", action="store_true", help="have the language model judge them as well"
            )
            _add_builtin(parser)
    _add_crud(tasks.add_parser("crud", help=_CRUD, allow_abbrev=False, parents=[common]))
    for action, purpose in _SETS.items():
        parser = tasks.add_parser(action, help=purpose, allow_abbrev=False, parents=[common])
        if action in ("show", "delete", "export"):
            parser.add_argument("name", metavar="NAME")
        if action in ("export", "import"):
            parser.add_argument("file", metavar="FILE", type=path)
        if action == "propose":
            parser.add_argument("--count", type=count, default=10, metavar="N")
            parser.add_argument("--model", default="", metavar="NAME", help="who writes them")
        if action == "import":
            parser.add_argument("name", nargs="?", default="", metavar="NAME")


def _add_task(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--corpus", metavar="FILE", type=path)
    parser.add_argument("--questions", metavar="FILE", type=path)
    parser.add_argument("--limit", type=count, metavar="N", help="only the first questions")
    parser.add_argument("--model", default="", metavar="NAME", help="a model that Ollama has")


def _add_crud(parser: argparse.ArgumentParser) -> None:
    """Add the options of the tasks that are made of the user's documents."""
    parser.add_argument(
        "--strategy", type=names, default=(), metavar="A,B", help="quotes: no model"
    )
    parser.add_argument("--count", type=count, metavar="N", help="cases of each of the four tasks")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="draws other cases")
    parser.add_argument("--model", default="", metavar="NAME", help="a model that Ollama has")
    _add_kept(parser)


def _add_builtin(parser: argparse.ArgumentParser) -> None:
    """Add the options of the questions that come with the program."""
    parser.add_argument(
        "--real",
        action="store_true",
        help="ask 100 built-in questions with your model; goes on where it was stopped, and ends "
        "in a table to send. --strategy: some ways, or all",
    )
    _add_kept(parser)


def _add_kept(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run whose answers are kept."""
    parser.add_argument("--fresh", action="store_true", help="forget what was answered before")
    parser.add_argument(
        "--so-far", action="store_true", help="ask nothing: the table of what is answered"
    )
    parser.add_argument("--out", metavar="FILE.md", type=path, help="write the table")


def _name_sets(parser: argparse.ArgumentParser) -> None:
    """Let `--set` name one of the user's sets as well: a setting has an equals sign, a set none."""
    for each in parser._actions:  # noqa: SLF001 - argparse has no other way to a parent's option
        if "--set" in each.option_strings:
            each.type = _setting_or_set
            each.metavar = "NAME | KEY=VALUE"
            each.help = "a question set of yours; or any setting, for this run"


def _setting_or_set(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not text.strip() or (equals and not key.strip()):
        raise argparse.ArgumentTypeError(f"{text!r} is neither a name nor KEY=VALUE")
    return (key.strip(), value) if equals else (SAVED, text.strip())


def add_explain(add: Add) -> None:
    """Add the command that explains a search."""
    explain = add("explain", "say why a passage is not found, or where it comes")
    explain.add_argument("query", metavar="QUERY", type=utf8)
    explain.add_argument(
        "--passage", type=count, metavar="ID", help="its number, as `search --json` gives it"
    )
    explain.add_argument("--text", default="", metavar="WORDS", type=utf8, help="words of it")
    explain.add_argument(
        "--path", metavar="FILE", type=path, help="its file; alone, the file's best passage"
    )
    explain.add_argument("-k", type=count, default=5, help="how many passages (default: 5)")
    explain.add_argument("--where", default="", metavar="FILTER", help="only some documents")
    explain.add_argument(
        "--chat", type=count, metavar="ID", help="look at the last answer of a conversation too"
    )


@dataclass(frozen=True, slots=True)
class CommandLine:
    """What was typed. `request` is None where the window is meant: `opening` is for it.

    So it is where other programs are to be served (`is_server`).
    """

    request: Request | None
    data_dir: Path
    overrides: dict[str, str]
    json: bool
    verbose: bool
    opening: OpenRequest = field(default_factory=OpenRequest)
    password: PasswordSource | None = None
    is_server: bool = False


def read(words: Sequence[str]) -> CommandLine:
    """Read the command line's words; wrong usage and `--help` end the process as argparse does."""
    parser, commands = _parser()
    typed = parser.parse_args(_with_open(words, commands))
    common = {name: _joined(typed, name) for name in _COMMON}
    named = common["data_dir"][-1] if common["data_dir"] else None
    overrides = dict(common["set"])
    typed.saved = overrides.pop(SAVED, "")
    try:
        request, opening = None, OpenRequest()
        if typed.command in (None, _OPEN):
            opening = opening_of(typed, tuple(common["kb"]))
        elif typed.command != _MCP:
            request = request_of(typed, tuple(common["kb"]))
    except UsageError as error:
        parser.error(f"{error.what} {error.remedy}")
    return CommandLine(
        request=request,
        data_dir=Path(named).expanduser().absolute() if named else default_data_dir(),
        overrides=overrides,
        json=bool(common["json"]),
        verbose=bool(common["verbose"]),
        opening=opening,
        password=getattr(typed, "password", None),
        is_server=typed.command == _MCP,
    )


def _with_open(words: Sequence[str], commands: Collection[str]) -> list[str]:
    """Let paths stand alone, as a desktop hands them over: `desktop-rag FOLDER` opens it."""
    takes_value = False
    for place, word in enumerate(words):
        if takes_value or word.startswith("-"):
            takes_value = not takes_value and word in _VALUED
        else:
            is_path = word not in commands and Path(word).expanduser().exists()
            return [*words[:place], _OPEN, *words[place:]] if is_path else list(words)
    return list(words)


def _joined(typed: argparse.Namespace, name: str) -> list[Any]:
    """Return an option's values from before and after the command, in their order."""
    return [
        value
        for level in ("", "_of_command", "_of_action")
        for value in getattr(typed, f"{name}{level}", None) or []
    ]


def _parser() -> tuple[argparse.ArgumentParser, Collection[str]]:
    """Return the parser, and the names of its commands."""
    parser = argparse.ArgumentParser(
        prog="desktop-rag",
        description=_PURPOSE,
        epilog="Without a command, the window opens.",
        allow_abbrev=False,
        parents=[_common("")],
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def add(name: str, purpose: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=purpose,
            description=f"{purpose[0].upper()}{purpose[1:]}.",
            allow_abbrev=False,
            parents=[_common("_of_command")],
        )

    _add_open(add)
    _add_files(add)
    _add_questions(add)
    _add_keep(add)
    add_notes(add("notes", "list, save and delete notes of answers and documents"), _common)
    add_documents(add, DocumentReaders(utf8, path, _chat))
    add_kb(add("kb", "list, make and mend knowledge bases"), _common)
    add_prepare(add("prepare", "prepare a knowledge base for a way that needs it"))
    add_adapt(add("adapt", "adapt how questions are compared, and keep it if more is found"))
    add("strategies", "list the ways to answer a question: presets, strategies, transforms")
    _add_models(add)
    add_eval(add("eval", "measure strategies on a question set"), _common("_of_action"))
    add(_MCP, "serve the knowledge bases that other programs may ask (Model Context Protocol)")
    add("doctor", "check the installation, the models, Ollama and the stores")
    add("recover", "bring a damaged catalog back, and say what is lost")
    return parser, commands.choices.keys()


def _common(level: str) -> argparse.ArgumentParser:
    """Return the options that may stand before and after the command."""
    common = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    group = common.add_argument_group("common options")
    group.add_argument(
        "--data-dir", action="append", dest=f"data_dir{level}", metavar="DIR",
        help="where knowledge bases are kept (or DESKTOP_RAG_HOME)",
    )  # fmt: skip
    group.add_argument(
        "--kb", action="append", dest=f"kb{level}", metavar="NAME", type=kb_name,
        help="a knowledge base; repeat it to search several (default: default)",
    )  # fmt: skip
    group.add_argument(
        "--set", action="append", dest=f"set{level}", metavar="KEY=VALUE", type=_setting,
        help="any setting, for this run",
    )  # fmt: skip
    group.add_argument(
        "--json", action="append_const", const="1", dest=f"json{level}",
        help="print one JSON object per line",
    )  # fmt: skip
    group.add_argument(
        "--verbose", action="append_const", const="1", dest=f"verbose{level}",
        help="say more on standard error",
    )  # fmt: skip
    return common


def _add_open(add: Add) -> None:
    opening = add(_OPEN, "open the window, and add files or folders to it")
    opening.add_argument("opened", nargs="*", metavar="PATH")
    purpose = opening.add_mutually_exclusive_group()
    for name, told in (
        ("read", "show the files; those that are in no knowledge base are offered to be added"),
        ("ask", "ask the files alone; those in no knowledge base are offered to be added"),
    ):
        purpose.add_argument(
            f"--{name}", dest="purpose", action="store_const", const=name, default="", help=told
        )


def _add_files(add: Add) -> None:
    index = add("index", "add files or folders, or bring them up to date")
    index.add_argument("paths", nargs="+", metavar="PATH", type=path)
    index.add_argument("--watch", action="store_true", help="go on, and follow every change")
    index.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="GLOB",
        help="names to pass over in these folders, from now on; `remove` a folder to undo it",
    )
    index.add_argument("--retry", action="store_true", help="read failed files again, too")
    index.add_argument(
        "--worker", action="store_true",
        help="share the work with other computers that see this folder: what is read goes onto the "
        "Chroma server on which the knowledge base is shared",
    )  # fmt: skip
    index.add_argument(
        "--folder", metavar="NAME", type=kb_name,
        help="with --worker: what the others call this folder, where it is at another place",
    )  # fmt: skip
    _add_password(index)
    files = add("files", "list the files of a knowledge base with their states")
    files.add_argument("paths", nargs="*", metavar="PATH", type=path)
    show = add("show", "print the chunks of indexed documents, in order")
    show.add_argument("paths", nargs="+", metavar="PATH", type=path)
    remove = add(
        "remove",
        "take files or folders out, their text and its quotes in conversations; what a model "
        "wrote of them stays",
    )
    remove.add_argument("paths", nargs="+", metavar="PATH", type=path)
    add_quotes(remove)
    passwords = add("passwords", "list the files whose password is known, or forget passwords")
    passwords.add_argument("paths", nargs="*", metavar="PATH", type=path)
    passwords.add_argument(
        "--forget", action="store_true", help="forget them, in the key ring too; all without PATH"
    )


def _add_password(index: argparse.ArgumentParser) -> None:
    source = index.add_mutually_exclusive_group()
    source.add_argument(
        "--password", action="store_const", const=PasswordSource.TERMINAL,
        help="type the password of these files, unseen; it is never a word of the command",
    )  # fmt: skip
    source.add_argument(
        "--password-stdin", action="store_const", const=PasswordSource.INPUT, dest="password",
        help="the same from the first line of standard input",
    )  # fmt: skip
    index.add_argument(
        "--keep-password", action="store_true",
        help="keep it in the system's key ring where it opens a file, not for this run only",
    )  # fmt: skip


def _add_questions(add: Add) -> None:
    search = add("search", "find passages, without a language model")
    search.add_argument("query", metavar="QUERY", type=utf8)
    search.add_argument("-k", type=count, default=10, help="how many passages (default: 10)")
    search.add_argument("--where", default="", metavar="FILTER", help="only some documents")
    _add_choice(search)
    add_explain(add)
    ask = add("ask", "answer a question, with citations")
    ask.add_argument("question", nargs="?", default="", metavar="QUESTION", type=utf8)
    ask.add_argument("--preset", default="", metavar="NAME", help=_PRESET)
    ask.add_argument("--strategy", default="", metavar="NAME", help="how it is researched")
    ask.add_argument(
        "--transform", action="append", default=[], metavar="NAME", help="a change to the question"
    )
    ask.add_argument("--model", default="", metavar="NAME", help="a model that Ollama has")
    ask.add_argument("-k", type=count, default=0, help="how many passages (5, as a rule)")
    ask.add_argument("--where", default="", metavar="FILTER", help="only some documents")
    ask.add_argument(
        "--chat", type=_chat, metavar="ID", help="go on with a conversation, or begin one: new"
    )
    ask.add_argument(
        "--continue", dest="continues", action="store_true",
        help="instead of a question: write on the last answer of --chat, which was cut",
    )  # fmt: skip
    ask.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", type=_setting,
        help="an option of the strategy; NAME.KEY=VALUE of a transform",
    )  # fmt: skip
    ask.add_argument(
        "--anew", action="store_true",
        help="research it, even where a conversation has the answer to the same question",
    )  # fmt: skip
    _add_choice(ask)


def _add_choice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--choose-kb", action="store_true",
        help="choose the knowledge base by the question, of all or of those in --kb; `--kb auto` "
        "is the same, unless one is called auto",
    )  # fmt: skip


def _add_keep(add: Add) -> None:
    keep = add("keep", "keep an answer of a conversation, or list those that are kept")
    keep.add_argument("chat", nargs="?", type=count, metavar="CHAT", help="its conversation")
    keep.add_argument(
        "--answer", type=count, default=0, metavar="ID", help="its message (default: the last one)"
    )
    keep.add_argument("--no-longer", action="store_true", help="keep it no longer")


def _add_models(add: Add) -> None:
    models = add("models", "list models: what is there, what can be had")
    models.add_argument(
        "--get", default="", metavar="NAME",
        help="fetch a model first, from the Hugging Face hub; nothing of yours is sent",
    )  # fmt: skip


class _Version(argparse.Action):
    """Prints the version; looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from desktop_rag.core import version

        print(f"desktop-rag {version.installed()}")
        parser.exit()


def _chat(text: str) -> int | str:
    return text if text == "new" else count(text)


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not KEY=VALUE")
    return key.strip(), value
