"""The command line's arguments that concern the user's notes."""

from __future__ import annotations

import argparse

from desktop_rag.cli.argument_types import count, path, utf8
from desktop_rag.cli.kb_arguments import Common


def add_notes(notes: argparse.ArgumentParser, common: Common) -> None:
    """Add what can be done with notes; without an action they are listed."""
    actions = notes.add_subparsers(dest="action", metavar="ACTION", title="actions")
    purposes = {
        "list": "list the notes in their order, which is the same without an action",
        "add": "save an answer, a part of one, a quote from a file, or words of your own",
        "remove": "delete notes for good",
    }
    for action, purpose in purposes.items():
        parser = actions.add_parser(
            action, help=purpose, allow_abbrev=False, parents=[common("_of_action")]
        )
        if action == "remove":
            parser.add_argument("note", type=count, metavar="ID", help="as `notes` lists it")
        if action == "add":
            _add_what(parser)


def _add_what(parser: argparse.ArgumentParser) -> None:
    """Add what a new note is made of."""
    parser.add_argument(
        "text", nargs="?", default="", metavar="TEXT", type=utf8,
        help="a part of the answer, what the file says, or your own words (Markdown)",
    )  # fmt: skip
    parser.add_argument("--title", type=utf8, metavar="TITLE", help="of your own words")
    parser.add_argument("--chat", type=count, default=0, metavar="CHAT", help="a conversation")
    parser.add_argument(
        "--answer", type=count, default=0, metavar="ID", help="its message (default: the last one)"
    )
    parser.add_argument(
        "--file", type=path, metavar="FILE", help="a file that the text is quoted from"
    )
