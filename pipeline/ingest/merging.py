"""Rows of both lanes put together, in the order of the games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline import schema

Array = np.ndarray[Any, Any]


def merged(fast: pa.Table, slow: pa.Table, order: pa.ChunkedArray) -> pa.Table:
    """Two tables of rows of games as one, in the order of the games (`order`: ids). Both are in that order already.

    Where `fast` has dictionaries `slow` gets them too. Slow games are few: the fast rows between them are shared, not copied.
    """
    columns = [
        column.dictionary_encode().cast(field.type) if pa.types.is_dictionary(field.type) else column
        for field, column in zip(fast.schema, slow.columns, strict=True)
    ]
    slow = pa.table(columns, schema=fast.schema)
    if not len(slow) or not len(fast):
        return slow if len(slow) else fast
    fast_games, slow_games = _ordinals(fast["game_id"], order), _ordinals(slow["game_id"], order)
    starts = np.flatnonzero(np.diff(slow_games, prepend=-1))
    places = np.searchsorted(fast_games, slow_games[starts])
    pieces, at = [], 0
    for place, start, end in zip(places.tolist(), starts.tolist(), [*starts[1:].tolist(), len(slow)], strict=True):
        pieces += [fast.slice(at, place - at), slow.slice(start, end - start)]
        at = place
    return pa.concat_tables([*pieces, fast.slice(at)])


def _ordinals(game_ids: pa.ChunkedArray, order: pa.ChunkedArray) -> Array:
    """Position in `order` of each row's game."""
    encoded = (
        game_ids.combine_chunks() if pa.types.is_dictionary(game_ids.type) else game_ids.dictionary_encode().combine_chunks()
    )
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.unify_dictionaries().chunk(0)
    places: Array = pc.index_in(encoded.dictionary, value_set=order).to_numpy(zero_copy_only=False)
    ordinals: Array = places[encoded.indices.to_numpy(zero_copy_only=False)]
    return ordinals


def indexed(raw: pa.Table) -> pa.Table:
    """With `index_in_part`: the position of each game in its source's part (rows are sorted by source and byte)."""
    source = pc.dictionary_encode(raw["source_id"]).combine_chunks() if len(raw) else None
    if source is None:
        return raw.append_column("index_in_part", pa.array([], pa.int32())).select(schema.RAW_GAMES)
    codes = source.indices.to_numpy() if isinstance(source, pa.DictionaryArray) else source.chunk(0).indices.to_numpy()
    first = np.flatnonzero(np.diff(codes, prepend=-1))
    index = np.arange(len(codes)) - np.repeat(first, np.diff(np.append(first, len(codes))))
    return raw.append_column("index_in_part", pa.array(index.astype(np.int32))).select(schema.RAW_GAMES)
