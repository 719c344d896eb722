-- purpose: Words that put a game beside the cycle of its event: playoffs and armageddon games.
-- grain:   text
-- columns:
--   text   VARCHAR  Word, in lower case.
--   stage  VARCHAR  playoff or armageddon.
select
    text,
    stage,
from stored.stage_words
