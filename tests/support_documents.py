"""Documents as their programs write them, with the parts that they cannot do without."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip whose first part, if it is `mimetype`, is stored, as OpenDocument and EPUB want it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return buffer.getvalue()


def docx(body: str, **other: str) -> bytes:
    """A DOCX with this content of `w:body`; `other` are parts beside it, such as `footnotes`."""
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    parts = {
        "[Content_Types].xml": f'{XML}<Types xmlns="{_PACKAGE}/content-types">'
        f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
        "_rels/.rels": f'{XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"{XML}<w:document {_W}><w:body>{body}<w:sectPr/></w:body></w:document>",
    }
    parts |= {f"word/{name}.xml": f"{XML}<w:{name} {_W}>{content}</w:{name}>" for name, content in other.items()}
    return zipped(parts)


def odt(body: str, manifest: str = "") -> bytes:
    """An ODT with this content of `office:text`."""
    kinds = " ".join(f'xmlns:{name}="{_OASIS}:{name}:1.0"' for name in ("office", "text", "table"))
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"{XML}<office:document-content {kinds}><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "META-INF/manifest.xml": f'{XML}<manifest:manifest xmlns:manifest="{_OASIS}:manifest:1.0">{manifest}'
            "</manifest:manifest>",
        }
    )


def epub(*chapters: str, encrypted: str = "") -> bytes:
    """An EPUB with these contents of `body`; the spine has them in this order, the archive in the opposite one."""
    names = [f"text/c {i}.xhtml" for i in range(len(chapters))]
    items = "".join(
        f'<item id="i{i}" href="{name.replace(" ", "%20")}" media-type="application/xhtml+xml"/>' for i, name in enumerate(names)
    )
    spine = "".join(f'<itemref idref="i{i}"/>' for i in range(len(names)))
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        "OEBPS/p.opf": f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest><spine>{spine}</spine></package>',
    }
    for name, body in reversed(list(zip(names, chapters, strict=True))):
        head = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">'
        parts[f"OEBPS/{name}"] = (
            f'{head}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>1. d4</title></head><body>{body}</body></html>'
        )
    if encrypted:
        reference = f'<CipherReference xmlns="http://www.w3.org/2001/04/xmlenc#" URI="{encrypted}"/>'
        parts["META-INF/encryption.xml"] = f"<encryption>{reference}</encryption>"
    return zipped(parts)


def pdf(*pages: str | Sequence[str]) -> bytes:
    """A PDF in Helvetica; a page is its lines, in one column or (a sequence) in several. Pages hold Latin letters only."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        content = "".join(_column(text, 50 + 280 * n) for n, text in enumerate([page] if isinstance(page, str) else page))
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
        resources = f"/Resources << /Font << /F1 3 0 R >> >> /Contents {len(objects)} 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] {resources} >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out.encode("latin-1")


def _column(text: str, x: int) -> str:
    lines = []
    for n, line in enumerate(text.split("\n")):
        escaped = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        lines.append(f"BT /F1 10 Tf 1 0 0 1 {x} {800 - 14 * n} Tm ({escaped}) Tj ET\n")
    return "".join(lines)
