"""A long conversation: from the click to its paint, scrolling through it, changing its width."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

from benchmarks.result_table import Measurement
from benchmarks.window_process import NOBODY, in_window
from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.settings import Settings
from testing.long_conversations import ANSWER
from testing.sample_answers import answer


def measure(messages: int, folder: Path) -> list[Measurement]:
    """Keep a conversation of so many messages and a short one, and open both in the window."""
    turns = messages // 2
    data_dir = folder / "data"
    ids = _keep(data_dir, turns)
    given = {"host": NOBODY, "data_dir": str(data_dir), "turns": turns, **ids}
    made = in_window("conversation", given)
    floor, name = "one of two messages", f"a conversation of {messages:,} messages"
    opened = statistics.median(made["long"])
    rows = [
        Measurement(
            f"{name}: click to paint",
            opened,
            "s",
            statistics.median(made["short"]),
            floor,
            "≤ 0.3 s",
        ),
    ]
    for what in ("scrolled", "resized"):
        rows += [
            Measurement(f"{name}, {what}: p99", made[what]["p99"], "ms late"),
            Measurement(f"{name}, {what}: max", made[what]["max"], "ms late"),
            Measurement(f"{name}, {what}: of which own work, max", made[what]["work"], "ms"),
        ]
    return rows


def _keep(data_dir: Path, turns: int) -> dict[str, int]:
    """Store both conversations, each answer with its sources; return their ids."""
    workspace = open_workspace(data_dir, Settings())
    try:
        chats = workspace.catalog.chats
        ids = {
            "short": chats.create("Short", ("default",)),
            "long": chats.create("Long", ("default",)),
        }
        for name, count in (("short", 1), ("long", turns)):
            for number in range(count):
                chats.append(ids[name], "user", f"Question {number}: why did fuel cost less?")
                said = answer(f"{ANSWER}\n\nSo much for that, number {number}.", 1, 2, 1, 3)
                payload = json.dumps(said.as_json(), ensure_ascii=False)
                chats.append(ids[name], "assistant", said.text, payload)
    finally:
        workspace.close()
    return {name: int(each) for name, each in ids.items()}
