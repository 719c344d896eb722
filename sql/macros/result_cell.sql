-- purpose: A game's result as printed in a crosstable, from one side.
-- parameters:
--   points            DECIMAL  Points of the side; null when the game is not scored.
--   is_forfeit        BOOLEAN  True when it was decided by forfeit.
--   excluded_because  VARCHAR  Why it is not scored; null when it is.
-- columns:
--   result_cell  VARCHAR  1, ½, 0; + and - for forfeits; * for unfinished games; ? for others that are not scored.
select
    case
        when excluded_because = 'unfinished' then '*'
        when points is null then '?'
        when is_forfeit and points = 1 then '+'
        when is_forfeit and points = 0 then '-'
        else points_text(points)
    end
