"""Draw the program's icon in the forms that platforms ask for: icon.py FOLDER, with Qt."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SOURCE = Path(__file__).resolve().parent.parent / "resources" / "icons" / "app.svg"
SIZES = {"png": 256, "ico": 256, "icns": 512}


def main() -> None:
    """Write app.png, app.ico and app.icns into the folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    application = QGuiApplication([])
    for form, side in SIZES.items():
        if not drawn(side).save(str(folder / f"app.{form}")):
            sys.exit(f"Qt can't write {form} here.")
    application.quit()


def drawn(side: int) -> QImage:
    """Return the icon as a square picture."""
    picture = QImage(side, side, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(str(SOURCE)).render(painter)
    painter.end()
    return picture


if __name__ == "__main__":
    main()
