-- purpose: How a language or a set of figurines writes the men.
-- grain:   name
-- columns:
--   name      VARCHAR  Name of the alphabet, as in games.alphabet.
--   bcp47     VARCHAR  Language tag, as in games.language.
--   language  VARCHAR  Language in words.
--   script    VARCHAR  Script of the letters.
--   king      VARCHAR  Letter of the king.
--   queen     VARCHAR  Letter of the queen.
--   rook      VARCHAR  Letter of the rook.
--   bishop    VARCHAR  Letter of the bishop.
--   knight    VARCHAR  Letter of the knight.
--   pawn      VARCHAR  Letters of the pawn, `;` between them; null when it has none.
--   variants  VARCHAR  Further forms, `N=Kt` and so on; null when there are none.
--   infer     VARCHAR  May it be tried without a hint: yes, hint only or never.
--   priority  INTEGER  Which of several alphabets that read the same moves is named: the lowest.
--   source    VARCHAR  Where the letters are attested (tables/sources.csv).
select
    name,
    bcp47,
    language,
    script,
    king,
    queen,
    rook,
    bishop,
    knight,
    nullif(pawn, '') as pawn,
    nullif(variants, '') as variants,
    infer,
    try_cast(priority as integer) as priority,
    source,
from stored.alphabets
