-- purpose: The opening tree: the moves made in each position of the first 30 half-moves, by whatever way it was reached.
-- grain:   position_id, san
-- rule:    Counted are distinct clean games of standard chess from the initial position with a result that their copies agree
--          on (docs/rules.md §14). Positions are one when men, side to move, castling rights and en passant are.
-- columns:
--   position_id  BIGINT    Position before the move: its Polyglot key, signed; position_key(fen) computes it.
--   san          VARCHAR   The move (SAN).
--   n            BIGINT    Games in which it was made there.
--   n_white      BIGINT    Of those, games that White won.
--   n_draws      BIGINT    Of those, drawn games.
--   n_black      BIGINT    Of those, games that Black won.
--   n_rated      BIGINT    Of those, games of which both ratings are known.
--   elo_avg      DOUBLE    Mean rating of both players in those; null when there are none.
--   year_first   SMALLINT  Year of the first game; null when no year is known.
--   year_last    SMALLINT  Year of the last game; null when no year is known.
with part as (
    select
        position_id,
        san,
        year,
        n_white,
        n_draws,
        n_black,
        n_rated,
        elo_sum,
    from stored.opening_base
    union all
    select
        position_id,
        san,
        year,
        n_white,
        n_draws,
        n_black,
        n_rated,
        elo_sum,
    from stored.opening_added
),
in_year as (
    select
        position_id,
        san,
        year,
        sum(n_white)::bigint as n_white,
        sum(n_draws)::bigint as n_draws,
        sum(n_black)::bigint as n_black,
        sum(n_rated)::bigint as n_rated,
        sum(elo_sum)::bigint as elo_sum,
    from part
    group by position_id, san, year
    having sum(n_white + n_draws + n_black) > 0
)
select
    position_id,
    san,
    sum(n_white + n_draws + n_black)::bigint as n,
    sum(n_white)::bigint as n_white,
    sum(n_draws)::bigint as n_draws,
    sum(n_black)::bigint as n_black,
    sum(n_rated)::bigint as n_rated,
    round(sum(elo_sum) / nullif(2 * sum(n_rated), 0), 1) as elo_avg,
    min(year) as year_first,
    max(year) as year_last,
from in_year
group by position_id, san
