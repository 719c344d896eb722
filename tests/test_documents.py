"""DOCX, ODT, EPUB, PDF: one source each, read in the text that they hold; what cannot be read says why."""
# ruff: noqa: E501  (documents and what is read of them stand on one line)

from __future__ import annotations

import io
import os
import signal
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pipeline import sources
from pipeline.run import IngestOptions, ingest_run
from pipeline.sources import extract
from pipeline.sources.limits import Limits
from tests.support_cli import ingest, notatio
from tests.support_documents import XML, docx, epub, odt, pdf, zipped

OPERA = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8"
    " Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
)
RUSSIAN = "1. e4 e5 2. Кf3 d6 3. d4 Сg4 4. de С:f3 5. Ф:f3 de 6. Сc4 Кf6 7. Фb3 Фe7 8. Кc3 c6 9. Сg5 b5 10. К:b5 cb 11. С:b5+ Кbd7 12. 0-0-0 Лd8 13. Л:d7 Л:d7 14. Лd1 Фe6 15. С:d7+ К:d7 16. Фb8+ К:b8 17. Лd8×"
GERMAN = "1. e4 e5 2. Sf3 d6 3. d4 Lg4 4. dxe5 Lxf3 5. Dxf3 dxe5 6. Lc4 Sf6 7. Db3 De7 8. Sc3 c6 9. Lg5 b5 10. Sxb5 cxb5 11. Lxb5+ Sbd7 12. 0-0-0 Td8 13. Txd7 Txd7 14. Td1 De6 15. Lxd7+ Sxd7 16. Db8+ Sxb8 17. Td8#"
FIGURINE = "1. e4 e5 2. &#9816;f3 d6 3. d4 &#x2657;g4 4. dxe5 ♗xf3 5. ♕xf3 dxe5 6. ♗c4 ♘f6 7. ♕b3 ♕e7 8. ♘c3 c6 9. ♗g5 b5 10. ♘xb5 cxb5 11. ♗xb5+ ♘bd7 12. 0-0-0 ♖d8 13. ♖xd7 ♖xd7 14. ♖d1 ♕e6 15. ♗xd7+ ♘xd7 16. ♕b8+ ♘xb8 17. ♖d8#"
PGN = """[Event "Opera"]
[Site "Paris"]
[Date "1858.11.02"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke Karl"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6
7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7
12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+ Nxb8 17. Rd8# 1-0"""


def p(text: str) -> str:
    """A paragraph of a DOCX in which every fourth word is bold, so that runs end inside a move's line."""
    words = text.split(" ")
    runs = [" ".join(words[i : i + 4]) + " " for i in range(0, len(words), 4)]
    bold = "<w:rPr><w:b/></w:rPr>"
    return (
        "<w:p>"
        + "".join(f'<w:r>{bold * (i % 2)}<w:t xml:space="preserve">{run}</w:t></w:r>' for i, run in enumerate(runs))
        + "</w:p>"
    )


def h(text: str) -> str:
    return f"<text:p>{text}</text:p>"


DOCX = docx(p("Морфи — герцог Карл, Париж 1858") + "<w:p/>" + p(RUSSIAN) + "<w:p/>" + p("Так играли в опере."))
ODT = odt(
    h("Morphy – Herzog Karl, Paris 1858")
    + h("")
    + h(GERMAN.replace("6. Lc4", "<text:span>6.<text:s/>Lc4</text:span>"))
    + h("")
    + h("So spielte man.")
)
EPUB = epub("<h1>The Opera House</h1>", f"<p>Morphy&nbsp;&ndash; Duke Karl</p><p>{FIGURINE}</p>", "<p>So it was.</p>")
PDF = pdf(PGN)


