"""Every kind of container: whole, damaged, encrypted, too large, nested; its members and its own fate."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import sys
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import py7zr
import pytest

from pipeline.sources import Limits, Member, find, members, read_member, read_members

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GAME = b'[Event "Casual"]\n[White "Adler"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n'
OTHER = b'[Event "Club"]\n[White "Brandt"]\n\n1. d4 d5 2. c4 e6 0-1\n'
NOISE = random.Random(1).randbytes(10_000).hex().encode()  # text that hardly compresses
Files = dict[str, bytes]


def zst(data: bytes) -> bytes:
    return zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})


STREAMS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zst}


def zip_of(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return buffer.getvalue()


def tar_of(files: Files, format: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=format) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def seven_zip_of(files: Files, password: str | None = None, *, encrypt_names: bool = False) -> bytes:
    buffer = io.BytesIO()
    with py7zr.SevenZipFile(buffer, "w", password=password, header_encryption=encrypt_names) as archive:
        for name, data in files.items():
            archive.writestr(data, name)
    return buffer.getvalue()


ARCHIVES: dict[str, Callable[[Files], bytes]] = {"zip": zip_of, "tar": tar_of, "7z": seven_zip_of}
ARCHIVES |= {f"tar.{kind}": (lambda files, pack=pack: pack(tar_of(files))) for kind, pack in STREAMS.items()}


def members_of(folder: Path, name: str, data: bytes, limits: Limits | None = None) -> list[Member]:
    (folder / name).write_bytes(data)
    (found,) = find([str(folder / name)])
    return list(members(found, limits=limits or Limits()))


def summary(found: list[Member]) -> list[tuple[str, str, bytes | None]]:
    return [(m.relative_path, m.status, m.data) for m in found]


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]


@pytest.mark.parametrize("kind", STREAMS)
def test_a_compressed_file_gives_the_file_in_it(tmp_path: Path, kind: str) -> None:
    (member,) = members_of(tmp_path, f"x.pgn.{kind}", STREAMS[kind](GAME))
    assert (member.status, member.data, member.inner, member.n_bytes) == ("ok", GAME, "x.pgn", len(GAME))
    assert member.path == f"{tmp_path}/x.pgn.{kind}!x.pgn"
    assert read_member(member.absolute_path, member.inner) == GAME


@pytest.mark.parametrize("kind", STREAMS)
def test_several_streams_in_a_row_and_padding_are_one_file(tmp_path: Path, kind: str) -> None:
    data = STREAMS[kind](GAME) + STREAMS[kind](OTHER) + bytes(512)
    assert summary(members_of(tmp_path, f"x.pgn.{kind}", data)) == [(f"x.pgn.{kind}!x.pgn", "ok", GAME + OTHER)]


def test_skippable_frames_of_zstandard_are_skipped(tmp_path: Path) -> None:
    skippable = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
    (member,) = members_of(tmp_path, "x.pgn.zst", skippable + zst(GAME) + skippable + zst(OTHER))
    assert member.data == GAME + OTHER


@pytest.mark.parametrize("kind", STREAMS)
@pytest.mark.parametrize("damage", ["cut", "cut short", "flipped", "garbage after it", "cut in the second stream"])
def test_a_damaged_stream_is_one_quarantined_source_without_its_prefix(tmp_path: Path, kind: str, damage: str) -> None:
    whole = STREAMS[kind](NOISE)
    data = {
        "cut": whole[: len(whole) // 2],
        "cut short": whole[:-1],
        "flipped": flipped(whole, len(whole) // 2),
        "garbage after it": whole + b"no stream",
        "cut in the second stream": whole + whole[:-9],
    }[damage]
    assert summary(members_of(tmp_path, f"x.pgn.{kind}", data)) == [(f"x.pgn.{kind}", "container_corrupt", data)]


@pytest.mark.parametrize("kind", ARCHIVES)
def test_an_archive_that_is_fine_gives_only_its_files(tmp_path: Path, kind: str) -> None:
    files = {"a.pgn": GAME, "sub/b.pgn": OTHER, "empty.pgn": b""}
    found = members_of(tmp_path, f"x.{kind}", ARCHIVES[kind](files))
    assert sorted(summary(found)) == sorted((f"x.{kind}!{name}", "ok", data) for name, data in files.items())
    for member in found:
        assert read_member(member.absolute_path, member.inner) == member.data


@pytest.mark.parametrize("kind", ARCHIVES)
def test_the_name_of_a_container_does_not_matter(tmp_path: Path, kind: str) -> None:
    assert [m.data for m in members_of(tmp_path, "games.dat", ARCHIVES[kind]({"a.pgn": GAME}))] == [GAME]


@pytest.mark.parametrize("kind", ARCHIVES)
def test_an_archive_cut_in_half_is_quarantined(tmp_path: Path, kind: str) -> None:
    files = {"a.pgn": GAME, "b.pgn": NOISE, "c.pgn": OTHER}
    whole = ARCHIVES[kind](files)
    data = whole[: len(whole) // 2]
    *readable, container = members_of(tmp_path, f"x.{kind}", data)
    assert (container.relative_path, container.status, container.data) == (f"x.{kind}", "container_corrupt", data)
    assert {m.data for m in readable} <= set(files.values())
    if kind in ("zip", "tar"):  # formats whose beginning says enough
        assert [m.data for m in readable] == [GAME]


def test_a_truncated_compressed_tar_gives_the_files_before_the_cut(tmp_path: Path) -> None:
    whole = gzip.compress(tar_of({"a.pgn": GAME, "b.pgn": NOISE}))
    found = members_of(tmp_path, "x.tgz", whole[:-3000])
    assert [(m.inner, m.status) for m in found] == [("a.pgn", "ok"), (None, "container_corrupt")]


def test_a_compressed_tar_with_a_flipped_byte_gives_nothing_as_nothing_in_it_was_checked(tmp_path: Path) -> None:
    whole = gzip.compress(tar_of({"a.pgn": GAME, "b.pgn": NOISE}))
    found = members_of(tmp_path, "x.tgz", flipped(whole, len(whole) - 6))  # the checksum itself
    assert [(m.inner, m.status) for m in found] == [(None, "container_corrupt")]


def test_a_zip_with_one_bad_file_gives_the_others(tmp_path: Path) -> None:
    data = bytearray(zip_of({"a.pgn": GAME, "b.pgn": NOISE, "c.pgn": OTHER}, zipfile.ZIP_STORED))
    data[bytes(data).index(NOISE) + 100] ^= 1
    found = members_of(tmp_path, "x.zip", bytes(data))
    assert [(m.inner, m.status) for m in found] == [("a.pgn", "ok"), ("c.pgn", "ok"), (None, "container_corrupt")]
    assert "b.pgn" in (found[-1].detail or "")


def test_a_zip_written_to_a_pipe_and_cut_off_is_read_by_its_local_headers(tmp_path: Path) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise io.UnsupportedOperation

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # sizes come after the data: flag bit 3
        for name, data in {"a.pgn": GAME, "b.pgn": OTHER, "c.pgn": NOISE}.items():
            archive.writestr(name, data)
    whole = pipe.getvalue()
    found = members_of(tmp_path, "x.zip", whole[: whole.index(b"c.pgn") + 500])
    assert summary(found[:-1]) == [("x.zip!a.pgn", "ok", GAME), ("x.zip!b.pgn", "ok", OTHER)]
    assert found[-1].status == "container_corrupt"


def test_damage_between_the_files_of_a_tar_is_not_taken_for_its_end(tmp_path: Path) -> None:
    data = bytearray(tar_of({"a.pgn": GAME, "b.pgn": OTHER}))
    data[1024 + 5] ^= 0xFF  # in the second header
    found = members_of(tmp_path, "x.tar", bytes(data))
    assert [(m.inner, m.status) for m in found] == [("a.pgn", "ok"), (None, "container_corrupt")]


def test_a_tar_cut_between_two_files_lacks_its_end_mark(tmp_path: Path) -> None:
    found = members_of(tmp_path, "x.tar", tar_of({"a.pgn": GAME, "b.pgn": OTHER})[:1024])
    assert [(m.inner, m.status) for m in found] == [("a.pgn", "ok"), (None, "container_corrupt")]


@pytest.mark.parametrize("format", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_tars_of_all_formats_with_long_and_foreign_names(tmp_path: Path, format: int) -> None:
    files = {"партии/" + "x" * 80 + "/a.pgn": GAME, "b.pgn": OTHER}
    found = members_of(tmp_path, "x.tar", tar_of(files, format))
    assert summary(found) == [(f"x.tar!{name}", "ok", data) for name, data in files.items()]


def test_links_and_folders_in_a_tar_are_no_files(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind in (("d", tarfile.DIRTYPE), ("l", tarfile.SYMTYPE), ("h", tarfile.LNKTYPE), ("p", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type = kind
            info.linkname = "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("a.pgn")
        info.size = len(GAME)
        archive.addfile(info, io.BytesIO(GAME))
    assert summary(members_of(tmp_path, "x.tar", buffer.getvalue())) == [("x.tar!a.pgn", "ok", GAME)]


def encrypted_zip(name: bytes) -> bytes:
    """A zip of one file whose flags say that it needs a password (APPNOTE 4.4.4, bit 0)."""
    local = struct.pack("<4sHHHHHLLLHH", b"PK\x03\x04", 20, 1, 0, 0, 33, 0, 16, 4, len(name), 0) + name + bytes(16)
    central = struct.pack("<4sHHHHHHLLLHHHHHLL", b"PK\x01\x02", 20, 20, 1, 0, 0, 33, 0, 16, 4, len(name), 0, 0, 0, 0, 0, 0)
    end = struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, 1, 1, len(central + name), len(local), 0)
    return local + central + name + end


def test_an_encrypted_zip_is_quarantined(tmp_path: Path) -> None:
    (member,) = members_of(tmp_path, "x.zip", encrypted_zip(b"a.pgn"))
    assert (member.inner, member.status, member.data) == (None, "container_encrypted", encrypted_zip(b"a.pgn"))


def test_a_zip_with_one_encrypted_file_gives_the_others(tmp_path: Path) -> None:
    data = bytearray(zip_of({"a.pgn": GAME, "b.pgn": OTHER}, zipfile.ZIP_STORED))
    second_local = bytes(data).index(b"PK\x03\x04", 4)
    second_central = bytes(data).index(b"PK\x01\x02", bytes(data).index(b"PK\x01\x02") + 4)
    data[second_local + 6] |= 1
    data[second_central + 8] |= 1
    found = members_of(tmp_path, "x.zip", bytes(data))
    assert [(m.inner, m.status) for m in found] == [("a.pgn", "ok"), (None, "container_encrypted")]


@pytest.mark.parametrize("encrypt_names", [False, True])
def test_an_encrypted_7z_is_quarantined(tmp_path: Path, encrypt_names: bool) -> None:
    data = seven_zip_of({"a.pgn": GAME}, "secret", encrypt_names=encrypt_names)
    (member,) = members_of(tmp_path, "x.7z", data)
    assert (member.inner, member.status, member.data) == (None, "container_encrypted", data)


def test_a_7z_with_damaged_data_is_quarantined(tmp_path: Path) -> None:
    data = flipped(seven_zip_of({"a.pgn": NOISE}), 1000)
    assert summary(members_of(tmp_path, "x.7z", data)) == [("x.7z", "container_corrupt", data)]


def test_containers_are_opened_one_level_deep(tmp_path: Path) -> None:
    inner = zip_of({"c.pgn": OTHER, "d.pgn.gz": gzip.compress(GAME)})
    found = members_of(tmp_path, "x.zip", zip_of({"a.pgn.gz": gzip.compress(GAME), "b.zip": inner}))
    assert [(m.inner, m.status) for m in found] == [
        ("a.pgn.gz!a.pgn", "ok"),
        ("b.zip!c.pgn", "ok"),
        ("b.zip!d.pgn.gz", "limit_exceeded"),
    ]
    assert [m.data for m in found] == [GAME, OTHER, gzip.compress(GAME)]
    assert read_member(found[1].absolute_path, found[1].inner) == OTHER


def test_a_damaged_container_in_a_container_is_quarantined_and_its_neighbours_are_kept(tmp_path: Path) -> None:
    bad = gzip.compress(NOISE)[:-4]
    found = members_of(tmp_path, "x.zip", zip_of({"a.pgn.gz": bad, "b.pgn": GAME}))
    assert summary(found) == [("x.zip!a.pgn.gz", "container_corrupt", bad), ("x.zip!b.pgn", "ok", GAME)]


def test_several_members_are_read_in_one_pass(tmp_path: Path) -> None:
    path = tmp_path / "x.tgz"
    path.write_bytes(gzip.compress(tar_of({f"{i}.pgn": b"game %d" % i for i in range(50)})))
    assert list(read_members(str(path), ["7.pgn", "3.pgn", "gone.pgn"])) == [("3.pgn", b"game 3"), ("7.pgn", b"game 7")]
    with pytest.raises(KeyError):
        read_member(str(path), "gone.pgn")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("kind", ["zip", "7z", "tar"])
def test_files_of_one_name_are_told_apart(tmp_path: Path, kind: str) -> None:
    pairs = [("a.pgn", GAME), ("a.pgn", OTHER), ("0", NOISE)]
    buffer = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, data in pairs:
                archive.writestr(name, data)
    elif kind == "7z":
        with py7zr.SevenZipFile(buffer, "w") as archive:
            for name, data in pairs:
                archive.writestr(data, name)
    else:
        buffer.write(b"".join(tar_of({name: data})[: 512 + -(-len(data) // 512) * 512] for name, data in pairs) + bytes(1024))
    found = members_of(tmp_path, f"x.{kind}", buffer.getvalue())
    assert [(m.inner, m.data) for m in found] == [("a.pgn", GAME), ("a.pgn#2", OTHER), ("0", NOISE)]
    assert read_member(found[1].absolute_path, "a.pgn#2") == OTHER


def test_links_in_zip_and_7z_are_no_files(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("a.pgn", GAME)
    assert summary(members_of(tmp_path, "x.zip", buffer.getvalue())) == [("x.zip!a.pgn", "ok", GAME)]
    (tmp_path / "link").symlink_to("/etc/passwd")
    buffer = io.BytesIO()
    with py7zr.SevenZipFile(buffer, "w") as seven:
        seven.write(tmp_path / "link", "link")
        seven.writestr(GAME, "a.pgn")
    assert summary(members_of(tmp_path, "x.7z", buffer.getvalue())) == [("x.7z!a.pgn", "ok", GAME)]


def test_a_name_in_a_7z_that_points_elsewhere_is_only_a_label(tmp_path: Path) -> None:
    found = members_of(tmp_path, "x.7z", seven_zip_of({"dir/../a.pgn": GAME}))
    assert summary(found) == [("x.7z!dir/../a.pgn", "ok", GAME)]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("партия.pgn".encode("cp866"), "партия.pgn"),
        ("партия.pgn".encode(), "партия.pgn"),
        ("München.pgn".encode("cp437"), "München.pgn"),
        (b"..\\..\\evil\n.pgn", "../../evil\\x0a.pgn"),
    ],
)
def test_names_in_old_zips(tmp_path: Path, raw: bytes, shown: str) -> None:
    placeholder = b"N" * len(raw)
    data = zip_of({placeholder.decode(): GAME}).replace(placeholder, raw)
    assert [m.inner for m in members_of(tmp_path, "x.zip", data)] == [shown]
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["x.zip"]  # nothing was written


@pytest.mark.parametrize("kind", ["zip", "gz", "bz2", "xz", "zst", "7z", "tar.gz"])
def test_a_bomb_is_stopped(tmp_path: Path, kind: str) -> None:
    zeros = bytes(3_000_000)
    data = STREAMS[kind](zeros) if kind in STREAMS else ARCHIVES[kind]({"a.pgn": zeros})
    limits = Limits(ratio=100, ratio_free_bytes=1_000_000)
    (member,) = members_of(tmp_path, f"x.{kind}", data, limits)
    assert (member.inner, member.status, member.data) == (None, "limit_exceeded", data)
    assert "100 times" in (member.detail or "")


def test_a_bomb_inside_a_container_counts_for_the_whole(tmp_path: Path) -> None:
    bomb = gzip.compress(bytes(1_000_000))
    data = zip_of({f"{i}.gz": bomb for i in range(9)}, zipfile.ZIP_STORED)
    found = members_of(tmp_path, "x.zip", data, Limits(total_bytes=2_500_000, ratio=10_000))
    assert [m.status for m in found][-1] == "limit_exceeded"
    assert sum(m.n_bytes for m in found[:-1]) <= 2_500_000


@pytest.mark.parametrize(
    ("limits", "why"),
    [(Limits(member_bytes=10), "member of more than 10"), (Limits(n_members=1), "more than 1 members")],
)
@pytest.mark.parametrize("kind", ["zip", "7z", "tar", "tar.xz"])
def test_each_limit_is_kept(tmp_path: Path, kind: str, limits: Limits, why: str) -> None:
    found = members_of(tmp_path, f"x.{kind}", ARCHIVES[kind]({"a.pgn": GAME, "b.pgn": OTHER}), limits)
    assert found[-1].status == "limit_exceeded"
    assert why in (found[-1].detail or "")


def test_a_tar_header_that_lies_about_a_size_costs_no_memory(tmp_path: Path) -> None:
    header = tarfile.TarInfo("a.pgn")
    header.size = 1 << 33
    found = members_of(tmp_path, "x.tar", header.tobuf(tarfile.GNU_FORMAT) + GAME)
    assert [m.status for m in found] == ["limit_exceeded"]


@pytest.mark.parametrize(
    ("name", "data", "detail"),
    [
        ("x.xlsx", zip_of({"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<w/>"}), "a document in a zip"),
        ("x.odp", zip_of({"mimetype": b"application/vnd.oasis.opendocument.presentation"}), "a document in a zip"),
        ("x.jar", zip_of({"META-INF/MANIFEST.MF": b"Manifest-Version: 1.0"}), "a document in a zip"),
        ("x.si4", b"Scid.si\0\x01\x90" + bytes(100), "Scid database index; it is not read: export it from Scid as PGN"),
        ("x.cbh", bytes([0, 0x2C, 0, 0x2E, 1]) * 20, "control characters"),
        ("x.bin", bytes(range(256)) * 4, "control characters"),
        ("x.pgn", bytes(4096), "nothing but fill bytes"),
    ],
)
def test_a_binary_file_is_one_member(tmp_path: Path, name: str, data: bytes, detail: str) -> None:
    (member,) = members_of(tmp_path, name, data)
    assert (member.path, member.status, member.data, member.detail) == (f"{tmp_path}/{name}", "binary", data, detail)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("pdf", b"%PDF-1.4\n1 0 obj"),
        ("docx", zip_of({"[Content_Types].xml": b"<x/>", "word/document.xml": b"<w/>"})),
        ("docx", zip_of({"[Content_Types].xml": b"<x/>", "word/document.xml": b"<w/>"})[:-30]),
        ("odt", zip_of({"mimetype": b"application/vnd.oasis.opendocument.text"})),
        ("epub", zip_of({"mimetype": b"application/epub+zip"}, zipfile.ZIP_STORED)),
        ("epub", zip_of({"mimetype": b"application/epub+zip", "p.opf": b"<p/>"}, zipfile.ZIP_STORED)[:90]),
        ("epub", zip_of({"META-INF/container.xml": b"<c/>"})),
    ],
    ids=["pdf", "docx", "docx cut", "odt", "epub", "epub cut", "epub without mimetype"],
)
@pytest.mark.parametrize("name", ["x.pgn", "x.zip"])
def test_a_document_is_one_member_by_its_content(tmp_path: Path, name: str, kind: str, data: bytes) -> None:
    (member,) = members_of(tmp_path, name, data)
    assert (member.status, member.document, member.data, member.detail) == ("ok", kind, data, None)
    (packed,) = members_of(tmp_path, "outer.zip", zip_of({name: data}))
    assert (packed.inner, packed.status, packed.document, packed.data) == (name, "ok", kind, data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        GAME,
        GAME + b"\x1a" + bytes(500),
        GAME.replace(b"Adler", b"Ad\0ler"),
        GAME.decode().encode("utf-16"),
        GAME.decode().encode("utf-16-be"),
        GAME.decode().encode("utf-32-le"),
        "Белые начинают и выигрывают, но не сразу".encode("utf-16-le"),
    ],
)
def test_text_in_any_form_is_no_binary_file(tmp_path: Path, data: bytes) -> None:
    (member,) = members_of(tmp_path, "x.pgn", data)
    assert (member.status, member.data) == ("ok", data)


def test_a_file_that_is_only_named_like_a_container(tmp_path: Path) -> None:
    assert [m.status for m in members_of(tmp_path, "text.zip", GAME)] == ["ok"]
    assert [m.status for m in members_of(tmp_path, "empty.zip", b"")] == ["ok"]
    assert [m.status for m in members_of(tmp_path, "bad.gz", b"\0\1\2\3" * 50)] == ["container_corrupt"]


def test_a_file_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(GAME)
    (found,) = find([str(tmp_path / "a.pgn")])
    (tmp_path / "a.pgn").unlink()
    (member,) = members(found)
    assert (member.status, member.detail, member.data) == ("read_error", "No such file or directory", None)


def test_a_large_plain_file_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.sources.containers.WHOLE_FILE_BYTES", 100)
    (member,) = members_of(tmp_path, "x.pgn", GAME * 10)
    assert (member.status, member.data, member.n_bytes) == ("ok", None, 10 * len(GAME))


def test_standard_input_is_read_like_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(gzip.compress(GAME))

    monkeypatch.setattr("sys.stdin", Stdin)
    (member,) = members(next(find(["-"])))
    assert (member.path, member.data) == ("-!-", GAME)


def test_every_single_flipped_byte_of_a_zip_is_noticed_or_harmless(tmp_path: Path) -> None:
    data = zip_of({"a.pgn": GAME, "b.pgn": OTHER})
    for at in range(len(data)):
        found = members_of(tmp_path, "x.zip", flipped(data, at))
        wrong = [m for m in found if m.status == "ok" and m.inner is not None and m.data not in (GAME, OTHER)]
        assert not wrong, at


def test_a_bomb_needs_little_memory(tmp_path: Path) -> None:
    data = gzip.compress(bytes(100_000_000))
    tracemalloc.start()
    (member,) = members_of(tmp_path, "x.gz", data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert member.status == "limit_exceeded"
    assert peak < 80_000_000  # the free 32 MiB, once


def test_a_large_plain_file_is_judged_by_both_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.sources.containers.WHOLE_FILE_BYTES", 2_000)
    monkeypatch.setattr("pipeline.sources.containers.CHECKED_BYTES", 1_000)
    assert [m.status for m in members_of(tmp_path, "x.pgn", GAME * 100)] == ["ok"]
    assert [m.status for m in members_of(tmp_path, "y.pgn", GAME * 100 + bytes(range(32)) * 10 + b".")] == ["binary"]
