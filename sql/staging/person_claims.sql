-- purpose: A claim that two names, or a name and some games, are one person or two; the rejected ones too.
-- grain:   claim_id
-- columns:
--   claim_id     VARCHAR
--   key          VARCHAR
--   other_key    VARCHAR
--   claims       VARCHAR
--   evidence     VARCHAR
--   confidence   DOUBLE
--   is_accepted  BOOLEAN
--   reason       VARCHAR
--   detail       VARCHAR
--   person_key   VARCHAR
select
    claim_id,
    key,
    other_key,
    claims,
    evidence,
    confidence,
    is_accepted,
    reason,
    detail,
    person_key,
from stored.person_claims
order by claim_id
