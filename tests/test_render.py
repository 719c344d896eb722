"""`pipeline.render`: every form prints what fits one legal move, and what is printed reads back as the game."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import chess
import chess.pgn
import pytest

from pipeline import tables
from pipeline.model import Annotation, Game, Hints, Line, MovePattern, Ply
from pipeline.notations import FAMILIES
from pipeline.render import Layout, UnknownForm, form_named, forms, render, styles_of
from pipeline.resolver import State, Step, advance
from tests.support_cli import SAMPLE
from tests.support_text import cases, one, read, sans

ALPHABETS = [a.name for a in tables.alphabets() if a.infer != "never"]
STYLES = list(styles_of("algebraic"))
COLLIDING = ["en", "ru", "fig", "nl", "bn", "sq", "he", "vi"]
"""Alphabets where letters run into each other or into files, and some where they do not."""
LINES = {
    "castling both sides, en passant, mate": (
        None,
        "e4 e6 d4 d5 e5 c5 c3 cxd4 cxd4 Bb4+ Nc3 Nc6 Nf3 Nge7 Bd3 O-O Bxh7+ Kxh7 Ng5+ Kg6 h4 Nxd4 Qg4 f5 h5+ Kh6 Nxe6+ g5 hxg6#",
    ),
    "long castling, both sides": (None, "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O e4 dxe4 f3 exf3 Nxf3 Bg4 d5 Bxf3 gxf3 Nb4"),
    "promotions to all men": ("5r2/3PP3/8/7k/8/K7/1p4p1/8 w - - 0 1", "d8=Q b1=B exf8=N g1=R"),
    "promotion by capture, mate": ("r3k3/RP6/5R2/8/7p/8/6P1/4K3 w - - 0 1", "g4 hxg3 bxa8=Q#"),
    "three queens": ("8/2k5/8/8/4Q2Q/8/8/K6Q w - - 0 1", "Qh4e1 Kd7"),
    "a pinned knight needs no letter": (None, "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Ne2 d5 a3 Be7 cxd5 exd5"),
    "knights on one file and one rank": ("4k3/8/8/5N2/1n3n2/5N2/8/4K3 w - - 0 1", "N3d4 Nbd5 Ne3 Nxe3"),
    "double and discovered check": (None, "e4 e5 Nf3 Nf6 Nxe5 Nxe4 Qe2 Nf6 Nc6+ Qe7 Nxe7 Bxe7 d4 O-O"),
    "two pawns take, two pawns are taken": (None, "e4 e5 f4 d5 exd5 exf4 c4 c6 dxc6 bxc6 Nf3 g5 h4 g4 Ne5 h5"),
    "a pass": (None, "e4 e5 Nf3 -- d4 Nc6 -- exd4"),
}


def played(fen: str | None, moves: str) -> Game:
    """A game without anything beside its moves."""
    board, plies = chess.Board(fen or chess.STARTING_FEN), []
    for san in moves.split():
        move = board.parse_san(san)
        plies.append(Ply(board.san(move), board.uci(move)))
        board.push(move)
    return Game(0, 0, "clean", start_fen=fen, lines=(Line(0, None, 1, 0, tuple(plies)),), result_movetext="1/2-1/2")


GAMES = {name: played(fen, moves) for name, (fen, moves) in LINES.items()}


def readable(text: str, game: Game) -> str:
    """The text with its start position as a tag pair."""
    if not game.start_fen or text.startswith("["):
        return text
    head, _, moves = text.partition("\n")
    assert head == f"FEN: {game.start_fen}"
    return f'[FEN "{game.start_fen}"]\n\n{moves}'


# --- exact expectations -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("rendered"), ids=lambda c: f"{c['form']}-{c['style']}-{c['written']}")
def test_a_move_is_printed_as_books_print_it(case: dict[str, str]) -> None:
    before = case["before"]
    board = chess.Board(before) if "/" in before else chess.Board()
    for san in [] if "/" in before else before.split():
        board.push_san(san)
    assert form_named(case["form"], case["style"] or None).write(board, board.parse_san(case["san"])) == case["written"]


def test_every_form_of_the_table_and_every_style_has_a_case() -> None:
    written = cases("rendered")
    assert {row["name"] for row in tables.rows("forms")} - {"pgn"} <= {case["form"] for case in written}
    assert set(STYLES) - {"short"} <= {case["style"] for case in written}


LONG = played(None, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5")


def with_ply(game: Game, ply: int, **changes: object) -> Game:
    """The game with other things beside one ply of its main line."""
    main = game.lines[0]
    plies = [replace(p, **changes) if i == ply - 1 else p for i, p in enumerate(main.plies)]  # type: ignore[arg-type]
    return replace(game, lines=(replace(main, plies=tuple(plies)), *game.lines[1:]))


ASIDE = replace(
    with_ply(
        with_ply(
            GAMES["promotion by capture, mate"], 2, comment="forced", annotations=(Annotation(1, "!"), Annotation(16, "±", "w"))
        ),
        1,
        comment_before="Now:",
    ),
    result_movetext="1-0",
)
NESTED = replace(
    played(None, "e4 e5 Nf3"),
    lines=(
        *played(None, "e4 e5 Nf3").lines,
        Line(1, 0, 2, 1, (Ply("c5", "c7c5", comment="sharp"), Ply("Nf3", "g1f3"))),
        Line(2, 1, 3, 2, (Ply("c3", "c2c3"),)),
        Line(3, 0, 2, 1, (), comment="or anything else"),
    ),
    result_movetext=None,
)


@pytest.mark.parametrize(
    ("game", "form", "layout", "text"),
    [
        (played(None, "e4 e5 Nf3"), "ru", Layout(), "1. e4 e5 2. Кf3 1/2-1/2"),
        (
            ASIDE,
            "de",
            Layout(),
            "FEN: r3k3/RP6/5R2/8/7p/8/6P1/4K3 w - - 0 1\n{Now:} 1. g4 hxg3! ± {forced} 2. bxa8D# 1-0",
        ),
        (
            ASIDE,
            "de",
            Layout(has_comments=False, has_symbols=False),
            "FEN: r3k3/RP6/5R2/8/7p/8/6P1/4K3 w - - 0 1\n1. g4 hxg3 2. bxa8D# 1-0",
        ),
        (NESTED, "en", Layout(), "1. e4 e5 (1... c5 {sharp} 2. Nf3 (2. c3)) ({or anything else}) 2. Nf3"),
        (NESTED, "en", Layout(has_variations=False), "1. e4 e5 2. Nf3"),
        (NESTED, "en", Layout(width=20), "1. e4 e5 (1... c5\n{sharp} 2. Nf3\n(2. c3)) ({or\nanything else})\n2. Nf3"),
        (NESTED, "uci", Layout(width=0), "1. e2e4 e7e5 (1... c7c5 {sharp} 2. g1f3 (2. c2c3)) ({or anything else}) 2. g1f3"),
        (with_ply(played(None, "e4 e5"), 1, comment="a } brace\nand [%csl Ge4]"), "en", Layout(width=12),
         "1. e4 {a )\nbrace\nand [%csl\nGe4]}\n1... e5\n1/2-1/2"),
        (with_ply(played(None, "d4 d5"), 1, annotations=(Annotation(146, "N"),)), "ru", Layout(), "1. d4 N d5 1/2-1/2"),
        (with_ply(played(None, "d4 d5"), 1, annotations=(Annotation(146, "N"),)), "en", Layout(), "1. d4 $146 d5 1/2-1/2"),
        (with_ply(played(None, "d4 d5"), 1, annotations=(Annotation(244, "✕"),)), "en", Layout(), "1. d4 $244 d5 1/2-1/2"),
        (Game(0, 0, "clean", lines=(Line(0, None, 1, 0, ()),), result_movetext="0-1", comment="Forfeit"), "ru", Layout(),
         "{Forfeit} 0-1"),
    ],
)  # fmt: skip
def test_a_game_is_laid_out_as_it_should_be(game: Game, form: str, layout: Layout, text: str) -> None:
    assert render(game, form_named(form), layout) == text


def test_lines_are_as_long_as_the_width_and_no_longer() -> None:
    for width in (20, 40, 79):
        lines = render(LONG, form_named("de", "long-dash"), Layout(width=width)).splitlines()
        assert max(map(len, lines)) <= width
        assert all(len(a) + 1 + len(b.split(" ")[0]) > width - 12 for a, b in pairwise(lines))
    assert "\n" not in render(LONG, form_named("de"), Layout(width=0))


def test_a_comment_of_ten_thousand_nested_variations_is_no_matter() -> None:
    depth = 10_000
    lines = [Line(0, None, 1, 0, (Ply("e4", "e2e4"),))]
    lines += [Line(i, i - 1, 1, i, (Ply("d4", "d2d4"),)) for i in range(1, depth + 1)]
    text = render(Game(0, 0, "clean", lines=tuple(lines)), form_named("san"), Layout(width=0))
    assert text.count("(") == text.count(")") == depth


# --- the law: what is printed reads back ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alphabet", "style"),
    [*((a, "short") for a in ALPHABETS), *((a, s) for a in COLLIDING for s in STYLES if s != "short")],
)
def test_algebraic_in_any_alphabet_and_style_reads_back(alphabet: str, style: str) -> None:
    form = form_named(alphabet, style)
    for name, game in GAMES.items():
        text = render(game, form, Layout())
        back = one(text, Hints(language=alphabet))
        assert (sans(back), back.status) == (sans(game), "clean"), (name, text)
        assert not {i.code for i in back.issues} & {"false_check_mark", "false_capture_mark", "homoglyph"}, (name, text)


@pytest.mark.parametrize("form", ["figurine", "figurine-colored", "uci", "san"])
def test_forms_that_need_no_hint_read_back_without_one(form: str) -> None:
    for name, game in GAMES.items():
        if form == "uci" and name == "a pass":
            continue
        text = render(game, form_named(form), Layout())
        assert sans(one(readable(text, game))) == sans(game), (name, text)


@pytest.mark.parametrize(
    ("form", "style", "hints"),
    [
        ("descriptive", "n", Hints(notation="descriptive")),
        ("descriptive", "kt", Hints(notation="descriptive")),
        ("descriptive-es", None, Hints(notation="descriptive", language="es")),
        ("descriptive-pt", None, Hints(notation="descriptive", language="pt")),
        ("numeric", None, Hints(notation="numeric")),
        ("smith", None, Hints(notation="smith")),
        ("gringmuth", None, Hints(notation="gringmuth")),
        ("uci", None, Hints(notation="uci")),
    ],
)
def test_other_notations_read_back(form: str, style: str | None, hints: Hints) -> None:
    for name, game in GAMES.items():
        text = render(game, form_named(form, style), Layout())
        back = one(readable(text, game), hints)
        assert (sans(back), back.status) == (sans(game), "clean"), (name, text)


@pytest.mark.parametrize(
    ("form", "hints"),
    [("ru", Hints(language="ru")), ("descriptive", Hints(notation="descriptive")), ("numeric", Hints(notation="numeric"))],
)
def test_variations_and_comments_read_back_in_other_notations(form: str, hints: Hints) -> None:
    n_lines = 0
    for name in ("annotated-berg.pgn", "annotated-koval.txt"):
        for game in read((SAMPLE / name).read_text("utf-8")):
            text = render(game, form_named(form), Layout())
            back = one(text, hints)
            assert [[p.san for p in line.plies] for line in back.lines] == [[p.san for p in line.plies] for line in game.lines], (
                text
            )
            for line, found in zip(game.lines, back.lines, strict=True):
                assert [(p.comment or "").split() for p in found.plies] == [(p.comment or "").split() for p in line.plies]
                nags = [[a.nag for a in p.annotations] for p in line.plies]
                assert [[a.nag for a in p.annotations] for p in found.plies] == nags, text
            n_lines += len(game.lines)
    assert n_lines > 20


@pytest.mark.parametrize("form", ["en", "ru", "de", "figurine", "es", "pl", "vi"])
def test_every_symbol_reads_back_as_what_it_said(form: str) -> None:
    signs = [Annotation(n.nag, f"${n.nag}", n.side) for n in tables.nags()[1:]]  # type: ignore[arg-type]
    signs += [Annotation(s.nag, s.symbol, s.side) for s in tables.symbols().values()]  # type: ignore[arg-type]
    n_plies = len(LONG.lines[0].plies)
    for at in range(0, len(signs), n_plies):
        game = LONG
        for i, sign in enumerate(signs[at : at + n_plies]):
            game = with_ply(game, i + 1, annotations=(sign,))
        text = render(game, form_named(form), Layout())
        back = one(text, Hints(language=form))
        found = [[(a.nag, a.side) for a in ply.annotations] for ply in back.lines[0].plies]
        assert found == [[(a.nag, a.side) for a in ply.annotations] for ply in game.lines[0].plies], text


def positions() -> Iterator[chess.Board]:
    """Positions that know the moves before them: of all games above, and every ninth of the sample's match."""
    for game in GAMES.values():
        board = chess.Board(game.start_fen or chess.STARTING_FEN)
        for ply in game.lines[0].plies:
            yield board
            board.push_uci(ply.uci)
    for fen in (
        "rnbqkbnr/ppp2ppp/8/3Pp3/2B1P3/8/PPP2PPP/RNBQK1NR w KQkq - 0 4",
        "8/PPP4k/8/8/2N1N3/8/2N1N3/4K3 w - - 0 1",
        "4k3/8/8/2pPpP2/8/8/8/R3K2R w KQ c6 0 2",
        "3rr1k1/8/8/8/3QQ3/3QQ3/8/R3K2R w KQ - 0 1",
        "n1n5/1P6/8/8/8/8/1p6/N1N1K2k b - - 0 1",
        "2r1b3/1p4kp/rPpN3b/1R2pP1q/p2PPp2/n5PP/P1pK4/2BR1B1Q b - - 4 45",
    ):
        yield chess.Board(fen)
    with (SAMPLE / "match-1972.pgn").open(encoding="utf-8") as file:
        while match_game := chess.pgn.read_game(file):
            board = match_game.board()
            for i, move in enumerate(match_game.mainline_moves()):
                if i % 9 == 8:
                    yield board
                board.push(move)