def stored(folder: Path, *, path: str | None = None, query: str = "") -> list[dict[str, Any]]:
    """Rows of a query on the catalog."""
    with duckdb.connect(str(folder / "lake" / "catalog.duckdb"), read_only=True) as con:
        found = con.execute(query, [path] if path else [])
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of all documents below, and of files that only look like some."""
    folder = tmp_path_factory.mktemp("documents")
    (folder / "texts").mkdir()
    for name, data in FILES.items():
        (folder / "texts" / name).write_bytes(data)
    assert ingest(folder / "texts", "--collection", "d", "--lake", folder / "lake").code == 0
    return folder


def with_password(data: bytes) -> bytes:
    pypdf = pytest.importorskip("pypdf", reason="the extra documents is not installed")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt("secret", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


FILES = {
    "russian.docx": DOCX,
    "no-name": DOCX + b"",
    "german.odt": ODT,
    "figurine.epub": EPUB,
    "pgn.pdf": PDF,
    "archive.zip": zipped({"inner/other.docx": docx(p(RUSSIAN)), "plain.pgn": PGN}),
    "cut.docx": DOCX[: len(DOCX) // 2],
    "cut.odt": ODT[:200],
    "locked.odt": odt("", "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"),
    "locked.epub": epub(f"<p>{FIGURINE}</p>", encrypted="OEBPS/text/c%200.xhtml"),
    "locked.pdf": with_password(PDF),
    "locked.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + "EncryptedPackage".encode("utf-16-le"),
    "broken.pdf": b"%PDF-1.7\n" + bytes(range(256)),
    "scanned.pdf": pdf(""),
    "half.pdf": pdf("1. e4", PGN).replace(b"<< /Length 45 >>", b"<< /Length 45 /Filter /NoSuch >>"),
    "base.cbh": b"\0\0\x2c\0\x2e\x01" + bytes(40),
    "base.si4": b"Scid.si\0\x01\x90" + bytes(100),
    "archive.cbv": b"\x08\0" + bytes(range(256)),
}


@pytest.mark.parametrize(
    ("path", "language", "extractor"),
    [
        ("russian.docx", "ru", "notatio-docx 2"),
        ("german.odt", "de", "notatio-odt 2"),
        ("figurine.epub", "figurine", "notatio-epub 2"),
        ("pgn.pdf", "en", f"pypdf {sources.extractor('pdf').split()[1]}" if sources.extractor("pdf") else None),
    ],
)
def test_a_game_in_a_document_is_proven_and_its_source_says_who_extracted_the_text(
    lake: Path, path: str, language: str, extractor: str
) -> None:
    [row] = stored(
        lake,
        path=path,
        query="from source_paths join sources using (source_id) join games using (source_id) select status_1: games.status, language, movetext, extractor, sources.encoding where source_paths.path = ?",
    )
    assert row == {"status_1": "clean", "language": language, "movetext": OPERA, "extractor": extractor, "encoding": "utf-8"}


def test_a_document_that_lost_a_page_keeps_the_games_of_the_others(lake: Path) -> None:
    query = "select p.status, movetext, code, detail, byte_offset from source_paths p join games using (source_id) join issues i using (source_id) where i.code = 'container_corrupt' and p.path = ?"
    found = stored(lake, path="half.pdf", query=query)
    assert found == [
        {
            "status": "ok",
            "movetext": OPERA,
            "code": "container_corrupt",
            "detail": "page 1: Unsupported filter /NoSuch",
            "byte_offset": 0,
        }
    ]


def test_ranges_count_the_text_and_paths_the_file(lake: Path) -> None:
    text = extract("docx", DOCX).text
    assert text is not None
    [row] = stored(
        lake,
        path="russian.docx",
        query="select s.n_bytes, p.n_bytes as n_file, byte_start, byte_end, g.text_id from source_paths p join sources s using (source_id) join games g using (source_id) where p.path = ?",
    )
    assert (row["n_bytes"], row["n_file"]) == (len(text), len(DOCX))
    assert text[row["byte_start"] : row["byte_end"]].decode().split() == RUSSIAN.split()


def test_the_bytes_of_every_document_add_up(lake: Path) -> None:
    sums = stored(
        lake,
        query="select n_bytes, n_bytes_games + n_bytes_quarantined + n_bytes_filler as n, (select coalesce(sum(byte_end - byte_start), 0) from spans where spans.source_id = sources.source_id) as n_spans from sources",
    )
    assert len(sums) == len(FILES)  # two files are one source, and one is an archive of two
    assert all(row["n_bytes"] == row["n"] == row["n_spans"] for row in sums)
    assert notatio("verify", "--lake", lake / "lake").code == 0


def test_documents_are_no_archives_and_archives_of_documents_are(lake: Path) -> None:
    paths = {row["path"]: row["status"] for row in stored(lake, query="select path, status from source_paths")}
    assert paths.keys() == FILES.keys() - {"archive.zip"} | {"archive.zip!inner/other.docx", "archive.zip!plain.pgn"}
    [game] = stored(
        lake,
        path="archive.zip!inner/other.docx",
        query="select movetext from games join source_paths using (source_id) where path = ?",
    )
    assert game == {"movetext": OPERA}


@pytest.mark.parametrize(
    ("path", "status", "code", "told"),
    [
        ("cut.docx", "container_corrupt", "container_corrupt", "no readable zip directory"),
        ("cut.odt", "container_corrupt", "container_corrupt", "no readable zip directory"),
        ("broken.pdf", "container_corrupt", "container_corrupt", ""),
        ("locked.odt", "container_encrypted", "container_encrypted", "needs a password"),
        ("locked.epub", "container_encrypted", "container_encrypted", "OEBPS/text/c 0.xhtml is encrypted"),
        ("locked.pdf", "container_encrypted", "container_encrypted", "needs a password"),
        ("locked.docx", "container_encrypted", "container_encrypted", ""),
        ("scanned.pdf", "ok", "no_text", ""),
        ("base.cbh", "binary", "format_unsupported", "ChessBase database; it is not read: export it from ChessBase as PGN"),
        ("archive.cbv", "binary", "format_unsupported", "ChessBase archive; it is not read: export it from ChessBase as PGN"),
        ("base.si4", "binary", "format_unsupported", "Scid database index; it is not read: export it from Scid as PGN"),
    ],
)
def test_a_document_that_gives_no_text_is_one_source_that_says_why(
    lake: Path, path: str, status: str, code: str, told: str
) -> None:
    query = "select p.status, i.code, i.severity, i.detail, s.n_games, s.n_bytes_quarantined, s.n_bytes, p.n_bytes as n_file from source_paths p join sources s using (source_id) left join issues i using (source_id) where p.path = ?"
    [row] = stored(lake, path=path, query=query)
    assert (row["status"], row["code"], row["severity"], row["n_games"]) == (status, code, "fault", 0)
    assert told in (row["detail"] or "")
    assert row["n_file"] == len(FILES[path])
    assert row["n_bytes_quarantined"] == (len(FILES[path]) if status.startswith("container") else 0)


def test_a_second_run_knows_all_documents_and_changes_nothing(lake: Path) -> None:
    again = ingest(lake / "texts", "--collection", "d", "--lake", lake / "lake", "--no-build")
    assert again.code == 0
    assert "nothing to do: all 18 sources are known" in again.err


def run(folder: Path, files: dict[str, bytes], workers: int = 1, lake: str = "lake") -> Any:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return ingest_run(IngestOptions([str(folder / name) for name in files], workers=workers, collection="d"), lake=folder / lake)


def test_a_pdf_waits_for_the_extra_and_is_read_once_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without:
        without.setattr("pipeline.sources.documents._PDF_PACKAGE", "no-such-package-here")
        assert (run(tmp_path, {"x.pdf": PDF}).n_new, run(tmp_path, {"x.pdf": PDF}).n_skipped) == (1, 1)
        [row] = stored(
            tmp_path,
            query="select p.status, code, detail, extractor, s.n_bytes, s.n_bytes_filler from source_paths p join sources s using (source_id) join issues using (source_id)",
        )
        assert row == {
            "status": "binary",
            "code": "extractor_missing",
            "extractor": None,
            "n_bytes": len(PDF),
            "n_bytes_filler": len(PDF),
            "detail": "PDF document; its text is read by an optional part: pip install 'notatio[documents]', then ingest again",
        }
    assert run(tmp_path, {"x.pdf": PDF}).n_replaced == 1
    [row] = stored(tmp_path, query="select p.status, movetext from source_paths p join games using (source_id)")
    assert row == {"status": "ok", "movetext": OPERA}


def test_what_was_read_stays_read_where_the_extra_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(tmp_path, {"x.pdf": PDF}).n_new == 1
    monkeypatch.setattr("pipeline.sources.documents._PDF_PACKAGE", "no-such-package-here")
    assert run(tmp_path, {"x.pdf": PDF}).n_skipped == 1


def test_documents_give_the_same_data_files_with_any_number_of_workers(tmp_path: Path) -> None:
    for workers, lake in ((1, "one"), (2, "two")):
        assert run(tmp_path, FILES, workers, lake).exit_code == 0
    one, two = ({f.name: f.read_bytes() for f in (tmp_path / lake / "data").iterdir()} for lake in ("one", "two"))
    assert one == two


def killing_shard(shard: dict[str, Any]) -> dict[str, Any]:
    """As `read_shard`, in a process that a document of a certain text kills while it is extracted."""
    from pipeline.run.task import read_shard
    from pipeline.sources import documents

    def kill(data: bytes, limits: Limits) -> str:
        if data == docx(p("deadly")):
            os.kill(os.getpid(), signal.SIGKILL)
        return documents.docx_text(data, limits)

    documents._OWN["docx"] = kill
    return read_shard(shard)


def test_a_document_that_kills_its_worker_is_left_out_whole_and_its_neighbours_are_read(tmp_path: Path) -> None:
    deadly = docx(p("deadly"))
    for name, data in {"deadly.docx": deadly, "good.docx": DOCX}.items():
        (tmp_path / name).write_bytes(data)
    options = IngestOptions([str(tmp_path / "deadly.docx"), str(tmp_path / "good.docx")], workers=2, collection="d")
    result = ingest_run(options, lake=tmp_path / "lake", ingest_shard=killing_shard)
    assert (result.n_new, result.n_clean, result.problem) == (2, 1, None)
    [row] = stored(tmp_path, query="select reason_code, octet_length(raw) as n from quarantine")
    assert row == {"reason_code": "worker_killed", "n": len(deadly)}
    assert ingest_run(options, lake=tmp_path / "lake", ingest_shard=killing_shard).n_skipped == 2


# What the text is


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<w:p><w:r><w:t>1. e4</w:t></w:r><w:r><w:tab/><w:t>e5</w:t><w:br/><w:t>2. Nf3</w:t></w:r></w:p><w:p/>",
            "1. e4\te5\n2. Nf3\n\n",
        ),
        ("<w:p><w:ins><w:r><w:t>Nf3</w:t></w:r></w:ins><w:del><w:r><w:delText>Nc3</w:delText></w:r></w:del></w:p>", "Nf3\n"),
        ("<w:p><w:moveFrom><w:r><w:t>Nc3</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>Nf3</w:t></w:r></w:moveTo></w:p>", "Nf3\n"),
        (
            "<w:p><w:r><w:instrText>PAGE</w:instrText><w:t>0</w:t><w:noBreakHyphen/><w:t>1</w:t><w:softHyphen/></w:r></w:p>",
            "0-1\n",
        ),
        (
            (
                "<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>1. e4</w:t></w:r>"
                "<w:r><w:rPr><w:vanish/></w:rPr><w:t>1. d4</w:t></w:r>"
                '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t> e5</w:t></w:r></w:p>'
            ),
            "1. e4 e5\n",
        ),
        (
            "<w:p><w:r><w:t>2. </w:t></w:r><w:r><w:drawing/></w:r><w:r><w:t>f3 d6</w:t></w:r><w:r><w:drawing/><w:t> d4</w:t></w:r></w:p>",
            "2. \ufffcf3 d6 d4\n",
        ),
        ('<w:p><w:r><w:sym w:font="Chess" w:char="F0A4"/><w:t>f3</w:t></w:r></w:p>', "¤f3\n"),
        ("<w:p><w:pPr><w:tabs><w:tab w:val='left' w:pos='9'/></w:tabs></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", "a\n"),
        (
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>1.</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc><w:tc><w:p><w:r><w:t>e4</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
            "1.\t\te4\n",
        ),
        (
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>1. e4</w:t></w:r></w:p><w:p><w:r><w:t>e5</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>1. d4</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
            "1. e4\ne5\n\n1. d4\n\n",
        ),
    ],
)
def test_a_docx_gives_paragraphs_as_lines(body: str, text: str) -> None:
    assert (extract("docx", docx(body)).text or b"").decode() == text


def test_notes_follow_the_text_and_a_text_box_does_not_cut_its_paragraph() -> None:
    note = "<w:footnote><w:p><w:r><w:t>2. f4!</w:t></w:r></w:p></w:footnote>"
    box = "<w:r><w:pict><w:txbxContent><w:p><w:r><w:t>Diagram</w:t></w:r></w:p></w:txbxContent></w:pict></w:r>"
    body = f"<w:p><w:r><w:t>1. e4 </w:t></w:r>{box}<w:r><w:t>e5</w:t></w:r></w:p>"
    assert extract("docx", docx(body, footnotes=note)).text == b"Diagram\n1. e4 e5\n2. f4!\n"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<text:h>A</text:h>\n  <text:p>1. e4\n   e5<text:s text:c='3'/>2.<text:tab/>Nf3<text:line-break/>Nc6</text:p>",
            "A\n1. e4 e5   2.\tNf3\nNc6\n",
        ),
        (
            "<text:tracked-changes><text:p>Nc3</text:p></text:tracked-changes><text:p>Nf3<office:annotation><text:p>why</text:p></office:annotation></text:p>",
            "Nf3\n",
        ),
        (
            "<table:table><table:table-row><table:table-cell><text:p>1.</text:p></table:table-cell><table:table-cell><text:p>e4</text:p></table:table-cell></table:table-row></table:table>",
            "1.\te4\n",
        ),
        ("<text:p>a<text:s text:c='999999999999'/>b<text:s text:c='-'/>c</text:p>", "a b c\n"),
        (
            "<text:p>2. <draw:frame xmlns:draw='x'/>f3<draw:frame xmlns:draw='x'/></text:p><text:p>d6</text:p>",
            "2. \ufffcf3\nd6\n",
        ),
        ("<text:p>a<text:s text:c='99999999'/>b</text:p>", f"a{' ' * 100}b\n"),
    ],
)
def test_an_odt_gives_paragraphs_as_lines(body: str, text: str) -> None:
    assert (extract("odt", odt(body)).text or b"").decode() == text


@pytest.mark.parametrize(
    ("chapters", "text"),
    [
        (["<p>1.&#160;e4\n <b>e5</b></p><div>&frac12;&ndash;&frac12;</div>"], "1.\u00a0e4 e5\n½–½\n"),
        (["<p>a</p>", "<p>b</p>"], "a\n\nb\n"),
        (["<table><tr><td>1.</td><td><p>e4</p></td></tr></table>"], "1.\te4\n"),
        (["<p>1. e4<br/>e5</p><pre>[A]\n\n1. d4</pre><script>x</script>"], "1. e4\ne5\n[A]\n\n1. d4\n"),
        (["<p>2. <img src='n.png' alt='♘'/>f3<img src='d.png' alt='Diagram'/></p>"], "2. ♘f3\n"),
        (["<p>2. <i><img src='n.png' alt='Knight'/></i>f3 <s>d5</s><img src='d.png'/><br/>d6</p>"], "2. \ufffcf3\nd6\n"),
    ],
)
def test_an_epub_gives_blocks_as_lines_in_the_order_of_its_spine(chapters: list[str], text: str) -> None:
    assert (extract("epub", epub(*chapters)).text or b"").decode() == text


def test_a_chapter_that_is_no_xml_loses_its_tags_only() -> None:
    assert "2. Nf3 & ½" in (extract("epub", epub("<p>1. e4<br><p>2. Nf3 &amp; &frac12;")).text or b"").decode()


@pytest.mark.skipif(sources.extractor("pdf") is None, reason="the extra documents is not installed")
def test_columns_and_pages_of_a_pdf_come_one_after_the_other() -> None:
    text = (extract("pdf", pdf(("1. e4 e5\n2. Nf3 Nc6", "1. d4 d5\n2. c4 e6"), "1. c4 c5")).text or b"").decode()
    assert text.split() == ["1.", "e4", "e5", "2.", "Nf3", "Nc6", "1.", "d4", "d5", "2.", "c4", "e6", "1.", "c4", "c5"]


# Limits and malice


def bomb(name: str, n_mib: int) -> bytes:
    parts = {"word/document.xml": "<w/>", "content.xml": "<o/>"} | {name: b" " * (n_mib << 20)}
    return zipped(parts)


@pytest.mark.parametrize(
    ("kind", "data", "status", "told"),
    [
        ("docx", bomb("word/document.xml", 65), "limit_exceeded", "a member of more than"),
        ("odt", bomb("content.xml", 40), "limit_exceeded", "more than 500 times"),
        (
            "docx",
            zipped({"word/document.xml": f'{XML}<!DOCTYPE w [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><w>&b;</w>'}),
            "container_corrupt",
            "declares the entity a",
        ),
        ("docx", zipped({"word/other.xml": ""}), "container_corrupt", "word/document.xml is missing"),
        ("docx", zipped({"word/document.xml": "<w><p></w>"}), "container_corrupt", "word/document.xml: mismatched tag"),
        ("odt", zipped({"content.xml": '<?xml version="1.0" encoding="no-such"?><a/>'}), "container_corrupt", "unknown encoding"),
        ("epub", zipped({"META-INF/container.xml": "<container/>"}), "container_corrupt", "names no package document"),
        ("epub", b"PK", "container_corrupt", "no readable zip directory"),
    ],
)
def test_a_malicious_or_broken_document_is_refused(kind: str, data: bytes, status: str, told: str) -> None:
    found = extract(kind, data)
    assert (found.status, found.text) == (status, None)
    assert told in (found.detail or "")


@pytest.mark.parametrize(("n", "status"), [(64, "ok"), (65, "limit_exceeded")])
def test_tables_inside_tables_are_bounded(n: int, status: str) -> None:
    deep = "<w:tr><w:tc>" * n + "<w:p><w:r><w:t>1. e4</w:t></w:r></w:p>" + "</w:tc></w:tr>" * n
    assert extract("docx", docx(deep)).status == status


def test_deep_markup_is_read_in_little_stack() -> None:
    deep = "<w:x>" * 100_000 + "<w:p><w:r><w:t>1. e4</w:t></w:r></w:p>" + "</w:x>" * 100_000
    assert extract("docx", docx(deep)).text == b"1. e4\n"


@pytest.mark.skipif(sources.extractor("pdf") is None, reason="the extra documents is not installed")
def test_a_pdf_of_too_many_pages_is_refused() -> None:
    found = extract("pdf", pdf(*["1. e4"] * 4), limits=Limits(n_pages=3))
    assert (found.status, found.detail) == ("limit_exceeded", "more than 3 pages")


@pytest.mark.skipif(sources.extractor("pdf") is None, reason="the extra documents is not installed")
def test_a_page_that_cannot_be_read_is_an_issue_and_the_others_are_read() -> None:
    data = pdf("1. e4", "1. d4", "1. c4").replace(b"<< /Length 45 >>", b"<< /Length 45 /Filter /NoSuch >>", 2)
    data = data.replace(b"<< /Length 45 /Filter /NoSuch >>", b"<< /Length 45 >>", 1)
    found = extract("pdf", data)
    assert (found.status, found.text) == ("ok", b"1. e4\n1. c4\n")
    [(at, told)] = found.faults
    assert (at, told.startswith("page 2: ")) == (6, True)


@pytest.mark.parametrize("name", ["russian.docx", "german.odt", "figurine.epub", "pgn.pdf"])
def test_no_cut_and_no_flipped_byte_is_fatal(name: str, tmp_path: Path) -> None:
    data = FILES[name]
    kind = name.rpartition(".")[2]
    step = max(1, len(data) // 60)
    for at in range(0, len(data), step):
        assert extract(kind, data[:at]).status in ("ok", "container_corrupt", "container_encrypted", "limit_exceeded")
        changed = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
        assert extract(kind, changed).status in ("ok", "container_corrupt", "container_encrypted", "limit_exceeded")


def test_a_zip_of_games_with_a_file_named_like_a_document_stays_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    path.write_bytes(zipped({"games.pgn": PGN}))
    [found] = sources.find([str(path)])
    assert [(m.inner, m.document) for m in sources.members(found)] == [("games.pgn", None)]
    assert zipfile.is_zipfile(path)
