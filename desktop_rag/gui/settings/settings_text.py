"""The words of the settings that their declarations do not hold: pages, choices, units."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication


@dataclass(frozen=True, slots=True)
class PageHeading:
    """A page: its section's name in the declarations, its title, and what it is about."""

    section: str
    title: str
    about: str


def headings() -> tuple[PageHeading, ...]:
    """Return the pages in their order."""

    def tr(text: str) -> str:
        return QCoreApplication.translate("SettingsWords", text)

    return (
        PageHeading("window", tr("Window"), tr("How the window looks, and when it calls you.")),
        PageHeading("answering", tr("Answers"), tr("How a question is researched and answered.")),
        PageHeading("retrieval", tr("Retrieval"), tr("How passages are found and ranked.")),
        PageHeading("models", tr("Models"), tr("The models that run inside this program.")),
        PageHeading("ollama", "Ollama", tr("The language model that writes the answers.")),
        PageHeading("ingest", tr("Reading"), tr("How files are read, and what reading may take.")),
        PageHeading("chunking", tr("Chunking"), tr("How documents are cut into passages.")),
        PageHeading("privacy", tr("Privacy"), tr("What this program may contact.")),
    )


def choice_text(key: str, value: str) -> str:
    """Return how a choice is called."""
    return _choices().get((key, value)) or _choices().get(("", value)) or value


def unit(key: str) -> str:
    """Return what stands behind a number, with its blank."""

    def tr(text: str) -> str:
        return QCoreApplication.translate("SettingsWords", text)

    units = {
        "window.scale": "%",
        "ingest.parse_seconds": tr(" seconds"),
        "ingest.answer_seconds": tr(" seconds"),
        "ingest.poll_seconds": tr(" seconds"),
        "ingest.parse_megabytes": " MiB",
        "ingest.max_megabytes": " MiB",
        "chunking.small_tokens": tr(" tokens"),
        "chunking.big_tokens": tr(" tokens"),
        "chunking.overlap_tokens": tr(" tokens"),
        "retrieval.half_life_days": tr(" days"),
        "retrieval.rerank_milliseconds": " ms",
        "ollama.num_ctx": tr(" tokens"),
        "ollama.answer_tokens": tr(" tokens"),
    }
    return units.get(key, "")


def minimum_text(key: str) -> str:
    """Return what the lowest value of a number means, where that is something of its own."""

    def tr(text: str) -> str:
        return QCoreApplication.translate("SettingsWords", text)

    meanings = {
        "models.threads": tr("All cores"),
        "ingest.poll_seconds": tr("Automatic"),
        "retrieval.half_life_days": tr("Does not count"),
        "retrieval.refuse_below": tr("Calibrated"),
        "retrieval.rerank_candidates": tr("None"),
        "retrieval.rerank_milliseconds": tr("No limit"),
    }
    return meanings.get(key, "")


def placeholder(key: str) -> str:
    """Return what an empty text field stands for."""

    def tr(text: str) -> str:
        return QCoreApplication.translate("SettingsWords", text)

    hints = {
        "ollama.host": "http://127.0.0.1:11434",
        "privacy.chroma_url": tr("None: nothing is shared"),
        "ingest.exclude": "*.bak, drafts/",
    }
    return hints.get(key, "")


def _choices() -> dict[tuple[str, str], str]:
    def tr(text: str) -> str:
        return QCoreApplication.translate("SettingsWords", text)

    return {
        ("", "auto"): tr("As the system"),
        ("retrieval.reranker", "auto"): tr("Automatic"),
        ("retrieval.reranker", "none"): tr("None"),
        ("retrieval.reranker", "pair-reader"): tr("The built-in reader"),
        ("retrieval.reranker", "late-interaction"): tr("Late interaction"),
        ("retrieval.fusion", "auto"): tr("Automatic"),
        ("retrieval.fusion", "rrf"): tr("Reciprocal ranks"),
        ("retrieval.fusion", "weighted"): tr("Weighted scores"),
        ("answering.order", "forward"): tr("Best first"),
        ("answering.order", "reverse"): tr("Best last"),
        ("answering.order", "sides"): tr("Best at both ends"),
        ("answering.compression", "none"): tr("Not at all"),
        ("answering.compression", "extractive"): tr("Best sentences"),
        ("answering.compression", "tokens"): tr("Most useful words"),
        ("answering.compression", "abstractive"): tr("A summary"),
        ("window.language", "en"): "English",
        ("window.language", "zh"): "中文",
        ("window.theme", "light"): tr("Light"),
        ("window.theme", "dark"): tr("Dark"),
        ("window.theme", "contrast"): tr("High contrast"),
        ("models.embedder", "builtin"): tr("Built in"),
        ("ollama.model", ""): tr("The first there is"),
    }
