"""Office documents made into pages by the LibreOffice that the system has."""
