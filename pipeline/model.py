"""The records that flow through the pipeline: frozen, and each says where it came from.

Text knows no board and the board knows no text; they meet in `MovePattern`. Offsets in these records are
character offsets into the decoded text of one source unless a name says `byte`; `ingest` turns them into bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

ANYWHERE = (1 << 64) - 1
"""Bitboard of all squares (bit 0 = a1 … bit 63 = h8): nothing was said about a square."""

ROSTER = ("Event", "White", "Black", "Result")
"""Tags of the seven tag roster (PGN standard 8.1.1) that make a text PGN by its standard."""

Status = Literal["clean", "truncated", "rejected"]
Effect = Literal["check", "double_check", "discovered_check", "mate", "double_check_or_mate", "en_passant"]


@dataclass(frozen=True, slots=True)
class MovePattern:
    """What a written move says, whichever notation said it. Unsaid means unconstrained.

    Pieces are python-chess piece types (1 pawn … 6 king); squares are bitboards.
    The `has_` fields repeat marks as written: they are evidence that is reported when the board disagrees,
    and never choose a move.
    """

    pieces: tuple[int, ...] = ()
    """Piece types that may move; empty = any (coordinate notations name no piece)."""
    from_squares: int = ANYWHERE
    to_squares: int = ANYWHERE
    promotions: tuple[int, ...] | None = None
    """Piece types promoted to; () = says that nothing promotes; None = unsaid (all four are candidates)."""
    captured: tuple[int, ...] | None = None
    """Piece types taken; None = unsaid."""
    is_capture: bool | None = None
    """True where the form itself means a capture (`ed`: two files, no mark needed)."""
    castling: Literal["", "O-O", "O-O-O"] = ""
    is_null: bool = False
    has_capture_mark: bool = False
    has_check_mark: bool = False
    has_mate_mark: bool = False
    has_final_cross: bool = False
    """`×` or `x` after the square: claims mate, or is a capture mark that trails."""
    is_relative: bool = False
    """Ranks are counted from the mover's side, as in descriptive notation: the squares are White's view, mirrored for Black."""
    wing: Literal["", "K", "Q"] = ""
    """Side of the board on which the moving man began the game (`KR`, `QKt`)."""
    captured_wing: Literal["", "K", "Q"] = ""
    """Side of the board on which the man that is taken began the game (`BxKKt`)."""
    captured_squares: int = ANYWHERE
    """Where the man that is taken stands; differs from `to_squares` in en passant only."""
    effects: tuple[Effect, ...] = ()
    """What the move must do besides: in descriptive notation a written check is part of the move (docs/rules.md §3.6)."""
    prefers_quiet: bool = False
    """A capture is meant only where no quiet move fits: descriptive writers put a dash for both."""
    leniency: tuple[str, ...] = ()
    """Issue codes of what had to be forgiven to read this (`homoglyph`, `pawn_letter`, …); empty = strict."""


@dataclass(frozen=True, slots=True)
class Issue:
    """A defect or oddity. `code` is a row of tables/issues.csv, which also gives its severity."""

    code: str
    start: int = -1
    end: int = -1
    variation: int | None = None
    ply: int | None = None
    written: str | None = None
    detail: str | None = None
    candidates: tuple[str, ...] = ()
    is_fault: bool = False
    """True where a code that is a quirk elsewhere ends the main line here, as an unknown token does."""


@dataclass(frozen=True, slots=True)
class TagPair:
    """A PGN tag pair with its value unescaped (PGN standard 8.1)."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """A symbol after a move: `nag` 1–255, `glyph` as written (`!?`, `$5`, `±`), `side` when the sign names one."""

    nag: int
    glyph: str
    side: Literal["w", "b"] | None = None


@dataclass(frozen=True, slots=True)
class Ply:
    """A half-move that the board proved. `written` is None when it equals `san`."""

    san: str
    uci: str
    written: str | None = None
    annotations: tuple[Annotation, ...] = ()
    comment_before: str | None = None
    comment: str | None = None
    clock_seconds: float | None = None
    elapsed_seconds: float | None = None
    eval_cp: int | None = None
    eval_mate: int | None = None
    decided_by: Literal["legality", "continuation", "repair"] | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """The main line (number 0) or a variation, numbered by its opening bracket.

    `first_ply` is the ply number of `plies[0]`; for a variation that is the ply it replaces.
    """

    number: int
    parent: int | None
    first_ply: int
    depth: int
    plies: tuple[Ply, ...]
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One written game, transcribed. `start`/`end`: first to last token, half-open, in characters."""

    start: int
    end: int
    status: Status
    tags: tuple[TagPair, ...] = ()
    kind: Literal["game", "problem", "study", "fragment"] = "game"
    notation: str | None = None
    language: str | None = None
    language_candidates: tuple[str, ...] = ()
    alphabet: str | None = None
    dialect_evidence: str | None = None
    """Which rule decided the alphabet and notation: `roster`, `unique`, `same_moves`, `hint`, `lenient`, None."""
    start_fen: str | None = None
    variant: Literal["standard", "chess960"] = "standard"
    is_white_first: bool = True
    first_move_number: int = 1
    lines: tuple[Line, ...] = ()
    """lines[0] is the main line (present even when it has no plies)."""
    result_movetext: str | None = None
    """`1-0`, `0-1`, `1/2-1/2`, `0-0`, `*` or None, canonical, from the end of the movetext."""
    result_board: str | None = None
    """The result that mate or stalemate on the last board forces, else None."""
    termination_movetext: str | None = None
    """What words at the end of the movetext say: `resignation`, `time`, `agreement`, `forfeit`, …"""
    comment: str | None = None
    """Comment of a game without moves."""
    issues: tuple[Issue, ...] = ()


