"""Arrow columns out of the kernel's flat arrays, without Python per row.

`values[:n]` are numpy arrays; `ends` holds n + 1 offsets into `data`. Nothing is copied where a buffer can be shared.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

Array = np.ndarray[Any, Any]


def strings(ends: Array, data: Array) -> pa.StringArray:
    """A string column from n + 1 offsets (int32) and UTF-8."""
    return pa.StringArray.from_buffers(len(ends) - 1, pa.py_buffer(ends), pa.py_buffer(data))


def bitmap(is_valid: Array) -> pa.Buffer:
    """A validity bitmap from booleans."""
    return pa.py_buffer(np.packbits(is_valid, bitorder="little"))


def spread_numbers(n: int, rows: Array, values: Array, kind: pa.DataType) -> pa.Array:
    """A number column of n rows that has `values` at `rows` and null elsewhere."""
    if len(rows) == 0:
        return pa.nulls(n, kind)
    dense = np.zeros(n, kind.to_pandas_dtype())
    dense[rows] = values
    is_valid = np.zeros(n, np.bool_)
    is_valid[rows] = True
    return pa.Array.from_buffers(kind, n, [bitmap(is_valid), pa.py_buffer(dense)], null_count=n - len(rows))


def spread_strings(n: int, rows: Array, values: pa.StringArray) -> pa.StringArray:
    """A string column of n rows that has `values` at `rows` (ascending, distinct) and null elsewhere."""
    if len(rows) == 0:
        return pa.nulls(n, pa.string())
    lengths = np.zeros(n + 1, np.int32)
    lengths[rows + 1] = pc.binary_length(values).to_numpy(zero_copy_only=False)
    is_valid = np.zeros(n, np.bool_)
    is_valid[rows] = True
    ends = np.cumsum(lengths, dtype=np.int32)
    _, offsets, data = values.buffers()
    first = int(np.frombuffer(offsets, np.int32)[values.offset])
    return pa.StringArray.from_buffers(n, pa.py_buffer(ends), data.slice(first), bitmap(is_valid), n - len(rows))


def spread_lists(n: int, rows: Array, values: pa.Array, kind: pa.ListType) -> pa.ListArray:
    """A list column of n rows: the values at each of `rows` (ascending, repeated) in order, null where there are none."""
    if len(rows) == 0:
        return pa.nulls(n, kind)
    counts = np.bincount(rows, minlength=n)
    ends = np.zeros(n + 1, np.int32)
    np.cumsum(counts, out=ends[1:])
    is_valid = counts > 0
    return pa.Array.from_buffers(
        kind, n, [bitmap(is_valid), pa.py_buffer(ends)], null_count=n - int(is_valid.sum()), children=[values]
    )


def join_repeated(rows: Array, values: pa.StringArray, separator: str) -> tuple[Array, pa.StringArray]:
    """Rows made distinct: values of one row (they stand together) are joined in order."""
    is_first = np.ones(len(rows), np.bool_)
    is_first[1:] = rows[1:] != rows[:-1]
    if is_first.all():
        return rows, values
    starts = np.append(np.flatnonzero(is_first), len(rows)).astype(np.int32)
    return rows[is_first], pc.binary_join(pa.ListArray.from_arrays(pa.array(starts), values), separator)


def coded(codes: Array, words: pa.Array, is_encoded: bool) -> pa.Array:
    """A string column from ordinals of `words`, as a dictionary or spelled out."""
    column = pa.DictionaryArray.from_arrays(pa.array(codes), words, safe=False)
    return column if is_encoded else column.dictionary_decode()
