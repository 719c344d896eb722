-- purpose: A score as printed: 8½:12½, 8,5:12,5 or 8.5:12.5.
-- parameters:
--   points           DECIMAL           Points of the one.
--   opponent_points  DECIMAL           Points of the other.
--   style            VARCHAR = 'half'  half (8½:12½), comma (8,5:12,5) or point (8.5:12.5).
-- columns:
--   score_text  VARCHAR  The text; null when either is null.
select points_text(points, style) || ':' || points_text(opponent_points, style)