@dataclass(frozen=True, slots=True)
class Hints:
    """What the caller says about the input; each restricts the hypotheses, none is trusted over legality."""

    language: str | None = None
    notation: str | None = None
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """Points of two sides and a series, as far as they are written. `start`, `end`: where, in the text.

    `form`: `half` (a half point is written with its sign), `decimal` (8,5), `whole`, or `series` (no points are written).
    """

    start: int
    end: int
    form: str
    is_dashed: bool = False
    """True where a dash or a word joins the points, as they join ranges of anything."""
    has_brackets: bool = False
    is_doubtful: bool = False
    """True for a series that may be a sum (`+8−3=5`) or lacks a number (`+5=5`): it needs names, or brackets."""
    points: Decimal | None = None
    opponent_points: Decimal | None = None
    wins: int | None = None
    losses: int | None = None
    draws: int | None = None

    def turned(self) -> Score:
        """The same from the other side."""
        return replace(self, points=self.opponent_points, opponent_points=self.points, wins=self.losses, losses=self.wins)


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """A score with what stands beside it. The first side of `score` is `player`'s; names and event as written.

    `evidence`: `pair` (two names joined), `verb` (one beat the other), `around` (the score stands between them), `table` (two
    rows of a table), `tags` (a game's tags), `none`. `certainty`: `high`, `medium` (whole points), `low` (no names).
    """

    score: Score
    written: str
    player: str | None = None
    opponent: str | None = None
    event: str | None = None
    year: int | None = None
    evidence: str = "none"

    @property
    def certainty(self) -> str:
        """How sure it is that this is the score of these two."""
        if self.player is None:
            return "low"
        return "medium" if self.score.form == "whole" and self.score.wins is None else "high"


@dataclass(frozen=True, slots=True)
class Filler:
    """A stretch of text that holds no game: prose, blanks, headings. `kind` as in the view `spans`."""

    start: int
    end: int
    kind: str
    issues: tuple[Issue, ...] = ()
    """What is wrong there."""
    scores: tuple[PublishedScore, ...] = ()
    """Scores of series that it publishes."""
