"""The text of a game as it stands in its source: from quarantine, else from the file, if that is still the same."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pipeline import ids, sources
from pipeline.site.corpus import Corpus, Row
from pipeline.site.texts import MOST_CHARS
from pipeline.sources.paths import native

_CHUNK_BYTES = 1 << 20
_MOST_BYTES = 4 * MOST_CHARS
"""Of one game: as many bytes as the characters that a page shows can have."""


@dataclass(frozen=True, slots=True)
class Original:
    """The text of a span; None when it cannot be shown, and then `why` says so. `why` also tells that it is cut."""

    text: str | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """A source on disk: a plain file, or a member of a container. `why`: it cannot be read."""

    path: str = ""
    inner: str | None = None
    why: str = ""


_PATHS = """
    select source_id, absolute_path, extractor from source_paths join sources using (source_id, collection, path)
    where source_id in (select unnest($ids))
"""
_KEPT = "select game_id, raw[:$most] as raw from quarantine where game_id in (select unnest($ids))"


class Originals:
    """Reads spans of sources again. A file counts only when its bytes still have the id of the source."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._places: dict[str, _Place] = {}

    def of(self, games: Sequence[Row]) -> dict[str, Original]:
        """Game → its text, for rows with `game_id, source_id, byte_start, byte_end, encoding`."""
        raws: dict[str, bytes] = {}
        found: dict[str, Original] = {}
        for row in self._corpus.rows(_KEPT, ids=[game["game_id"] for game in games], most=_MOST_BYTES):
            raws[row["game_id"]] = row["raw"]
        by_source: dict[str, list[Row]] = {}
        for game in games:
            if game["game_id"] not in raws:
                by_source.setdefault(game["source_id"], []).append(game)
        self._find(by_source)
        for source_id, its in by_source.items():
            place = self._places[source_id]
            try:
                raws |= _spans(place, source_id, its) if not place.why else {}
            except (OSError, KeyError) as error:
                place = _Place(why=f"The source cannot be read any more: {type(error).__name__}.")
            except ValueError as error:
                place = _Place(why=str(error))
            found |= {game["game_id"]: Original(None, place.why) for game in its if game["game_id"] not in raws}
        by_id = {game["game_id"]: game for game in games}
        return found | {key: _decoded(raw, by_id[key]) for key, raw in raws.items()}

    def _find(self, source_ids: Iterable[str]) -> None:
        """Fills _places for sources that are met the first time."""
        unknown = [source_id for source_id in source_ids if source_id not in self._places]
        for row in self._corpus.rows(_PATHS, ids=unknown) if unknown else ():
            self._places[row["source_id"]] = _place(row)
        for source_id in unknown:
            self._places.setdefault(source_id, _Place(why="No path of the source is known any more."))


def _place(row: Row) -> _Place:
    """Where a source is now; `archive.zip!member` in a container."""
    file = row["absolute_path"] or "-"
    if row["extractor"]:
        return _Place(why=f"The source is a document, read as the text that {row['extractor']} made of it.")
    if file == "-":
        return _Place(why="The source came through standard input and was not kept.")
    if not os.path.isfile(native(file)):
        at = next((at for at, char in enumerate(file) if char == "!" and os.path.isfile(native(file[:at]))), None)
        return _Place(why=f"The file {file} is not there any more.") if at is None else _Place(file[:at], file[at + 1 :])
    if _file_id(file) != row["source_id"]:
        return _Place(why=f"The file {file} has changed since it was read.")
    return _Place(file)


def _file_id(path: str) -> str:
    """The id that a source with the file's bytes has, read in pieces."""
    digest = sha256()
    try:
        with open(native(path), "rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                digest.update(chunk)
    except OSError:
        return ""
    return digest.hexdigest()[: len(ids.source_id(b""))]


def _spans(place: _Place, source_id: str, games: Iterable[Row]) -> dict[str, bytes]:
    """Bytes of the games of one source, cut to what a page shows. Raises OSError, KeyError; ValueError says what has changed."""
    if place.inner is None:
        ends = {game["game_id"]: (game["byte_start"], min(game["byte_end"], game["byte_start"] + _MOST_BYTES)) for game in games}
        return {key: sources.read_range(place.path, start, end) for key, (start, end) in ends.items()}
    data = sources.read_member(place.path, place.inner)
    if ids.source_id(data) != source_id:
        raise ValueError(f"{place.inner} in {place.path} has changed since it was read.")
    return {game["game_id"]: data[game["byte_start"] : game["byte_end"]][:_MOST_BYTES] for game in games}


def _decoded(raw: bytes, game: Row) -> Original:
    n_bytes = game["byte_end"] - game["byte_start"]
    why = f"The first {len(raw):,} of {n_bytes:,} bytes." if len(raw) < n_bytes else ""
    return Original(decoded(raw, game["encoding"]), why)


def decoded(raw: bytes, encoding: str | None) -> str:
    """Bytes as text in the encoding of their source; what is none becomes U+FFFD."""
    try:
        text: Any = sources.decode(raw, sources.decide(raw, None if encoding in {None, "ascii"} else encoding)).text
        return str(text)
    except sources.UnknownEncoding:
        return raw.decode("utf-8", "replace")
