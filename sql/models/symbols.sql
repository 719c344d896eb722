-- purpose: A symbol that an annotator put after a main-line move of a clean game: copies of a game count once.
-- grain:   cluster_id, annotator_key, line_id, nag
-- materialized: table
-- rule:    A sign of a position (`±`) speaks for the side that it names, a sign of a move (`!`, `?`) for or against the mover. A
--          sign that names no side (`→`) speaks for nobody, except `⊙`: who is in zugzwang is the side to move, so it speaks for
--          the other one (nags.favours_unnamed).
-- columns:
--   game_id          VARCHAR       Game that it stands in: the chosen copy, else the first that has it.
--   cluster_id       VARCHAR       Cluster of copies of that game.
--   ply              SMALLINT      Ply that it follows.
--   nag              SMALLINT      Numeric annotation glyph.
--   symbol           VARCHAR       Usual sign of the glyph.
--   kind             VARCHAR       What it speaks about: move, position, time, feature, …
--   mover_color      VARCHAR       Who made the move: w or b.
--   side             VARCHAR       Side that the sign names, w or b; null when it names none (`→`).
--   favoured         VARCHAR       Side that it speaks well of, w or b; null when neither or when nobody knows.
--   favoured_points  DECIMAL(2,1)  Points of that side in the end; null when there is none or the game is not scored.
--   player_id        VARCHAR       Person who made the move; null when nobody is known.
--   annotator_key    VARCHAR       Key of the annotator's name; null when unknown.
--   eco              VARCHAR       ECO code of the game: games.eco, else the code that the source states (games.eco_written).
--   year             SMALLINT      Year of the game; null when unknown.
--   line_id          VARCHAR       annotations.line_id
--   as_of_snapshot   BIGINT        Snapshot that the row was computed for.
with copy as (
    select
        game_id,
        cluster_id,
        not is_chosen as is_spare,
        duplicates.result,
        annotator_key,
        coalesce(eco, eco_written) as eco,
        year,
    from games
    join duplicates using (game_id)
    where status = 'clean' and kind = 'game'
),
mark as (
    select
        cluster_id,
        annotator_key,
        line_id,
        nag,
        side,
        ply,
        mover_color,
        game_id,
        result,
        eco,
        year,
    from annotations
    join copy using (game_id)
    where variation = 0
    qualify row_number() over (partition by cluster_id, annotator_key, line_id, nag order by is_spare, game_id) = 1
),
judged as (
    select
        mark.*,
        symbol,
        kind,
        case case when mark.side is null and nags.side is not null then favours_unnamed else favours end
            when 'w' then 'w'
            when 'b' then 'b'
            when 'mover' then mover_color
            when 'opponent' then case mover_color when 'w' then 'b' else 'w' end
        end as favoured,
    from mark
    join nags using (nag)
),
mover as (
    select game_id, color as mover_color, player_id from game_players
)
select
    game_id,
    cluster_id,
    ply,
    nag,
    symbol,
    kind,
    mover_color,
    side,
    favoured,
    case
        when favoured is null or result = '*' then null
        when result = '1/2-1/2' then 0.5
        when result = '1-0' and favoured = 'w' or result = '0-1' and favoured = 'b' then 1
        else 0
    end::decimal(2, 1) as favoured_points,
    player_id,
    annotator_key,
    eco,
    year,
    line_id,
    (select snapshot from about) as as_of_snapshot,
from judged
left join mover using (game_id, mover_color)
order by cluster_id, ply, nag, annotator_key, line_id
