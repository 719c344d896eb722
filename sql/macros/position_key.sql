-- purpose: The key of a position, as Polyglot computes it: the position_id of the opening tree.
-- source:  Polyglot book format: 781 random numbers; en passant counts where a pawn of the side to move stands beside the pawn.
-- parameters:
--   fen  VARCHAR  The position in FEN; counters may be missing.
-- columns:
--   position_key  UBIGINT  The key; null when fen is null.
select (
    with field as (
        select
            string_split(trim(fen), ' ') as part,
            replace(string_split(trim(fen), ' ')[1], '/', '') as men,
    ),
    turn as (
        select
            part,
            replace(replace(replace(replace(replace(replace(replace(
                men, '8', '11111111'), '7', '1111111'), '6', '111111'), '5', '11111'), '4', '1111'), '3', '111'), '2', '11'
            ) as board,
            case part[2] when 'w' then 'P' else 'p' end as pawn,
            case part[2] when 'w' then 24 else 32 end as before_rank,
            strpos('abcdefgh', left(coalesce(part[4], '-'), 1)) as passed,
        from field
    ),
    square as (
        select
            unnest(range(1, 65)) as i,
            board,
        from turn
    ),
    place as (
        select 64 * (strpos('pPnNbBrRqQkK', substr(board, i, 1)) - 1) + 8 * (7 - (i - 1) // 8) + (i - 1) % 8 as place
        from square
        where substr(board, i, 1) <> '1'
        union all
        select 767 + strpos('KQkq', wing) as place
        from turn
        cross join (values ('K'), ('Q'), ('k'), ('q')) as castling (wing)
        where contains(coalesce(part[3], '-'), wing)
        union all
        select 771 + passed as place
        from turn
        where
            (passed > 1 and substr(board, before_rank + passed - 1, 1) = pawn)
            or (passed between 1 and 7 and substr(board, before_rank + passed + 1, 1) = pawn)
        union all
        select 780 as place
        from turn
        where part[2] = 'w'
    )
    select bit_xor(number) from place join stored.position_numbers using (place)
)