@pytest.mark.parametrize("form", ["descriptive", "descriptive-es", "numeric", "smith", "gringmuth", "uci", "en", "ru"])
def test_no_two_legal_moves_are_printed_alike(form: str) -> None:
    write = form_named(form).write
    for board in positions():
        texts = [write(board, move) for move in board.legal_moves]
        assert len(set(texts)) == len(texts), (board.fen(), sorted(texts))


def steps(board: chess.Board) -> Step | None:
    """What a reader knows of the moves before a position."""
    step = None
    for i, move in enumerate(board.move_stack):
        step = Step(move, "", MovePattern(), 1, step, i + 1)
    return step


@pytest.mark.parametrize(
    ("form", "style", "family", "language"),
    [
        ("descriptive", "n", "descriptive", "en"),
        ("descriptive", "kt", "descriptive", "en"),
        ("descriptive-es", None, "romance", "es"),
        ("descriptive-pt", None, "romance", "pt"),
        ("numeric", None, "numeric", "zxx"),
        ("smith", None, "smith", "zxx"),
        ("gringmuth", None, "gringmuth", "zxx"),
    ],
)
def test_what_is_printed_fits_that_legal_move_alone(form: str, style: str | None, family: str, language: str) -> None:
    """Whether the reader knows the moves before the position, or the position alone."""
    write = form_named(form, style).write
    for board in positions():
        known = steps(board)
        for move in board.legal_moves:
            text = write(board, move)
            patterns = FAMILIES[family].parse(text, language)
            for before in (known, None):
                found = advance([State(board.copy(stack=False), before)], patterns, is_shared=True)
                assert [state.last.move for state in found if state.last] == [move], (board.fen(), board.san(move), text)


