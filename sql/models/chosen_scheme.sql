-- purpose: What results count under one scheme of scoring_schemes, for the reports that take `scoring`.
-- grain:   scheme
-- step_of: standings
-- rule:    A name that is no scheme is an error that says so.
-- parameters:
--   scoring  VARCHAR  A scheme of scoring_schemes.
-- columns:
--   scheme           VARCHAR       scoring_schemes.scheme
--   win              DECIMAL(3,1)  scoring_schemes.win
--   draw             DECIMAL(3,1)  scoring_schemes.draw
--   loss             DECIMAL(3,1)  scoring_schemes.loss
--   armageddon_win   DECIMAL(3,1)  scoring_schemes.armageddon_win
--   armageddon_loss  DECIMAL(3,1)  scoring_schemes.armageddon_loss
select
    scheme,
    win,
    draw,
    loss,
    armageddon_win,
    armageddon_loss,
from scoring_schemes
where scheme = scoring
union all
select
    null as scheme,
    error('scoring: a scheme of scoring_schemes')::decimal(3, 1) as win,
    null as draw,
    null as loss,
    null as armageddon_win,
    null as armageddon_loss,
where scoring not in (select scheme from scoring_schemes)
