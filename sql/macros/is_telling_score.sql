-- purpose: True when two people hardly play the same score twice: decisive from 20 half-moves on, drawn from 40 on.
-- parameters:
--   plies   INTEGER  Half-moves of the score.
--   result  VARCHAR  Result; null = unknown.
-- columns:
--   is_telling_score  BOOLEAN  True when the same score, by the same players, is the same game on any day.
select plies >= 40 or (plies >= 20 and coalesce(result in ('1-0', '0-1'), false))