# --- PGN --------------------------------------------------------------------------------------------------------------


def built(game: Game) -> chess.pgn.Game:
    """The game as python-chess has games. Comments before the first move belong to the game."""
    root = chess.pgn.Game()
    if game.start_fen:
        root.setup(chess.Board(game.start_fen))
    nodes: dict[tuple[int, int], chess.pgn.GameNode] = {(0, 0): root}
    lines = {line.number: line for line in game.lines}
    for line in game.lines:
        at, before = line, line.first_ply - 1
        while (at.number, before) not in nodes:
            at = lines[at.parent or 0]
        node = nodes[at.number, before]
        for i, ply in enumerate(line.plies):
            node = node.add_variation(
                chess.Move.from_uci(ply.uci), comment=ply.comment or "", nags=[a.nag for a in ply.annotations]
            )
            if ply.comment_before and line.number == 0 and i == 0:
                root.comment = ply.comment_before
            elif ply.comment_before:
                node.starting_comment = ply.comment_before
            nodes[line.number, line.first_ply + i] = node
    return root


def flat(root: chess.pgn.Game) -> list[tuple[str, list[str], list[str], list[int], int]]:
    """Every node in order: move, comments as words, symbols, and how many follow; no recursion."""
    found, todo = [], list(reversed(root.variations))
    while todo:
        node = todo.pop()
        comments = node.comment.split(), node.starting_comment.split()
        found.append((node.move.uci(), *comments, sorted(node.nags), len(node.variations)))
        todo += reversed(node.variations)
    return found


