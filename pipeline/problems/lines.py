"""The tree of a solution → main line and variations.

The main line is the key and the first variation given: of the solver's moves the first with `!`, else the first without `?`; of
the other side's the first that is written, a pass only where nothing else is. All other moves are variations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import chess

from pipeline import comments
from pipeline.model import Issue, Line, Ply
from pipeline.problems.solution import Node
from pipeline.schema import MAX_VARIATIONS
from pipeline.signs import MATES
from pipeline.transcription import annotated


@dataclass(slots=True)
class Written:
    """Lines and issues of a solution. `last` is the end of the main line, `fault` what ended it too early."""

    last: Node
    lines: list[Line] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    fault: Issue | None = None


def write(root: Node) -> Written:
    """Lines in the order in which PGN would open their brackets: alternatives of a move stand right behind it."""
    found = Written(root)
    solver = root.board.turn
    waiting: list[tuple[Node, Node | None, int | None, int]] = [(root, None, None, 0)]
    number = -1
    while waiting:
        parent, first, above, depth = waiting.pop()
        number += 1
        if number > MAX_VARIATIONS:
            found.issues.append(Issue("limit_exceeded", detail=f"more than {MAX_VARIATIONS} variations"))
            break
        line = list(_line(parent, first, solver))
        proven = [node for node in line if node.fault is None]
        found.lines.append(
            Line(number, above, parent.ply - root.ply + 1, depth, tuple(_ply(node, found, number, root) for node in proven))
        )
        fault = line[-1].fault if line else None
        if fault is not None:
            ply = line[-1].ply - root.ply
            code = "variation_illegal" if number else fault.code
            issue = replace(fault, code=code, variation=number, ply=ply, is_fault=number == 0)
            found.issues.append(issue)
            found.fault = found.fault or (issue if number == 0 else None)
        if number == 0:
            found.last = proven[-1] if proven else root
        branches = [
            (before, other)
            for before, chosen in zip([parent, *line], line, strict=False)
            if not (before is parent and first)  # its alternatives wait already
            for other in before.children
            if other is not chosen
        ]
        waiting += [(before, other, number, depth + 1) for before, other in reversed(branches)]
    found.lines = [line for line in found.lines if line.plies or line.number == 0]
    return found


def _line(parent: Node, first: Node | None, solver: chess.Color) -> Iterator[Node]:
    """From `first`, or the best child of `parent`, along the best children to an end or a fault."""
    node = first or _best(parent, solver)
    while node is not None:
        yield node
        node = None if node.fault else _best(node, solver)


def _best(node: Node, solver: chess.Color) -> Node | None:
    real = [child for child in node.children if not child.is_null] or node.children
    if node.board.turn == solver:
        for is_good in (_is_key, _is_no_try):
            chosen = next((child for child in real if is_good(child)), None)
            if chosen:
                return chosen
        return None
    return next(iter(real), None)


def _is_key(node: Node) -> bool:
    return any(glyph in {"!", "!!", "$1", "$3"} for glyph, _ in node.glyphs)


def _is_no_try(node: Node) -> bool:
    return not any(glyph in {"?", "??", "$2", "$4", "?!", "$6"} for glyph, _ in node.glyphs)


def _ply(node: Node, found: Written, number: int, root: Node) -> Ply:
    """One ply with what stands around it."""
    assert node.token is not None
    at = node.ply - root.ply
    written = " ".join([node.token.text.strip(), *node.marks]).strip()
    _check(node, found, number, at, written)
    texts = [text for raw in node.comments if (text := comments.read(raw).text)]
    return Ply(
        node.san,
        node.uci,
        None if written == node.san or not written else written,
        annotated(node.glyphs, found.issues, number, at),
        "\n".join(node.comments_before) or None,
        "\n".join(texts) or None,
        decided_by="continuation" if node.is_decided_later else "legality" if node.pattern and node.pattern.leniency else None,
    )


def _check(node: Node, found: Written, number: int, at: int, written: str) -> None:
    """Report marks that the board denies, and what was forgiven."""
    if node.pattern is None or node.token is None:
        return
    if not node.move:
        if written:
            found.issues.append(Issue("null_move", node.token.start, node.token.end, number, at, written))
        return
    pattern = node.pattern
    if any(c in MATES for mark in node.marks for c in mark):
        pattern = replace(pattern, has_mate_mark=True)
    is_check, is_mate = node.san[-1:] in "+#", node.san.endswith("#")
    has_denied = (pattern.has_check_mark and not is_check) or (pattern.has_mate_mark and not is_mate)
    for code in (*(["false_check_mark"] if has_denied else []), *pattern.leniency):
        found.issues.append(Issue(code, node.token.start, node.token.end, number, at, written, f"read as {node.san}"))


__all__ = ["Written", "write"]
