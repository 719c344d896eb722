-- purpose: No person played over the board at two places on one day.
-- rule:    As identity tells it: sites without a common word or beginning; three games of one event and day mean that the day
--          is not the games' own, the first of January that it is unknown.
-- columns:
--   player_id  VARCHAR  Person.
--   date       DATE     Day of both games.
--   site       VARCHAR  One place.
--   other      VARCHAR  The other.
with place as (
    select
        player_id,
        date,
        lower(trim(site)) as site,
        lower(trim(event)) as event,
    from game_players
    join games_distinct using (game_id)
    where
        date is not null
        and strftime(date, '%m-%d') <> '01-01'
        and n_plies > 0
        and coalesce(mode, 'otb') = 'otb'
        and coalesce(speed, 'classical') = 'classical'
        and evidence not in ('undecided', 'namesake')
        and regexp_full_match(site, '[A-Za-z ]{4,}')
    group by player_id, date, lower(trim(site)), lower(trim(event))
    having count(*) <= 2
),
busy as (
    select player_id, date
    from place
    group by player_id, date
    having count(*) = 2 and count(distinct site) = 2
)
select
    one.player_id,
    one.date,
    one.site,
    two.site as other,
from place as one
join place as two on one.player_id = two.player_id and one.date = two.date and one.site < two.site
semi join busy on one.player_id = busy.player_id and one.date = busy.date
where
    jaro_winkler_similarity(one.site, two.site) < 0.5
    and not list_bool_or(
        list_transform(
            string_split(one.site, ' '),
            lambda word: list_bool_or(
                list_transform(
                    string_split(two.site, ' '),
                    lambda other_word: starts_with(word, other_word) or starts_with(other_word, word)
                )
            )
        )
    )
order by player_id, date