@pytest.mark.parametrize(("name", "n_noted"), [("annotated-berg.pgn", 80), ("annotated-koval.txt", 50), ("match-1972.pgn", 0)])
def test_pgn_keeps_comments_nags_and_variations(name: str, n_noted: int) -> None:
    noted = 0
    for game in read((SAMPLE / name).read_text("utf-8")):
        text = render(game, form_named("pgn"), Layout())
        found, expected = chess.pgn.read_game(io.StringIO(text)), built(game)
        assert found is not None
        assert not found.errors
        assert flat(found) == flat(expected)
        assert found.comment.split() == (expected.comment or game.comment or "").split()
        tags = {tag.name: tag.value for tag in reversed(game.tags)}
        assert {name: found.headers[name] for name in tags} == tags
        assert max(map(len, text.partition("\n\n")[2].splitlines())) < 80
        noted += sum(bool(words or nags) for _, words, _, nags, _ in flat(found))
    assert noted >= n_noted


def test_pgn_is_in_export_format() -> None:
    text = (
        '[Black "Behn \\"Ole\\""]\n[White "Adler"]\n[WhiteElo "2400"]\n[Annotator "C"]\n[Result "1-0"]\n\n'
        "1.e4 {[%clk 1:00:05.5] [%eval -0.3] best} e5!? ({Or} 1...c5 $14 2.Nf3) 2.Nf3 1-0\n"
    )
    assert render(one(text), form_named("pgn"), Layout()) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Adler"]\n[Black "Behn \\"Ole\\""]\n[Result "1-0"]\n'
        '[Annotator "C"]\n[WhiteElo "2400"]\n\n'
        "1. e4 {[%eval -0.30] [%clk 1:00:05.5] best} 1... e5 $5 ({Or} 1... c5 $14\n2. Nf3) 2. Nf3 1-0"
    )


