-- purpose: Wins, losses and draws as printed: +3−7=11 (with U+2212, the minus sign).
-- parameters:
--   wins    BIGINT  Games won.
--   losses  BIGINT  Games lost.
--   draws   BIGINT  Games drawn.
-- columns:
--   series_text  VARCHAR  The text; null when one of the numbers is null.
select '+' || wins || '−' || losses || '=' || draws
