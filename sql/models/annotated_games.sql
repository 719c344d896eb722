-- purpose: A distinct game that carries at least one symbol: what rates of symbols are counted over, and its phases.
-- grain:   cluster_id
-- step_of: annotation_symbols
-- materialized: table
-- rule:    The endgame begins with the first position that has at most six men beside kings and pawns, and does not end (as
--          Lichess divides games: scalachess, Divider). The opening is moves 1 to 11 unless the endgame began (Guid and Bratko,
--          Computer Analysis of World Chess Champions, ICGA Journal 29, 2006, begin with the 12th); a game from a position that
--          was set up has none. A half-move belongs to the phase of the position before it.
-- columns:
--   game_id             VARCHAR   The chosen copy.
--   cluster_id          VARCHAR   Cluster of copies.
--   year                SMALLINT  Year; null when unknown.
--   eco                 VARCHAR   ECO code: games.eco, else games.eco_written; null when neither is known.
--   white_id            VARCHAR   Person who played White; null when nobody is known.
--   black_id            VARCHAR   Person who played Black; null when nobody is known.
--   white_elo           SMALLINT  games.white_elo
--   black_elo           SMALLINT  games.black_elo
--   n_plies             INTEGER   Half-moves of the main line.
--   n_plies_white       INTEGER   Half-moves of White.
--   n_plies_black       INTEGER   Half-moves of Black.
--   n_plies_opening     INTEGER   Half-moves in the opening.
--   n_plies_middlegame  INTEGER   Half-moves in neither.
--   n_plies_endgame     INTEGER   Half-moves in the endgame.
--   as_of_snapshot      BIGINT    Snapshot that the row was computed for.
with game as (
    select
        game_id,
        cluster_id,
        year,
        coalesce(eco, eco_written) as eco,
        white_elo,
        black_elo,
        n_plies,
        is_white_first,
        movetext,
        start_fen is null or variant = 'chess960' as has_opening,
        replace(
            regexp_replace(
                split_part(coalesce(start_fen, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'), ' ', 1), '~', '', 'g'
            ),
            '/',
            ''
        ) as placement,
    from games_distinct
    semi join symbols using (cluster_id)
),
counted as (
    select
        cluster_id,
        is_white_first,
        movetext,
        placement,
        len(placement) - len(translate(placement, 'QRBNqrbn', '')) as n_officers,
        len(movetext) - len(replace(movetext, 'x', '')) as n_captures,
    from game
),
listed as (
    select
        cluster_id,
        row_number() over () as number,
        n_officers,
        is_white_first,
        string_split(movetext, ' ') as moves,
        replace(
            replace(
                replace(
                    replace(
                        replace(
                            replace(replace(replace(placement, '8', '........'), '7', '.......'), '6', '......'), '5', '.....'
                        ),
                        '4',
                        '....'
                    ),
                    '3',
                    '...'
                ),
                '2',
                '..'
            ),
            '1',
            '.'
        ) as squares,
    from counted
    where n_officers - n_captures <= 6 and n_officers > 6
),
move as (
    select
        number,
        is_white_first,
        unnest(range(1, len(moves) + 1))::smallint as ply,
        rtrim(unnest(moves), '+#') as san,
        rtrim(unnest(list_prepend('', moves[:-2])), '+#') as san_before,
    from listed
),
landed as (
    select
        number,
        ply,
        contains(san, 'x') as is_capture,
        contains(san, '=') as is_promotion,
        case
            when starts_with(san, 'O') then 'R'
            when contains(san, '=') then right(san, 1)
            when san[1] between 'B' and 'R' then san[1]
            else 'P'
        end as man,
        case
            when starts_with(san, 'O')
                then
                    case san when 'O-O' then 'f' else 'd' end
                    || case when (ply % 2 = 1) = is_white_first then '1' else '8' end
            else right(split_part(san, '=', 1), 2)
        end as square,
        san_before,
    from move
),
arrival as (
    select
        number,
        ply,
        case
            when is_capture and man = 'P' and len(san_before) = 2
                then san_before <> square[1] || translate(square[2], '6312478', '54')
            else is_capture
        end as takes_on_square,
        is_promotion,
        man,
        square,
    from landed
),
taken as (
    select
        number,
        ply,
        takes_on_square,
        is_promotion,
        square,
        lag(man) over (partition by number, square order by ply) as victim,
    from arrival
    qualify takes_on_square or is_promotion
),
step as (
    select
        number,
        ply,
        is_promotion::int
        - case
            when not takes_on_square then 0
            when victim is not null then (victim <> 'P')::int
            else (upper(squares[(56 - ascii(square[2])) * 8 + ascii(square[1]) - 96]) <> 'P')::int
        end as change,
    from taken
    join listed using (number)
),
remaining as (
    select
        number,
        ply,
        sum(change) over (partition by number order by ply) as change,
    from step
    where change <> 0
),
endgame as (
    select cluster_id, min(ply)::int as n_plies_before
    from remaining
    join listed using (number)
    where n_officers + change <= 6
    group by cluster_id
    union all
    select cluster_id, 0 as n_plies_before
    from counted
    where n_officers <= 6
),
divided as (
    select
        game.*,
        least(coalesce(n_plies_before, n_plies), n_plies) as n_plies_before,
        n_plies // 2 + case when is_white_first then n_plies % 2 else 0 end as n_plies_white,
    from game
    left join endgame using (cluster_id)
),
white as (
    select game_id, player_id as white_id from game_players where color = 'w'
),
black as (
    select game_id, player_id as black_id from game_players where color = 'b'
)
select
    game_id,
    cluster_id,
    year,
    eco,
    white_id,
    black_id,
    white_elo,
    black_elo,
    n_plies,
    n_plies_white,
    n_plies - n_plies_white as n_plies_black,
    case when has_opening then least(22, n_plies_before) else 0 end as n_plies_opening,
    n_plies_before - case when has_opening then least(22, n_plies_before) else 0 end as n_plies_middlegame,
    n_plies - n_plies_before as n_plies_endgame,
    (select snapshot from about) as as_of_snapshot,
from divided
left join white using (game_id)
left join black using (game_id)
order by cluster_id
