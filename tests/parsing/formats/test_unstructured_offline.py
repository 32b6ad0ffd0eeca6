"""unstructured without a network: run in a process of its own, where it is imported afresh."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import docx

SCRIPT = """
import sys
reached = []
def hook(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "subprocess.Popen"):
        reached.append((event, str(arguments)[:200]))
sys.addaudithook(hook)
from desktop_rag.parsing.formats.unstructured_offline import word_elements
texts = [element.text for element in word_elements(sys.argv[1])]
assert "A paragraph of ordinary length." in texts, texts
assert not reached, reached
assert "torch" not in sys.modules
print("quiet", end="")
"""


def test_word_is_read_without_a_word_to_anybody(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    made = docx.Document()
    made.add_paragraph("A paragraph of ordinary length.")
    made.save(str(path))
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).resolve().parents[3],
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "quiet", "")
