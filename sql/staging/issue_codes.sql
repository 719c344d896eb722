-- purpose: A code of issues and of quarantine reasons.
-- grain:   code
-- columns:
--   code        VARCHAR  Code of the issue.
--   severity    VARCHAR  quirk (understood) or fault (something could not be read).
--   meaning     VARCHAR  What is wrong, in words.
--   what_to_do  VARCHAR  What a user can do about it.
--   source      VARCHAR  Where the code comes from.
select
    code,
    severity,
    meaning,
    what_to_do,
    source,
from stored.issue_codes
