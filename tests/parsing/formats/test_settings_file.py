from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.parsing.formats.settings_file import parse
from tests.parsing.open_documents import written

YAML = "name: demo\nservices:\n  web:\n    port: 8080\n  db:\n    port: 5432\nother: 3\n"
INI = "; first\n[server]\nport = 8080\n\n[client]\nport = 9000\n"
NGINX = "http {\n  server {\n    listen 80;\n  }\n}\n"


@pytest.mark.parametrize(
    ("name", "text", "pieces"),
    [
        ("a.yaml", YAML, [(1, ""), (2, "services"), (3, "services › web"), (5, "services › db"),
                          (7, "")]),
        ("a.ini", INI, [(1, ""), (2, "server"), (5, "client")]),
        ("a.conf", NGINX, [(1, "http"), (2, "http › server")]),
        ("a.properties", "a.port=1\na.host=x\n", [(1, "")]),
        ("a.toml", "[[mirrors]]\nurl = 'x'\n", [(1, "mirrors")]),
    ],
)  # fmt: skip
def test_lines_are_named_by_their_sections(
    tmp_path: Path, name: str, text: str, pieces: list[tuple[int, str]]
) -> None:
    document = parse(written(tmp_path / name, text))
    assert [(block.place.value, block.header) for block in document.blocks] == pieces
    joined = "\n".join(block.text for block in document.blocks)
    assert joined.split() == text.split()
