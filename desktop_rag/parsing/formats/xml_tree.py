"""Read XML of any kind into a tree, safely: no document type counts, and no entity grows.

A name that HTML knows (`&nbsp;`) is replaced, any other entity stays as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5

from lxml import etree

from desktop_rag.parsing import file_problems
from desktop_rag.parsing.text_encoding import decode

LARGEST = 150_000_000  # bytes of XML that become one tree, which takes some ten times as much

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"""\A\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)""")
_DOCUMENT_TYPE = re.compile(  # after comments and instructions only, each of them read once
    r"""\A(?>(?:\s|<!--.*?-->|<\?.*?\?>)*)"""
    r"""<!DOCTYPE[^\[>"']*(?:"[^"]*"[^\[>"']*|'[^']*'[^\[>"']*)*(?:\[.*?\]\s*)?>""",
    re.DOTALL,
)
_HEAD = 1_000_000  # characters in which a document type may stand
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);|#\d{1,7};|#x[\da-fA-F]{1,6};)(\w{1,40};)?")


def read_tree(raw: bytes) -> tuple[etree._Element | None, bool]:
    """Return the root of XML, and whether all of it was read; no root if there is none.

    Of broken XML the tree holds what could be told. `too_large` above `LARGEST`.
    """
    if len(raw) > LARGEST:
        raise file_problems.too_large("The file holds more XML than is read at once.")
    declared = _ENCODING.match(raw[:500])
    text = decode(raw, declared.group(1).decode("ascii") if declared else None)
    text = _DECLARATION.sub("", text.lstrip("\ufeff").replace("\0", ""), count=1)
    text = _DOCUMENT_TYPE.sub("", text[:_HEAD], count=1) + text[_HEAD:]
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, huge_tree=True, recover=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    source = _ENTITY.sub(_expanded, text).strip().encode("utf-8", "replace")
    try:
        root = etree.fromstring(source, parser)
    except etree.XMLSyntaxError:
        return None, False
    is_whole = not any(each.level_name == "FATAL" for each in parser.error_log)
    return root, is_whole and root is not None


def local(element: etree._Element) -> str:
    """Return an element's name without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: etree._Element, name: str) -> str:
    """Return an attribute by its name in any namespace, or nothing."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return ""


def descendants(root: etree._Element, *names: str) -> Iterator[etree._Element]:
    """Yield the elements of some names, in any namespace, in order."""
    return root.iter(*(f"{{*}}{name}" for name in names))


def children(element: etree._Element, *names: str) -> Iterator[etree._Element]:
    """Yield the children, or those of some names."""
    return element.iterchildren(*(f"{{*}}{name}" for name in names or ("*",)))


def whole_text(element: etree._Element) -> str:
    """Return all the text in an element, on one line."""
    return " ".join("".join(map(str, element.itertext())).split())


def _expanded(match: re.Match[str]) -> str:
    known = html5.get(match.group(1) or "")
    if known is None or known in "<>&":
        return f"&amp;{match.group(1) or ''}"
    return known
