"""The settings of a LibreOffice that converts one document: no macros, nothing from elsewhere."""

from __future__ import annotations

from pathlib import Path

_SECURITY = "/org.openoffice.Office.Common/Security/Scripting"
_SETTINGS = (
    (_SECURITY, "MacroSecurityLevel", "3"),
    (_SECURITY, "DisableMacrosExecution", "true"),
    (_SECURITY, "DisableActiveContent", "true"),
    (_SECURITY, "DisableOLEAutomation", "true"),
    (_SECURITY, "DisablePythonRuntime", "true"),
    (_SECURITY, "BlockUntrustedRefererLinks", "true"),
    ("/org.openoffice.Office.Common/Save/Document", "LoadPrinter", "false"),
    ("/org.openoffice.Office.Common/Load", "UpdateDocMode", "0"),
    ("/org.openoffice.Office.Writer/Content/Update", "Link", "2"),
    ("/org.openoffice.Office.Calc/Content/Update", "Link", "1"),
    ("/org.openoffice.Office.Calc/Formula/Load", "OOXMLRecalcMode", "1"),
    ("/org.openoffice.Office.Calc/Formula/Load", "ODFRecalcMode", "1"),
    ("/org.openoffice.Office.Common/Misc", "CrashReport", "false"),
    ("/org.openoffice.Office.Common/Misc", "UseOpenCL", "false"),
    ("/org.openoffice.Office.Java/ApplicationFramework", "Enable", "false"),
    ("/org.openoffice.Office.Recovery/AutoSave", "Enabled", "false"),
)
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
    'xmlns:xs="http://www.w3.org/2001/XMLSchema">\n'
)


def write_profile(folder: Path) -> None:
    """Write a new user profile into a folder that is not there yet."""
    user = folder / "user"
    user.mkdir(parents=True)
    items = "".join(
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{value}</value></prop></item>\n"
        for path, name, value in _SETTINGS
    )
    text = f"{_HEAD}{items}</oor:items>\n"
    (user / "registrymodifications.xcu").write_text(text, encoding="utf-8")
