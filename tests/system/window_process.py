"""A process that owns a data folder as a window does, without one: until a line comes to it."""

WINDOW = """
import sys
from pathlib import Path
from desktop_rag.core.requests import OpenRequest
from desktop_rag.runtime import open_for_window
home = open_for_window(Path(sys.argv[1]), {}, OpenRequest(), print)
print("moved in", flush=True)
sys.stdin.readline()
assert home.close()
"""
