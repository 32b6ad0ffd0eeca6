"""The command line's arguments that concern knowledge bases as a whole: `kb`, `prepare`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from desktop_rag.cli.argument_types import count, kb_name, path

_KB_ACTIONS = {
    "list": "list the knowledge bases with their figures",
    "create": "make an empty one",
    "delete": "delete one, with every trace of its texts; your files stay",
    "rebuild": "make its indexes anew, without reading a file again",
    "update": "bring all that it follows up to date",
    "health": "say what its files lack, or those of all, and what mends it",
    "recognize": "have the text of its scans and pictures recognised, or not",
    "archives": "have archives (ZIP, TAR) looked into at the next look, or not",
    "serve": "let other programs ask it through `desktop-rag mcp`, or not",
    "export": "write one, texts and vectors, into one file (NAME.ragkb, say) to take along",
    "import": "make one from such a file: nothing is read or embedded again",
    "share": "put one on the Chroma server of the settings, for others to ask",
    "join": "make one of what is shared there under NAME; it follows what others write",
    "sync": "bring a shared one, or all, in step with the server",
    "unshare": "share one no more; what came from others stays in it",
    "shared": "list what is shared on the server",
}
_SWITCHES = {
    "recognize": (("on", "off", "default"), "default: as the settings say"),
    "archives": (("on", "off"), "off: what was read in them goes at once"),
    "serve": (("on", "off"), "on: what they read may leave this computer with them"),
}
Common = Callable[[str], argparse.ArgumentParser]
"""Makes the options that every command has, by where they stand."""


def add_kb(kb: argparse.ArgumentParser, common: Common) -> None:
    """Add what can be done with knowledge bases."""
    actions = kb.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    files = {"export": "a new file", "import": "an exported file; NAME: another than it has"}
    for action, purpose in _KB_ACTIONS.items():
        parser = actions.add_parser(
            action, help=purpose, allow_abbrev=False, parents=[common("_of_action")]
        )
        if action not in ("list", "shared"):
            parser.add_argument("name", nargs="?", default="", metavar="NAME")
        if action == "update":
            parser.add_argument("--retry", action="store_true", help="read failed files again, too")
        if action in _SWITCHES:
            choices, told = _SWITCHES[action]
            parser.add_argument("switch", choices=choices, help=told)
        if action in ("export", "import"):
            parser.add_argument("file", metavar="FILE", type=path, help=files[action])
        if action == "delete":
            add_quotes(parser)
        _add_sharing(action, parser)
        if action == "import":
            parser.add_argument(
                "--follow", action="append", default=[], metavar="PATH", type=path,
                help="a folder or file of it, on this computer too, whose changes it goes on "
                "following (repeatable); none without this",
            )  # fmt: skip


def _add_sharing(action: str, parser: argparse.ArgumentParser) -> None:
    if action in ("share", "join"):
        where = "there" if action == "share" else "here"
        parser.add_argument(
            "--as", dest="new_name", metavar="NAME", type=kb_name,
            help=f"what it is called {where}, if otherwise",
        )  # fmt: skip
    if action == "share":
        parser.add_argument(
            "--agree", action="store_true",
            help="agree to send its texts, its files' paths and your name to the server",
        )  # fmt: skip
        parser.add_argument(
            "--together", action="store_true",
            help="write into one that others share there under that name",
        )  # fmt: skip
    if action == "unshare":
        parser.add_argument(
            "--withdraw", action="store_true", help="take it off the server, for everybody"
        )


def add_quotes(parser: argparse.ArgumentParser) -> None:
    """Add what becomes of quotes."""
    parser.add_argument(
        "--quotes", choices=("lose", "keep"), default="lose",
        help="what becomes of its quotes in conversations (default: lose)",
    )  # fmt: skip


def add_prepare(prepare: argparse.ArgumentParser) -> None:
    """Add the command that prepares a knowledge base."""
    prepare.add_argument("way", nargs="?", default="", metavar="WAY", help="which; all without it")
    model = prepare.add_mutually_exclusive_group()
    model.add_argument("--model", default="", metavar="NAME", help="a model that Ollama has")
    model.add_argument(
        "--without-model", action="store_true", help="do it with the built-in models alone"
    )
    action = prepare.add_mutually_exclusive_group()
    action.add_argument("--remove", action="store_true", help="delete what was prepared")
    action.add_argument("--pause", action="store_true", help="do no more for it until asked again")
    action.add_argument("--list", action="store_true", help="say what there is, and what it costs")


def add_adapt(adapt: argparse.ArgumentParser) -> None:
    """Add the command that adapts a knowledge base's query vectors."""
    adapt.add_argument(
        "--questions", metavar="PATH", type=path,
        help="a file of questions on its documents, or the folder of a question set, whose corpus "
        "is then adapted by its train questions",
    )  # fmt: skip
    adapt.add_argument(
        "--count", type=count, default=600, metavar="N",
        help="questions to propose from its documents at most (default: 600)",
    )  # fmt: skip
    adapt.add_argument(
        "--model", default="", metavar="NAME",
        help="a model that Ollama has: the reranker reads its first answers as well",
    )  # fmt: skip
    action = adapt.add_mutually_exclusive_group()
    action.add_argument("--remove", action="store_true", help="go back to the model's own vectors")
    action.add_argument("--list", action="store_true", help="say what was measured")
