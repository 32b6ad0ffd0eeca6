"""What one look of the doctor found."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.core.events import ListingRow

OK, WARNING, ERROR = "ok", "warning", "error"


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """What one look found."""

    name: str
    status: str
    detail: str
    remedy: str = ""

    def row(self) -> ListingRow:
        """Return the check as an event."""
        made = {"name": self.name, "status": self.status}
        return ListingRow(made | {"detail": self.detail, "remedy": self.remedy})
