-- purpose: How far two annotators agree who both annotated the same games: Cohen's kappa.
-- grain:   annotator_key, other_key, about
-- rule:    Games that carry symbols of both in copies of one game. `move`: every half-move of their main lines; the classes are
--          !! ! !? ?! ? ?? and none. `position`: the half-moves after which both judge the position (= ↹ ∞ ⩲ ⩱ ± ∓ +− −+ and so
--          on, $10 to $21); the classes are the signs. Of several signs of one annotator at one place the lowest number counts.
-- source:  J. Cohen, A Coefficient of Agreement for Nominal Scales, Educational and Psychological Measurement 20 (1960); the
--          interval is from his standard error.
-- columns:
--   annotator      VARCHAR  annotators.annotator
--   other          VARCHAR  annotators.annotator
--   about          VARCHAR  move or position.
--   n_plies        BIGINT   Half-moves that are compared.
--   n_games        BIGINT   Distinct games that they are from.
--   n_signs        BIGINT   Half-moves with a sign of the annotator.
--   n_other_signs  BIGINT   Half-moves with a sign of the other.
--   n_both_signs   BIGINT   Half-moves with signs of both, the same or not.
--   n_same_signs   BIGINT   Half-moves with the same sign of both.
--   observed       DOUBLE   Share of half-moves in one class, no sign being a class of `move`.
--   expected       DOUBLE   Share expected if each had set the same number of signs at random.
--   kappa          DOUBLE   1 = always agree, 0 = as at random; null when only one class occurs.
--   kappa_low      DOUBLE   Lower end of its 95 % interval.
--   kappa_high     DOUBLE   Upper end of it.
--   annotator_key  VARCHAR  Annotator: the first of the two by key.
--   other_key      VARCHAR  The other.
with several as (
    select cluster_id
    from symbols
    group by cluster_id
    having min(annotator_key) <> max(annotator_key)
),
mark as (
    select
        cluster_id,
        annotator_key,
        ply,
        min(nag) filter (nag between 1 and 6) as move_nag,
        min((nag, symbol)) filter (nag between 10 and 21) as position_nag,
    from symbols
    semi join several using (cluster_id)
    where annotator_key is not null
    group by cluster_id, annotator_key, ply
),
annotated as (
    select distinct cluster_id, annotator_key from mark
),
pair as (
    select
        cluster_id,
        one.annotator_key,
        another.annotator_key as other_key,
    from annotated as one
    join annotated as another using (cluster_id)
    where one.annotator_key < another.annotator_key
),
one_mark as (
    select
        cluster_id,
        annotator_key,
        other_key,
        ply,
        move_nag,
        position_nag,
    from pair
    join mark using (cluster_id, annotator_key)
),
other_mark as (
    select
        pair.cluster_id,
        pair.annotator_key,
        other_key,
        ply,
        move_nag as other_move_nag,
        position_nag as other_position_nag,
    from pair
    join mark on pair.cluster_id = mark.cluster_id and pair.other_key = mark.annotator_key
),
compared as (
    select *
    from one_mark
    full join other_mark using (cluster_id, annotator_key, other_key, ply)
),
move_class as (
    select
        annotator_key,
        other_key,
        coalesce(move_nag, 0)::varchar as sign,
        coalesce(other_move_nag, 0)::varchar as other_sign,
        count(*) as n,
    from compared
    where move_nag is not null or other_move_nag is not null
    group by annotator_key, other_key, sign, other_sign
),
shared as (
    select
        annotator_key,
        other_key,
        count(*) as n_games,
        sum(n_plies)::bigint as n_plies,
    from pair
    join annotated_games using (cluster_id)
    group by annotator_key, other_key
),
marked as (
    select
        annotator_key,
        other_key,
        sum(n)::bigint as n_marked,
    from move_class
    group by annotator_key, other_key
),
judged as (
    select
        annotator_key,
        other_key,
        count(distinct cluster_id) as n_games,
    from compared
    where position_nag is not null and other_position_nag is not null
    group by annotator_key, other_key
),
agreed as (
    select
        annotator_key,
        other_key,
        'move' as about,
        sign,
        other_sign,
        n,
    from move_class
    union all
    select
        annotator_key,
        other_key,
        'move' as about,
        '0' as sign,
        '0' as other_sign,
        n_plies - coalesce(n_marked, 0) as n,
    from shared
    left join marked using (annotator_key, other_key)
    union all
    select
        annotator_key,
        other_key,
        'position' as about,
        position_nag[2] as sign,
        other_position_nag[2] as other_sign,
        count(*) as n,
    from compared
    where position_nag is not null and other_position_nag is not null
    group by annotator_key, other_key, sign, other_sign
),
total as (
    select
        annotator_key,
        other_key,
        about,
        sum(n)::bigint as n_plies,
        coalesce(sum(n) filter (sign <> '0'), 0)::bigint as n_signs,
        coalesce(sum(n) filter (other_sign <> '0'), 0)::bigint as n_other_signs,
        coalesce(sum(n) filter (sign <> '0' and other_sign <> '0'), 0)::bigint as n_both_signs,
        coalesce(sum(n) filter (sign = other_sign and sign <> '0'), 0)::bigint as n_same_signs,
        coalesce(sum(n) filter (sign = other_sign), 0) / sum(n)::double as observed,
    from agreed
    group by annotator_key, other_key, about
),
one_class as (
    select
        annotator_key,
        other_key,
        about,
        sign,
        sum(n)::double as n,
    from agreed
    group by annotator_key, other_key, about, sign
),
other_class as (
    select
        annotator_key,
        other_key,
        about,
        other_sign as sign,
        sum(n)::double as n_other,
    from agreed
    group by annotator_key, other_key, about, other_sign
),
chance as (
    select
        annotator_key,
        other_key,
        about,
        sum(n * n_other) as n_pairs,
    from one_class
    join other_class using (annotator_key, other_key, about, sign)
    group by annotator_key, other_key, about
),
measured as (
    select
        total.*,
        coalesce(n_pairs, 0) / (total.n_plies * total.n_plies::double) as expected,
        case when about = 'move' then shared.n_games else judged.n_games end as n_games,
    from total
    join shared using (annotator_key, other_key)
    left join judged using (annotator_key, other_key)
    left join chance using (annotator_key, other_key, about)
),
coefficient as (
    select
        *,
        (observed - expected) / nullif(1 - expected, 0) as kappa,
        1.959963984540054 * sqrt(observed * (1 - observed) / n_plies) / nullif(1 - expected, 0) as margin,
    from measured
)
select
    one.annotator,
    another.annotator as other,
    about,
    coefficient.n_plies,
    coefficient.n_games,
    n_signs,
    n_other_signs,
    n_both_signs,
    n_same_signs,
    round(observed, 4) as observed,
    round(expected, 4) as expected,
    round(kappa, 4) as kappa,
    round(greatest(-1, kappa - margin), 4) as kappa_low,
    round(least(1, kappa + margin), 4) as kappa_high,
    coefficient.annotator_key,
    other_key,
from coefficient
join annotators as one using (annotator_key)
join annotators as another on other_key = another.annotator_key
order by coefficient.n_games desc, coefficient.n_plies desc, coefficient.annotator_key, other_key, about
