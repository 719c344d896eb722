-- purpose: Id of an event from the words of its name and place and its first year; null when the name is null.
-- parameters:
--   event  VARCHAR   Words that tell which event it is, as in event_stretches.event.
--   site   VARCHAR   Words of the place, as in event_stretches.site; null = unknown.
--   year   SMALLINT  First year; null = unknown.
-- columns:
--   event_key  VARCHAR  32 hex digits: the MD5 of the three, each on a line.
select md5(lower(trim(event)) || chr(10) || coalesce(lower(trim(site)), '') || chr(10) || coalesce(year::varchar, ''))
