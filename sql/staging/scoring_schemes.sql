-- purpose: Points that a result counts: the values of the parameter `scoring` of `standings` and `series`.
-- grain:   scheme
-- columns:
--   scheme           VARCHAR       Name: classical, draws_replayed, football, norway, …
--   win              DECIMAL(3,1)  Points for a win; null when it does not count.
--   draw             DECIMAL(3,1)  Points for a draw; null when it does not count.
--   loss             DECIMAL(3,1)  Points for a loss; null when it does not count.
--   armageddon_win   DECIMAL(3,1)  Points for who comes out ahead of an armageddon game; null when that is no part of the score.
--   armageddon_loss  DECIMAL(3,1)  Points for the other; null when that is no part of the score.
--   meaning          VARCHAR       What it is.
select
    scheme,
    nullif(win, '')::decimal(3, 1) as win,
    nullif(draw, '')::decimal(3, 1) as draw,
    nullif(loss, '')::decimal(3, 1) as loss,
    nullif(armageddon_win, '')::decimal(3, 1) as armageddon_win,
    nullif(armageddon_loss, '')::decimal(3, 1) as armageddon_loss,
    meaning,
from stored.scoring_schemes
