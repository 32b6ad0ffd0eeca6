"""Says what knowledge bases' files lack, kind by kind, with the command that mends it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from desktop_rag.commands.doctor_check import OK, WARNING, DoctorCheck
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.index_health import HealthFinding, HealthKind, IndexHealth
from desktop_rag.core.phrases import Phrase
from desktop_rag.workspace import Workspace

_DETAILS = {
    HealthKind.FAILED: "could not be read",
    HealthKind.PROTECTED: "protected with a password",
    HealthKind.PICTURES: "with pages of pictures that were not read",
    HealthKind.GARBLED: "with pages whose letters cannot be told",
    HealthKind.HARD_TO_READ: "recognised with low confidence: the text may be wrong",
    HealthKind.STALE: "changed, or read by an older version: an older text is found",
    HealthKind.WAITING: "not read yet",
    HealthKind.TO_RECOGNIZE: "with pages of pictures, still to be recognised",
    HealthKind.EMPTY: "without text",
    HealthKind.DUPLICATE: "with the same content as others; it is stored once",
    HealthKind.UNSUPPORTED: "of kinds that are not read",
    HealthKind.EXCLUDED: "excluded",
}
_SHARPER = "Add larger or sharper copies of them."
_UPDATE, _RETRY = "Run: desktop-rag kb update {0}", "Run: desktop-rag kb update {0} --retry"
_SWITCH_ON = "Run: desktop-rag kb recognize {0} on, then desktop-rag kb update {0}"
_UNLOCK = "Run, for each of them: desktop-rag index FILE --password --kb {0}"


def index_health(workspace: Workspace, kb: KnowledgeBase) -> IndexHealth:
    """Return what is known of the files of a knowledge base, as things stand."""
    from desktop_rag.indexing.parse_stage import recipe_under  # a list needs none of it

    settings, catalog = workspace.settings, workspace.catalog
    recognizes = catalog.kbs.recognizes_text(kb.id, default=settings.ingest.recognize_text)
    return catalog.health.of(kb, recipe_under(settings), recognizes=recognizes)


def health_checks(workspace: Workspace) -> Iterator[DoctorCheck]:
    """Yield a check for each knowledge base and kind of files; one if nothing is to be mended."""
    for kb in workspace.catalog.kbs.all():
        health = index_health(workspace, kb)
        for finding in health.findings:
            yield _check(health, finding)
        if health.is_whole and health.files:
            yield DoctorCheck(Phrase("files of {0}", kb.name), OK, "all that can be read is read")


def health_row(health: IndexHealth, finding: HealthFinding) -> dict[str, Any]:
    """Return one kind as a line of `kb health`: what the doctor says of it, and more."""
    return {
        **_check(health, finding).row().values,
        "kb": health.kb,
        "kind": finding.kind.value,
        "files": finding.files,
        "pages": finding.pages,
        "first": [{"path": each.path, "reason": each.reason} for each in finding.first],
        "reasons": {each.reason: each.files for each in finding.reasons},
    }


def _check(health: IndexHealth, finding: HealthFinding) -> DoctorCheck:
    counted = f"{finding.files:,} {'file' if finding.files == 1 else 'files'}"
    if finding.pages:
        counted += f", {finding.pages:,} {'page' if finding.pages == 1 else 'pages'}"
    status = WARNING if finding.needs_mending else OK
    name = Phrase("files of {0}", health.kb)
    told = f"{counted} {_DETAILS[finding.kind]}{_reasons(finding)}"
    return DoctorCheck(name, status, told, _remedy(health, finding.kind))


def _reasons(finding: HealthFinding) -> str:
    """Return the reasons that most files have."""
    told = [f"{each.reason} ({each.files:,})" for each in finding.reasons[:3]]
    return f": {' '.join(told)}" if told else ""


def _remedy(health: IndexHealth, kind: HealthKind) -> str:
    """Return what mends a kind: a command that can be typed, where one does."""
    template = {
        HealthKind.FAILED: _RETRY,
        HealthKind.PROTECTED: _UNLOCK,
        HealthKind.PICTURES: _RETRY if health.recognizes_text else _SWITCH_ON,
        HealthKind.GARBLED: _RETRY if health.recognizes_text else _SWITCH_ON,
        HealthKind.HARD_TO_READ: _SHARPER,
        HealthKind.STALE: _UPDATE,
        HealthKind.WAITING: _UPDATE,
        HealthKind.TO_RECOGNIZE: _UPDATE,
    }.get(kind, "")
    return Phrase(template, shlex.quote(health.kb)) if template else ""
