-- purpose: Id of the person that a name key stands for; null when the key is null.
-- parameters:
--   key  VARCHAR  Name key, as in games.white_key.
-- columns:
--   player_key_id  VARCHAR  32 hex digits: the MD5 of `player:` and the key.
select md5('player:' || key)
