"""The words of `eval`: what is measured, over which questions, and the question sets themselves."""

from __future__ import annotations

import argparse

from desktop_rag.cli.values import count, counts, names, path

SAVED = ""
"""The key under which `--set NAME` stands among the settings: no setting has it."""

_TASKS = {
    "retrieval": "how much of the evidence is found",
    "answers": "how right the answers and their citations are",
    "rgb": "what the model makes of noise, of nothing, of two questions, of a contradiction",
}
_SETS = {
    "sets": "list your own question sets",
    "show": "print the questions of a set",
    "delete": "delete a set, its questions and the runs over it",
    "export": "write a set as JSON lines: id, question, answers, gold",
    "propose": "make up questions about your documents, as lines of such a file",
    "import": "add the questions of such a file to a set; --kb says where they are asked",
}


def add_eval(evaluation: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    """Add what can be measured, and what can be done with question sets."""
    tasks = evaluation.add_subparsers(dest="task", metavar="TASK", title="tasks", required=True)
    for task, purpose in _TASKS.items():
        parser = tasks.add_parser(task, help=purpose, allow_abbrev=False, parents=[common])
        _name_sets(parser)
        _add_task(parser)
        if task != "rgb":  # that measures the model, on passages that it is given
            parser.add_argument("--strategy", type=names, default=("single_pass",), metavar="A,B")
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
