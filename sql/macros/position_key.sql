-- purpose: The key of a position, as Polyglot computes it: the position_id of the opening tree.
-- source:  Polyglot book format: 781 random numbers; en passant counts where a pawn of the side to move stands beside the pawn.
-- parameters:
--   fen  VARCHAR  The position in FEN; counters may be missing.
-- columns:
--   position_key  BIGINT  The key, as a signed number; null when fen is null.
select (
    with field as (
        select
            string_split(trim(fen), ' ')[2] as side,
            coalesce(string_split(trim(fen), ' ')[3], '-') as wings,
            strpos('abcdefgh', left(coalesce(string_split(trim(fen), ' ')[4], '-'), 1)) as passed,
            replace(replace(replace(replace(string_split(trim(fen), ' ')[1], '/', ''), '8', '71'), '7', '61'), '6', '51') as men,
    ),
    turn as (
        select
            replace(replace(replace(replace(men, '5', '41'), '4', '31'), '3', '21'), '2', '11') as board,
            wings,
            side,
            passed,
            case side when 'w' then 'P' else 'p' end as pawn,
            case side when 'w' then 24 else 32 end + passed as beside,
        from field
    )
    select bit_xor(number)
    from turn
    join stored.position_numbers
        on
            (
                place < 768
                and substr(board, (8 * (7 - place % 64 // 8) + place % 8 + 1)::bigint, 1)
                = substr('pPnNbBrRqQkK', place // 64 + 1, 1)
            )
            or (place between 768 and 771 and contains(wings, substr('KQkq', place - 767, 1)))
            or (
                place between 772 and 779
                and place - 771 = passed
                and (
                    (passed > 1 and substr(board, beside - 1, 1) = pawn)
                    or (passed < 8 and substr(board, beside + 1, 1) = pawn)
                )
            )
            or (place = 780 and side = 'w')
)
