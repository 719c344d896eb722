-- purpose: Points as printed: 8½, 8,5 or 8.5; whole points have no fraction.
-- parameters:
--   points  DECIMAL           Points, a multiple of ½, not negative.
--   style   VARCHAR = 'half'  half (8½), comma (8,5) or point (8.5).
-- columns:
--   points_text  VARCHAR  The text; null when points are null.
select
    case
        when points is null then null
        when style not in ('half', 'comma', 'point') then error('style: half, comma or point')
        when points::decimal(18, 1) = floor(points::decimal(18, 1)) then floor(points::decimal(18, 1))::bigint::varchar
        when style = 'comma' then replace(points::decimal(18, 1)::varchar, '.', ',')
        when style = 'point' then points::decimal(18, 1)::varchar
        when points::decimal(18, 1) < 1 then '½'
        else floor(points::decimal(18, 1))::bigint::varchar || '½'
    end
