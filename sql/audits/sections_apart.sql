-- purpose: No event holds games of two sections that their names tell apart by speed.
-- columns:
--   event_id       VARCHAR  Event.
--   first_section  VARCHAR  First of the sections by sort.
--   last_section   VARCHAR  Last of the sections by sort.
select
    event_id,
    min(section) as first_section,
    max(section) as last_section,
from game_events
join game_stretches using (game_id)
join event_stretches using (stretch_id)
group by event_id
having min(section) <> max(section)
