from __future__ import annotations

from pathlib import Path

import pytest

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing.formats.xml_elements import parse
from desktop_rag.parsing.parsed_document import ParsedDocument
from tests.parsing.open_documents import written

BOMB = '<!DOCTYPE d [<!ENTITY a0 "lol">' + "".join(
    f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9)
)


def read(tmp_path: Path, text: str | bytes) -> ParsedDocument:
    return parse(written(tmp_path / "a.xml", text))


def shown(document: ParsedDocument) -> list[tuple[str, int | str, str]]:
    return [(b.kind.value, b.place.value, b.text) for b in document.blocks]


def test_settings_are_records_at_their_paths(tmp_path: Path) -> None:
    text = (
        '<?xml version="1.0"?><c:config xmlns:c="urn:x"><c:server><host>a.example</host>'
        '<port unit="tcp">8080</port></c:server><users><user id="1" name="Ann"/>'
        '<user id="2" name="Bob"/></users></c:config>'
    )
    assert shown(read(tmp_path, text)) == [
        ("table", "config/server", "host: a.example; port: 8080; unit: tcp"),
        ("table", "config/users", "user: id: 1; name: Ann\nuser: id: 2; name: Bob"),
    ]


def test_a_book_is_read_by_its_titles(tmp_path: Path) -> None:
    text = (
        "<book><info><title>Guide</title></info><chapter><title>Start</title><para>Press the "
        "<emphasis>red</emphasis> button.</para><section><title>Then</title><para>Wait.</para>"
        "</section><para>After all.</para></chapter></book>"
    )
    document = read(tmp_path, text)
    assert document.title == "Guide"
    assert shown(document)[1:] == [
        ("heading", "Start", "Start"),
        ("text", "Start", "Press the red button."),
        ("heading", "Then", "Then"),
        ("text", "Then", "Wait."),
        ("text", "Start", "After all."),
    ]


def test_the_entries_of_a_feed_are_records_without_markup(tmp_path: Path) -> None:
    item = (
        "<item><title>{0}</title><link>https://example.org/{0}</link>"
        "<description>&lt;p&gt;About &lt;b&gt;{0}&lt;/b&gt;.&lt;/p&gt;</description></item>"
    )
    channel = f"<title>News</title>{item.format('ships')}{item.format('piers')}"
    document = read(tmp_path, f"<rss><channel>{channel}</channel></rss>")
    assert document.title == "News"
    assert document.blocks[-1].text.split("\n") == [
        "title: ships; link: https://example.org/ships; description: About ships.",
        "title: piers; link: https://example.org/piers; description: About piers.",
    ]


def test_entities_neither_grow_nor_open_files(tmp_path: Path) -> None:
    document = read(tmp_path, f"{BOMB}]><d><t>Before &a8; after &nbsp;&amp;.</t></d>")
    assert shown(document) == [("table", "d", "t: Before &a8; after &.")]
    outside = '<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/hostname">]><d><t>It is &f;.</t></d>'
    assert shown(read(tmp_path, outside)) == [("table", "d", "t: It is &f;.")]


def test_what_breaks_off_is_read_with_a_note(tmp_path: Path) -> None:
    document = read(tmp_path, "<list><para>The ships sail.</para><para>At sev")
    assert [text for _, _, text in shown(document)] == ["The ships sail.", "At sev"]
    assert document.notes == ("The file is damaged; what could be saved of it was read.",)


def test_what_is_no_xml_is_text(tmp_path: Path) -> None:
    document = read(tmp_path, "The ships sail at seven.")
    assert shown(document) == [("text", 1, "The ships sail at seven.")]
    assert document.notes == ("The file is not valid XML; it was read as plain text.",)


def test_encodings_are_read_as_they_are_declared(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="{0}"?><d><t>Größe</t></d>'
    for name in ("iso-8859-1", "utf-16", "utf-8"):
        assert shown(read(tmp_path, text.format(name).encode(name)))[0][2] == "t: Größe"


def test_elements_in_each_other_without_end_are_read(tmp_path: Path) -> None:
    text = "<a>" * 1500 + "the end" + "</a>" * 1500
    assert shown(read(tmp_path, text))[0][2] == "the end"


def test_noise_is_corrupt(tmp_path: Path) -> None:
    with pytest.raises(FileProblem) as caught:
        read(tmp_path, bytes(range(256)) * 20)
    assert caught.value.status is FileStatus.CORRUPT


def test_formulas_are_read_as_latex_once(tmp_path: Path) -> None:
    space = 'xmlns:m="http://www.w3.org/1998/Math/MathML"'
    math = "<m:math><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup></m:math>"
    tex = r"<tex-math>\documentclass{a}\begin{document}$$\frac{1}{2}$$\end{document}</tex-math>"
    both = f"<alternatives>{tex}{math}</alternatives>"
    path = tmp_path / "a.xml"
    path.write_text(f"<article {space}><p>For {math}, it is {both}.</p></article>")
    (block,) = parse(path).blocks
    assert block.text == r"For $x^2$, it is $$\frac{1}{2}$$."
