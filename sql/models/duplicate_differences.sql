-- purpose: A column in which a copy differs from the chosen copy of its game, with both values: for people who merge copies.
-- grain:   game_id, field
-- columns:
--   cluster_id    VARCHAR  Cluster of copies.
--   game_id       VARCHAR  Copy that is not the chosen one.
--   chosen_id     VARCHAR  The chosen copy.
--   field         VARCHAR  Column of games.
--   value         VARCHAR  What the copy says; null = nothing.
--   chosen_value  VARCHAR  What the chosen copy says; null = nothing.
with difference as (
    select
        copy.cluster_id,
        copy.game_id,
        chosen.game_id as chosen_id,
        unnest(copy.differs) as field,
    from duplicates as copy
    join duplicates as chosen on copy.cluster_id = chosen.cluster_id and chosen.is_chosen
    where len(copy.differs) > 0
)
select
    cluster_id,
    difference.game_id,
    chosen_id,
    field,
    case field
        when 'white' then game.white
        when 'black' then game.black
        when 'event' then game.event
        when 'site' then game.site
        when 'round' then game.round
        when 'date_written' then game.date_written
        when 'result' then game.result
        when 'white_elo' then game.white_elo::varchar
        when 'black_elo' then game.black_elo::varchar
        when 'white_title' then game.white_title
        when 'black_title' then game.black_title
        when 'white_fide_id' then game.white_fide_id
        when 'black_fide_id' then game.black_fide_id
        when 'eco_written' then game.eco_written
        when 'termination' then game.termination
        when 'time_control_written' then game.time_control_written
        when 'annotator' then game.annotator
        when 'movetext' then game.movetext
    end as value,
    case field
        when 'white' then chosen.white
        when 'black' then chosen.black
        when 'event' then chosen.event
        when 'site' then chosen.site
        when 'round' then chosen.round
        when 'date_written' then chosen.date_written
        when 'result' then chosen.result
        when 'white_elo' then chosen.white_elo::varchar
        when 'black_elo' then chosen.black_elo::varchar
        when 'white_title' then chosen.white_title
        when 'black_title' then chosen.black_title
        when 'white_fide_id' then chosen.white_fide_id
        when 'black_fide_id' then chosen.black_fide_id
        when 'eco_written' then chosen.eco_written
        when 'termination' then chosen.termination
        when 'time_control_written' then chosen.time_control_written
        when 'annotator' then chosen.annotator
        when 'movetext' then chosen.movetext
    end as chosen_value,
from difference
join games as game on difference.game_id = game.game_id
join games as chosen on chosen.game_id = chosen_id
