"""A game and its issues explained: letters, runner-up and evidence; at each issue the board and what could be played.

Works on rows as they are stored, whether they come from a lake or were just read by `check`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pipeline.cli.boards import diagram, listed
from pipeline.cli.output import counted, printable

if TYPE_CHECKING:
    import chess

    from pipeline.model import Hints
    from pipeline.tables import Alphabet

Row = Mapping[str, Any]
_MOST_EVIDENCE = 6
_INDENT = "    "


class Explained:
    """A game by its rows of games, plies and variations."""

    def __init__(self, game: Row, plies: Iterable[Row], variations: Iterable[Row]) -> None:
        self.game = game
        self.lines: dict[int, dict[int, Row]] = {}
        for row in plies:
            self.lines.setdefault(row["variation"], {})[row["ply"]] = row
        self.branches = {row["variation"]: row for row in variations}

    def letters(self, hints: Hints, broken: str | None = None) -> Iterator[str]:
        """Alphabet and notation, the runner-up, the half-moves that are evidence. `broken`: the move after the last proven."""
        from pipeline.dialects import WrittenMove
        from pipeline.evidence import evidence

        game, alphabet = self.game, self._alphabet()
        others = [language for language in game["language_candidates"] or () if not alphabet or language != alphabet.bcp47]
        if alphabet is not None:
            also = f", alike in {', '.join(others)}" if others else ""
            by = game["dialect_evidence"] or "the longest reading"
            yield f"letters    {alphabet.language} ({alphabet.bcp47}){also}; by {by}"
            yield f"notation   {game['notation']}"
        elif game["alphabet"]:
            yield f"letters    {game['language'] or 'none'}; by {game['dialect_evidence'] or 'the longest reading'}"
            yield f"notation   {game['notation']}"
        else:
            yield "letters    none was found"
        main = [row for _, row in sorted(self.lines.get(0, {}).items())]
        line = [WrittenMove(row["written"] or row["san"], row["san"] == "--") for row in main]
        line += [WrittenMove(broken)] if broken else []
        if not line:
            return
        told = evidence(line, self._start(), [row["san"] for row in main], set(game["language_candidates"] or ()), hints)
        best = told.runner_up
        if best is not None and best.n_plies:
            what = f"reads {best.written} as {best.reads_as}" if best.reads_as else f"cannot read {best.written}"
            name = f"{best.alphabet.language} ({best.alphabet.bcp47})"
            yield f"runner-up  {name}: {counted(best.n_plies, 'half-move')}; at ply {best.ply} it {what}"
        plies = [f"ply {ply} {text} (against {n})" for ply, text, n in told.plies[:_MOST_EVIDENCE]]
        if plies and best is not None and best.n_plies:
            yield f"evidence   {', '.join(plies)}{', …' if len(told.plies) > _MOST_EVIDENCE else ''}"

    def place(self, issue: Row) -> Iterator[str]:
        """The board at an issue, and for a fault the moves that can be played there; nothing where it concerns no half-move."""
        if issue["ply"] is None or issue["variation"] is None:
            return
        board = self.board(issue["variation"], issue["ply"])
        if board is None:
            return
        yield from diagram(board)
        if issue["severity"] != "fault":
            return
        if issue["candidates"] and issue["code"] == "ambiguous_san":
            yield f"possible   {', '.join(issue['candidates'])}"
            return
        from pipeline.misprints import legal_near
        from pipeline.repairs import Fault

        fault = Fault(issue["code"], issue["ply"], 0, 0, issue["written"] or "", None, board, self._alphabet())
        yield f"legal      {listed(list(legal_near(fault)))}"

    def board(self, variation: int, ply: int) -> chess.Board | None:
        """The position before a half-move of a line; None when the line was not read as far as that."""
        import chess

        moves: list[str] = []
        while True:
            line = self.lines.get(variation, {})
            branch = self.branches.get(variation)
            first = branch["branch_ply"] if branch else 1
            if (variation and branch is None) or any(at not in line for at in range(first, ply)):
                return None
            moves[:0] = [line[at]["uci"] for at in range(first, ply)]
            if branch is None:
                break
            variation, ply = branch["parent_variation"], first
        board = self._start()
        for uci in moves:
            board.push(chess.Move.from_uci(uci))
        return board

    def _start(self) -> chess.Board:
        from pipeline.positions import start_board

        return start_board(self.game["start_fen"], self.game["variant"])

    def _alphabet(self) -> Alphabet | None:
        from pipeline import tables

        return tables.alphabet(self.game["alphabet"])


def broken_at(game: Row, issues: Iterable[Row]) -> str | None:
    """What is written where the main line of a game breaks."""
    at = (game["n_plies"] or 0) + 1
    found = (i for i in issues if i["severity"] == "fault" and i["variation"] == 0 and i["ply"] == at and i["written"])
    return next((str(i["written"]) for i in found), None) if game["status"] != "clean" else None


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Lines that belong to the one before."""
    return (printable(f"{_INDENT}{line}") for line in lines)
