-- purpose: The site of a game as stored.event_wordings knows it: empty when unknown or an address on the web.
-- parameters:
--   site  VARCHAR  Site as written; null = unknown.
-- columns:
--   event_place  VARCHAR  Site as written, or the empty text.
select case when site is null or contains(site, '://') then '' else site end
