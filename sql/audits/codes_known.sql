-- purpose: Codes, statuses and results are words of the contract.
-- columns:
--   column_name  VARCHAR  Table and column.
--   value        VARCHAR  Value that nobody defined.
--   n            BIGINT   Rows that have it.
with word as (
    select 'issues.code' as column_name, code as value from issues anti join issue_codes using (code)
    union all
    select 'quarantine.reason_code' as column_name, reason_code as value
    from quarantine
    anti join issue_codes on code = reason_code
    union all
    select 'games.status' as column_name, status as value from games where status not in ('clean', 'truncated', 'rejected')
    union all
    select 'games.kind' as column_name, kind as value from games where kind not in ('game', 'problem', 'study', 'fragment')
    union all
    select 'games.result' as column_name, result as value
    from games
    where result not in ('1-0', '0-1', '1/2-1/2', '0-0', '*')
    union all
    select 'annotations.nag' as column_name, nag::varchar as value from annotations where nag not between 1 and 255
)
select
    column_name,
    value,
    count(*) as n,
from word
group by column_name, value
