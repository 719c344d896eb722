"""Loads the kernel as compiled code or as the plain Python that it is; both give the same results.

Compiled code is about a hundred times faster but takes seconds to compile, once: numba keeps it in a cache folder.
Its cache files are pickles, so only a folder that nobody else can write is trusted. Whatever is missing (numba, a
processor that it knows, a place for the cache) costs speed and nothing else.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any, Literal

import numpy as np

from pipeline.kernel import bits, book, columns, layout, moves, notes, reader, tables, tokens

log = logging.getLogger(__name__)

Mode = Literal["auto", "compiled", "plain"]
ReadChunks = Callable[..., int]

CACHED_BYTES = 300_000
"""A job of so many bytes is quicker compiled when loading the cache is all it takes (0.4 s ≈ 75,000 plies in plain mode)."""
COLD_BYTES = 2_500_000
"""A job of so many bytes is quicker compiled even when it must be compiled first."""

IN_CALL_ORDER = (
    "attackers", "is_safe", "movers", "has_move", "find_move", "can_castle", "make_move", "make_pass", "take_back", "san_number",
    "san_word", "utf8_length", "read_tag_value", "read_tags", "add_written", "add_pass", "add_nag", "read_sign", "read_glyph",
    "read_clock", "read_eval", "read_command", "read_comment", "forget_chunk", "board_result", "skip_blanks",
    "read_result", "read_number", "read_letter", "read_squares", "read_promotion", "castling_at", "play", "new_san",
    "new_uci", "start_game", "open_variation", "close_variation", "read_bracket", "read_moves", "named",
)  # fmt: skip
"""The functions that `read_chunks` is made of, each after those that it calls: so they are compiled."""
INLINED = frozenset((
    "attackers", "is_safe", "movers", "find_move", "make_move", "san_number", "skip_blanks", "read_letter",
    "read_squares", "castling_at", "play",
))  # fmt: skip
"""Those that every move runs through: inlining them takes a third off the time."""


def load(mode: Mode, n_bytes: int) -> tuple[ReadChunks, bool]:
    """`reader.read_chunks` for a job of that many bytes → (function, is it compiled)."""
    if mode == "plain" or (mode == "auto" and not _pays(n_bytes)):
        return reader.read_chunks, False
    function = compiled()
    return (reader.read_chunks, False) if function is None else (function, True)


def _pays(n_bytes: int) -> bool:
    """True when compiled code is the quicker way for a job of that many bytes in this process."""
    if n_bytes < CACHED_BYTES and not compiled.cache_info().currsize:
        return False
    return n_bytes >= COLD_BYTES or compiled.cache_info().currsize > 0 or has_cache()


def has_cache() -> bool:
    """True when compiled code of just these sources lies in the cache folder."""
    folder = cache_folder()
    return folder is not None and find_spec("numba") is not None and any(folder.glob("**/*.nbi"))


@cache
def compiled() -> ReadChunks | None:
    """`reader.read_chunks` as machine code, or None (logged once) when there is no way to it."""
    if find_spec("numba") is None:
        log.info("numba is not installed: games are read by plain Python, which is slower")
        return None
    if not has_cache():
        log.warning("compiling the move kernel: takes some seconds, once per machine and version")
    started = time.perf_counter()
    try:
        function = _compile(cache_folder())
    except Exception as error:  # noqa: BLE001 - numba and llvmlite raise all kinds of errors on platforms that they do not know
        log.warning("the move kernel cannot be compiled, games are read by plain Python, which is slower: %s", error)
        return None
    log.debug("move kernel loaded in %.2f s", time.perf_counter() - started)
    return function


@cache
def cache_folder() -> Path | None:
    """A private, writable folder for compiled code of just these sources; None when there is no such place."""
    digest = hashlib.sha256()
    for module in (bits, book, columns, layout, moves, notes, reader, tables, tokens, sys.modules[__name__]):
        source = getattr(module, "__file__", None)
        if source is None or not Path(source).is_file():
            return None
        digest.update(Path(source).read_bytes())
    for base in _bases():
        folder = base / f"kernel-{digest.hexdigest()[:16]}"
        if _is_private(base) and _is_private(folder) and _is_writable(folder):
            return folder
    return None


def _bases() -> Iterator[Path]:
    if os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(os.environ["NUMBA_CACHE_DIR"]) / "notatio"
    if sys.platform == "win32":
        if os.environ.get("LOCALAPPDATA"):
            yield Path(os.environ["LOCALAPPDATA"]) / "notatio"
        return
    home = os.path.expanduser("~")
    yield Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")) / "notatio"
    yield Path(tempfile.gettempdir()) / f"notatio-{os.geteuid()}"


def _is_private(folder: Path) -> bool:
    """Makes the folder when it is missing; True when it is no link, ours, and nobody else may write to it."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    return sys.platform == "win32" or (found.st_uid == os.geteuid() and found.st_mode & 0o077 == 0)


def _is_writable(folder: Path) -> bool:
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@contextmanager
def _numba_cache(folder: Path | None) -> Iterator[bool]:
    """Points numba at the folder while functions are declared; yields whether to cache."""
    from numba import config

    former = config.CACHE_DIR
    if folder is not None:
        config.CACHE_DIR = str(folder)
    try:
        yield folder is not None
    finally:
        config.CACHE_DIR = former


def _compile(folder: Path | None) -> ReadChunks:
    """Declares every function to numba and compiles `read_chunks` (or loads it from the cache)."""
    from numba import njit, typeof, types

    # Without reference counts for array arguments (`_nrt`) the hot loops run a quarter faster; nothing here allocates.
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
    scope: dict[str, Any] = {
        **vars(layout),
        **vars(tables),
        **vars(moves),
        **vars(notes),
        **vars(tokens),
        **vars(book),
        **vars(reader),
        **_intrinsics(),
    }

    def declared(name: str) -> FunctionType:
        original = scope[name]
        return FunctionType(original.__code__, scope, name, original.__defaults__)

    for name in IN_CALL_ORDER:
        scope[name] = njit(no_cpython_wrapper=True, forceinline=name in INLINED, **options)(declared(name))

    # Types are those of the real arguments, of a job without chunks.
    none = np.zeros(0, np.int64)
    job = columns.Job(bytes(layout.PADDING), none, none, ([0], [0]), [[0]], none, False, False)
    example = columns.arguments(job, columns.allocate(0, 0, True), True)
    signature = types.int64(*(typeof(argument) for argument in example))
    with _numba_cache(folder) as is_cached:
        function: ReadChunks = njit(signature, cache=is_cached, **options)(declared("read_chunks"))
    return function


def _intrinsics() -> dict[str, Any]:
    """The functions of `bits` as single machine instructions."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    word = ir.IntType(64)

    def pointer(context: Any, builder: Any, array_type: Any, array: Any, at: Any) -> Any:
        data = context.make_array(array_type)(context, builder, array).data
        return builder.bitcast(cgutils.pointer_add(builder, data, at), word.as_pointer())

    @intrinsic
    def lowest(_: Any, board: Any) -> Any:
        def code(context: Any, builder: Any, _: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), code

    @intrinsic
    def load8(_: Any, data: Any, at: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(pointer(context, builder, signature.args[0], *args), align=1)

        return types.int64(data, types.int64), code

    @intrinsic
    def store8(_: Any, data: Any, at: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store(args[2], pointer(context, builder, signature.args[0], *args[:2]), align=1)
            return context.get_dummy_value()

        return types.void(data, types.int64, types.int64), code

    return {"lowest": lowest, "load8": load8, "store8": store8}
