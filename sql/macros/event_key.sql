-- purpose: Id of an event from its name, its site and the year; null when the name is null.
-- parameters:
--   event  VARCHAR   Name of the event as written.
--   site   VARCHAR   Site as written; null = unknown.
--   year   SMALLINT  Year; null = unknown.
-- columns:
--   event_key  VARCHAR  32 hex digits: the MD5 of the three, lower case and trimmed.
select md5(lower(trim(event)) || chr(10) || coalesce(lower(trim(site)), '') || chr(10) || coalesce(year::varchar, ''))
