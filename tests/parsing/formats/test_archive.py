"""Archives: each file in them read by its own parser, and nothing lost unsaid."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.core.types import BlockKind, FileStatus
from desktop_rag.parsing import format_registry
from desktop_rag.parsing.formats import archive, archive_members
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.archive_files import Content, locked_zip, named_in, tarred, zipped
from tests.parsing.sample_files import one_page, paragraph
from tests.parsing.sample_pictures import picture

HERON = "The heron stands in the shallow water and waits for small fish."
OTTER = "The otter sleeps on its back and holds a stone against its chest."
FILES: dict[str, Content] = {"notes/heron.md": f"# Birds\n\n{HERON}", "otter.txt": OTTER}
PASSWORD = "harbour 4711"


def read(path: Path, raw: bytes, password: str = "") -> ParsedDocument:
    path.write_bytes(raw)
    secret = Secret(password) if password else NO_PASSWORD
    return format_registry.parse(path, password=secret, opens_archives=True)


def problem(path: Path, raw: bytes, password: str = "") -> FileProblem:
    with pytest.raises(FileProblem) as caught:
        read(path, raw, password)
    return caught.value


def places(document: ParsedDocument) -> dict[str, str]:
    """Return the texts by their places, without the headings that name the files."""
    texts: dict[str, str] = {}
    for block in document.blocks:
        if block.kind is not BlockKind.HEADING:
            texts[str(block.place.value)] = block.text
    return texts


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.zip", zipped(FILES)), ("a.tar", tarred(FILES)), ("a.tar.gz", tarred(FILES, "gz")),
        ("a.TGZ", tarred(FILES, "gz")), ("a.tbz2", tarred(FILES, "bz2")),
        ("a.txz", tarred(FILES, "xz")), ("a.zip", tarred(FILES, "xz")), ("a.gz", zipped(FILES)),
        ("a.zip", zipped(FILES, zipfile.ZIP_LZMA)), ("a.zip", zipped(FILES, zipfile.ZIP_BZIP2)),
    ],
)  # fmt: skip
def test_each_file_is_read_under_its_name(tmp_path: Path, name: str, raw: bytes) -> None:
    document = read(tmp_path / name, raw)
    assert places(document) == {"notes/heron.md": HERON, "otter.txt": OTTER}
    headings = [(b.text, b.level) for b in document.blocks if b.kind is BlockKind.HEADING]
    assert headings == [("notes/heron.md", 1), ("Birds", 2), ("otter.txt", 1)]
    assert not document.notes


def test_a_file_that_is_packed_alone_is_read(tmp_path: Path) -> None:
    raw = OTTER.encode()
    packed = {"gz": gzip.compress(raw), "bz2": bz2.compress(raw), "xz": lzma.compress(raw)}
    for ending, content in packed.items():
        document = read(tmp_path / f"otter.txt.{ending}", content)
        assert places(document) == {"otter.txt": OTTER}


def test_an_archive_is_not_opened_unless_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped(FILES))
    with pytest.raises(FileProblem, match="is an archive") as caught:
        format_registry.parse(tmp_path / "a.zip")
    assert caught.value.status is FileStatus.UNSUPPORTED
    assert "Look into archives" in caught.value.remedy


def test_a_document_that_is_named_as_an_archive_stays_one(tmp_path: Path) -> None:
    pdf = one_page(*paragraph(700, HERON)).write(tmp_path / "a.zip")
    assert HERON in format_registry.parse(pdf).blocks[0].text


def test_a_page_in_a_file_is_told(tmp_path: Path) -> None:
    pdf = one_page(*paragraph(700, HERON)).write(tmp_path / "a.pdf").read_bytes()
    for name, raw in (("a.zip", zipped({"a.pdf": pdf}, 0)), ("a.tar", tarred({"a.pdf": pdf}))):
        assert places(read(tmp_path / name, raw)) == {"a.pdf, p. 1": HERON}


def test_an_archive_in_an_archive_is_read_and_none_in_that(tmp_path: Path) -> None:
    inner = zipped({"otter.txt": OTTER, "deep.tgz": tarred(FILES, "gz")})
    document = read(tmp_path / "a.zip", zipped({"in/inner.zip": inner}))
    assert places(document) == {"in/inner.zip/otter.txt": OTTER}
    assert document.notes == (
        "In the archive, archives within archives that were not read: 1 (in/inner.zip/deep.tgz).",
    )


def test_what_is_not_read_is_named(tmp_path: Path) -> None:
    files: dict[str, Content] = {f"{n}.exe": "MZ" for n in range(7)}
    files |= {"scan.png": b"\x89PNG", "bad.docx": "no package", "empty.txt": ""}
    document = read(tmp_path / "a.zip", zipped(FILES | files))
    assert len(places(document)) == 2
    found = problem(tmp_path / "bad.docx", b"no package")
    assert document.notes == (
        f"bad.docx in the archive was not read: {found.what}",
        "In the archive, of kinds that are not read: 7 (0.exe, 1.exe, 2.exe, 3.exe, 4.exe, …).",
        "In the archive, pictures that were not read: 1 (scan.png).",
    )


def test_a_mail_s_picture_in_an_archive_is_named_as_not_read(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "Pumps", "ann@example.org"
    mail.set_content("The plain body of the mail.")
    mail.add_attachment(picture("red").read(), maintype="image", subtype="png")
    document = read(tmp_path / "a.zip", zipped(FILES | {"a.eml": mail.as_bytes()}))
    assert document.notes == ("In the archive, pictures that were not read: 1 (a.eml).",)
    assert document.unread_pages == ()


def test_an_archive_of_nothing_that_is_read_says_what_is_in_it(tmp_path: Path) -> None:
    found = problem(tmp_path / "a.zip", zipped({"a.exe": "MZ"}))
    assert found.status is FileStatus.EMPTY
    assert "1 (a.exe)" in found.what
    assert problem(tmp_path / "b.zip", zipped({})).status is FileStatus.EMPTY


def test_what_would_not_count_in_a_folder_does_not_count(tmp_path: Path) -> None:
    files: dict[str, Content] = {"__MACOSX/._otter.txt": "x" * 99, ".git/a.txt": "y" * 99}
    document = read(tmp_path / "a.zip", zipped({**FILES, **files}))
    assert len(places(document)) == 2
    assert not document.notes


def test_links_are_not_followed(tmp_path: Path) -> None:
    links = {"passwords.txt": "/etc/passwd", "up.txt": "../../a.txt"}
    packed = zipfile.ZipInfo("link.txt")
    packed.external_attr = 0o120777 << 16
    made = io.BytesIO(zipped(FILES))
    with zipfile.ZipFile(made, "a") as changed:
        changed.writestr(packed, "/etc/passwd")
    for name, raw in (("a.tar", tarred(FILES, links=links)), ("a.zip", made.getvalue())):
        document = read(tmp_path / name, raw)
        assert places(document) == {"notes/heron.md": HERON, "otter.txt": OTTER}
        assert document.notes[0].startswith(
            "In the archive, links and devices that were not followed: "
        )


def test_names_lead_nowhere(tmp_path: Path) -> None:
    names = ("../../up.txt", "/etc/root.txt", "C:\\temp\\dos.txt", "a\nb.txt", "CON.txt")
    inside = tmp_path / "in"
    inside.mkdir()
    document = read(inside / "a.tar", tarred({name: f"{OTTER} {name}" for name in names}))
    assert list(places(document)) == [
        "up.txt", "etc/root.txt", "C:/temp/dos.txt", "a b.txt", "CON.txt",
    ]  # fmt: skip
    assert [each.name for each in tmp_path.iterdir()] == ["in"]
    assert [each.name for each in inside.iterdir()] == ["a.tar"]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("gbk", "合同/附件一.txt"), ("utf-8", "合同.txt"), ("utf-8", "Größe.txt"),
     ("cp437", "Größe und Übung.txt"), ("cp932", "報告書.txt"), ("cp850", "Ångström.txt")],
)  # fmt: skip
def test_names_are_read_in_the_encoding_that_they_look_like(
    tmp_path: Path, encoding: str, name: str
) -> None:
    assert list(places(read(tmp_path / "a.zip", named_in(encoding, {name: OTTER})))) == [name]


def test_the_same_file_twice_is_read_once_and_another_of_its_name_too(tmp_path: Path) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as packed:
        for text in (HERON, HERON, OTTER):
            head = tarfile.TarInfo("a.txt")
            head.size = len(text)
            packed.addfile(head, io.BytesIO(text.encode()))
    document = read(tmp_path / "a.tar", made.getvalue())
    texts = [block.text for block in document.blocks if block.kind is not BlockKind.HEADING]
    assert texts == [HERON, OTTER]


def test_a_locked_archive_opens_with_its_password(tmp_path: Path) -> None:
    raw = locked_zip(FILES, PASSWORD, {})
    assert "is protected" in problem(tmp_path / "a.zip", raw).what
    assert "does not open" in problem(tmp_path / "a.zip", raw, "wrong").what
    assert len(places(read(tmp_path / "a.zip", raw, PASSWORD))) == 2


def test_of_a_partly_locked_archive_the_open_files_are_read(tmp_path: Path) -> None:
    document = read(tmp_path / "a.zip", locked_zip({"a.txt": OTTER}, PASSWORD, {"b.txt": HERON}))
    assert places(document) == {"b.txt": HERON}
    assert document.notes == ("In the archive, protected with a password and not read: 1 (a.txt).",)


def test_a_damaged_archive_keeps_what_stands_before_the_damage(tmp_path: Path) -> None:
    raw = bytearray(tarred({**FILES, "last.txt": f"{OTTER} Again."}))
    raw[raw.index(b"last.txt") + 1] ^= 0xFF
    document = read(tmp_path / "a.tar", bytes(raw))
    assert len(places(document)) == 2
    assert document.notes[0].startswith("The rest of the archive was not read: ")
    cut = read(tmp_path / "a.zip", zipped(FILES)[:-60])
    assert len(places(cut)) == 2
    assert problem(tmp_path / "b.zip", b"no archive at all").status is FileStatus.CORRUPT
    assert problem(tmp_path / "b.gz", b"\x1f\x8b rubbish").status is FileStatus.CORRUPT


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_members, "_RATIO_COUNTS_FROM", 2_000_000)
    big = f"{OTTER}\n" * 60_000
    bombs = {
        "a.zip": zipped({"a.txt": big}),
        "a.tgz": tarred({"a.txt": big}, "gz"),
        "nested.zip": zipped({"a.zip": zipped({"a.txt": big})}),
        "a.txt.xz": lzma.compress(big.encode()),
    }
    for name, raw in bombs.items():
        found = problem(tmp_path / name, raw)
        assert found.status is FileStatus.TOO_LARGE
        assert found.what == "The file would unpack to more than 2 MB."


def test_very_many_files_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_MOST_FILES", 3)
    document = read(tmp_path / "a.zip", zipped({f"{n}.txt": f"{n} {OTTER}" for n in range(9)}))
    assert len(places(document)) == 3
    assert document.notes == ("The archive has more than 3 files; the others were not read.",)


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [
        ((8, 10), b"\x09\x00", "packed in a way that is not read"),
        ((18, 20), b"\x02\x00", "damaged"),
    ],
)
def test_a_file_that_does_not_unpack_is_named(
    tmp_path: Path, at: tuple[int, int], value: bytes, why: str
) -> None:
    raw = bytearray(zipped({**FILES, "last.txt": OTTER * 9}))
    for mark, place in zip((b"PK\3\4", b"PK\1\2"), at, strict=True):
        start = raw.rindex(mark) + place
        raw[start : start + 2] = value
    document = read(tmp_path / "a.zip", bytes(raw))
    assert len(places(document)) == 2
    assert document.notes[0].startswith("last.txt in the archive was not read: ")
    assert why in document.notes[0]
