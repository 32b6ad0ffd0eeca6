"""How this program is started again, by itself or by another program."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from desktop_rag.core.paths import platform_data_dir


def program_command() -> list[str]:
    """Return the words that start the program as it runs here: frozen, or by an interpreter."""
    is_frozen = getattr(sys, "frozen", False)
    return [sys.executable] if is_frozen else [sys.executable, "-m", "desktop_rag"]


def client_configuration(data_dir: Path) -> str:
    """Return what a client of the Model Context Protocol is configured with, as JSON.

    The form is that of most clients (`mcpServers`). The data folder is named where it is not the
    platform's own: a client's environment has no variable that names it.
    """
    program, *words = program_command()
    named = [] if data_dir == platform_data_dir() else ["--data-dir", str(data_dir)]
    server = {"command": program, "args": [*words, "mcp", *named]}
    return json.dumps({"mcpServers": {"desktop-rag": server}}, indent=2, ensure_ascii=False)