def test_pgn_sets_up_a_position_and_may_have_other_letters() -> None:
    game = GAMES["promotion by capture, mate"]
    text = render(game, form_named("pgn", language="ru"), Layout())
    assert '[FEN "r3k3/RP6/5R2/8/7p/8/6P1/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. g4 hxg3 2. bxa8=Ф# 1/2-1/2' in text
    assert sans(one(text, Hints(language="ru"))) == "g4 hxg3 bxa8=Q#"


def test_tags_may_stand_before_the_moves_of_any_form() -> None:
    text = render(GAMES["promotion by capture, mate"], form_named("de"), Layout(has_tags=True))
    assert text.endswith('[SetUp "1"]\n\n1. g4 hxg3 2. bxa8D# 1/2-1/2')
    assert sans(one(text, Hints(language="de"))) == "g4 hxg3 bxa8=Q#"


@pytest.mark.parametrize(
    ("form", "moves"),
    [
        ("san", "1. O-O O-O-O"),
        ("uci", "1. f1g1 f8b8"),
        ("numeric", "1. 6171 6828"),
        ("smith", "1. f1g1c f8c8C"),
        ("ru", "1. 0-0 0-0-0"),
    ],
)
def test_castling_of_chess960_is_no_king_step(form: str, moves: str) -> None:
    fen = "1r3kr1/1p3pp1/8/8/8/8/1P3PP1/1R3KR1 w KQkq - 0 1"
    plies = (Ply("O-O", "f1g1"), Ply("O-O-O", "f8b8"))
    game = Game(0, 0, "clean", start_fen=fen, variant="chess960", lines=(Line(0, None, 1, 0, plies),))
    assert render(game, form_named(form), Layout()) == f"FEN: {fen}\n{moves}"
    assert '[Variant "chess960"]' in render(game, form_named("pgn"), Layout())


def test_a_pgn_reads_back_as_the_same_game() -> None:
    for game in read((SAMPLE / "annotated-berg.pgn").read_text("utf-8")):
        text = render(game, form_named("pgn"), Layout(width=0))
        back = one(text)
        assert render(back, form_named("pgn"), Layout(width=0)) == text
        assert [[p.san for p in line.plies] for line in back.lines] == [[p.san for p in line.plies] for line in game.lines]


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "name"),
    [("RU", "ru"), ("russian", "ru"), ("zh", "zh-Hans"), ("iccf", "numeric"), ("figurine-coloured", "figurine-colored"),
     ("figurine", "figurine"), ("en-old", "en-old"), ("coordinate", "uci")],
)  # fmt: skip
def test_forms_have_names_aliases_and_languages(given: str, name: str) -> None:
    assert form_named(given).name == name


@pytest.mark.parametrize(
    ("arguments", "near"),
    [(("germn",), ["de"]), (("ru", "colons"), ["colon"]), (("pgn", None, "rusian"), ["ru"]), (("numeric", "short"), [])],
)
def test_an_unknown_name_is_told_with_those_near_it(arguments: Sequence[str | None], near: list[str]) -> None:
    with pytest.raises(UnknownForm) as error:
        form_named(*arguments)  # type: ignore[arg-type]
    assert list(error.value.near[:1]) == near


def test_each_name_and_alias_means_one_form() -> None:
    names = [row["name"] for row in forms()]
    assert len(set(names)) == len(names)
    for name in names:
        assert form_named(name).name == name
