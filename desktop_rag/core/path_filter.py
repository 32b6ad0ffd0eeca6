"""The filter (`--where`) that lets one file or folder pass."""

from __future__ import annotations

import glob
import shlex


def path_filter(path: str) -> str:
    """Return the filter for a path as it is, whatever signs of patterns are in it.

    A folder ends with its separator: then all below it passes.
    """
    below = "*" if path.endswith(("/", "\\")) else ""
    return shlex.quote(f"path:{glob.escape(path)}{below}")
