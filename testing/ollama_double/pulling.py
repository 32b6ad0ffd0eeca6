"""`/api/pull`: a model that can be had arrives in steps and is installed.

What has come when a download ends, by whom ever, is kept, and the next one goes on there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from testing.ollama_double.models import full_name
from testing.ollama_double.recorded import Recorded

if TYPE_CHECKING:
    from testing.ollama_double.routes import Conversation

STEPS = 4


def pull(connection: Conversation, record: Recorded) -> None:
    """Answer `/api/pull`; an unknown name is an error line in the stream, as in Ollama."""
    double = connection.double
    name = full_name(str(record.body.get("model") or record.body.get("name") or ""))
    model = double.pullable.get(name) or double.models.get(name)
    connection.begin()
    connection.line({"status": "pulling manifest"})
    if model is None:
        connection.line({"error": "pull model manifest: file does not exist"})
        connection.end()
        return
    layer = {"digest": f"sha256:{model.digest}", "total": model.size}
    for step in range(double.partial.get(name, 0), STEPS + 1):
        connection.pause(double.pull_pace)
        done = model.size * step // STEPS
        double.partial[name] = step
        connection.line({"status": f"pulling {model.digest[:12]}", "completed": done} | layer)
        if step == STEPS // 2 and double.pull_error is not None:
            _give_up(connection, double.pull_error)
            return
    for status in ("verifying sha256 digest", "writing manifest", "success"):
        connection.line({"status": status})
    double.models[name] = model
    double.partial.pop(name, None)
    connection.end()


def _give_up(connection: Conversation, error: str) -> None:
    """End half way: with an error line, or by cutting the connection."""
    if error:
        connection.line({"error": error})
        connection.end()
    else:
        connection.cut()
