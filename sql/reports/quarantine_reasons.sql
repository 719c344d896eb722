-- purpose: Why byte ranges did not become clean games.
-- grain:   reason_code
-- important: reason_code, n, n_open, meaning, what_to_do
-- empty:   Nothing is in quarantine: every game that was found is proven to its end.
-- columns:
--   reason_code  VARCHAR  quarantine.reason_code
--   n            BIGINT   Ranges in quarantine.
--   n_open       BIGINT   Of these, ranges that nobody has decided about.
--   n_sources    BIGINT   Sources that they are in.
--   n_bytes      BIGINT   Their bytes.
--   meaning      VARCHAR  issue_codes.meaning
--   what_to_do   VARCHAR  issue_codes.what_to_do
--   example_id   VARCHAR  quarantine_id of one of them.
--   example      VARCHAR  What is wrong there.
with span as (
    select
        quarantine_id,
        source_id,
        reason_code,
        byte_end - byte_start as n_bytes,
        state,
        detail,
    from quarantine
),
reason as (
    select
        reason_code,
        count(*) as n,
        count(*) filter (state = 'open') as n_open,
        count(distinct source_id) as n_sources,
        sum(n_bytes)::bigint as n_bytes,
        min((quarantine_id, detail)) as example,
    from span
    group by reason_code
)
select
    reason_code,
    n,
    n_open,
    n_sources,
    n_bytes,
    meaning,
    what_to_do,
    example[1] as example_id,
    example[2] as example,
from reason
left join issue_codes on code = reason_code
order by n desc, reason_code
