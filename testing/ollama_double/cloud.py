"""Models that Ollama passes on to its cloud: which names it takes for such, and what it says then.

As `internal/modelref` of Ollama's source reads a name: trimmed, what stands behind the last colon
trimmed and lower-cased; `cloud` and `…-cloud` are asked elsewhere, `local` never is.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from testing.ollama_double.models import DoubleModel
from testing.ollama_double.versions import numbers

if TYPE_CHECKING:
    from testing.ollama_double.recorded import Recorded
    from testing.ollama_double.server import OllamaDouble

HOST = "https://ollama.com:443"
DISABLED = "ollama cloud is disabled: remote model is unavailable"
_READS_SUFFIXES = (0, 18)
_STATUS = (0, 16, 2)


class Source(Enum):
    """Where a name says that its model is."""

    UNSAID = auto()
    LOCAL = auto()
    CLOUD = auto()


def read_name(name: str) -> tuple[str, Source]:
    """Return a name without the suffix that says where its model is."""
    trimmed = name.strip()
    base, colon, tag = trimmed.rpartition(":")
    suffix = tag.strip().lower()
    if not colon:
        return trimmed, Source.UNSAID
    if suffix in ("cloud", "local"):
        return base, Source[suffix.upper()]
    if "/" not in suffix and suffix.endswith("-cloud"):
        return f"{base}:{tag.strip()[: -len('-cloud')]}", Source.CLOUD
    return trimmed, Source.UNSAID


def tells_status(double: OllamaDouble) -> bool:
    """Whether this version answers `/api/status`."""
    return numbers(double.version) >= _STATUS


def find(double: OllamaDouble, record: Recorded) -> DoubleModel | None:
    """Return the model that answers a request, None for an unknown one.

    What is passed on is noted in the record, and in the double's `passed_on`.
    """
    reads = numbers(double.version) >= _READS_SUFFIXES
    name, source = read_name(record.model) if reads else (record.model, Source.UNSAID)
    if source is Source.CLOUD:
        return _passed_on(double, record, DoubleModel(name, remote_host=HOST, remote_model=name))
    model = double.find(name)
    if model is None or not model.is_remote:
        return model
    return None if source is Source.LOCAL else _passed_on(double, record, model)


def _passed_on(double: OllamaDouble, record: Recorded, model: DoubleModel) -> DoubleModel:
    record.remote = model.remote
    if not double.cloud_is_off:
        double.passed_on.append(record)
    return model
