"""The engine: pure Python, no Qt, no globals."""
