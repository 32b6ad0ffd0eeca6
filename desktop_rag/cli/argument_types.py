"""Readers of single arguments, as argparse's `type`: a path, a number, names, words."""

from __future__ import annotations

import argparse

from desktop_rag.core.paths import canonical


def path(text: str) -> str:
    """Read a path, absolute from here on: the folder's owner may stand elsewhere."""
    if not text:
        raise argparse.ArgumentTypeError("a path is empty")
    return canonical(text)


def count(text: str) -> int:
    """Read a number from 1 up."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def counts(text: str) -> tuple[int, ...]:
    """Read numbers with commas between them."""
    return tuple(count(each.strip()) for each in text.split(","))


def names(text: str) -> tuple[str, ...]:
    """Read names with commas between them."""
    return tuple(each.strip() for each in text.split(",") if each.strip())


def kb_name(text: str) -> str:
    """Read a knowledge base's name."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the name is empty")
    return text


def utf8(text: str) -> str:
    """Read words; bytes that are no text become question marks."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
