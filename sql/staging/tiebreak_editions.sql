-- purpose: Editions of FIDE's tie-break regulations: how unplayed rounds of Swiss tournaments count.
-- grain:   edition
-- note:    Before the first edition nothing is known to us and results count as they stand. The first one was decided by a
--          congress in October 2009, the second was in force under a former date that we could not verify.
-- columns:
--   edition         VARCHAR  Year of the edition.
--   from_date       DATE     Tournaments that began on this day or later follow it.
--   unplayed        VARCHAR  virtual, dummy or capped: see meaning.
--   cuts_vur_first  BOOLEAN  True when a cut takes voluntarily unplayed rounds first (C.07 16.5).
--   meaning         VARCHAR  How unplayed rounds count.
select
    edition,
    from_date::date as from_date,
    unplayed,
    cuts_vur_first = 'yes' as cuts_vur_first,
    meaning,
from stored.tiebreak_editions
