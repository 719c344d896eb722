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
            regexp_replace(
                list_reduce(
                    [string_split(trim(fen), ' ')[1], '8', '7', '6', '5', '4', '3', '2'],
                    lambda board, digit: replace(board, digit, repeat('1', digit::int))
                ),
                '/', '', 'g'
            ) as board,
    ),
    turn as (
        select
            *,
            case part[2] when 'w' then 'P' else 'p' end as pawn,
            case part[2] when 'w' then 24 else 32 end as before_rank,
            strpos('abcdefgh', left(coalesce(part[4], '-'), 1)) as passed,
        from field
    ),
    place as (
        select unnest(list_transform(
            list_filter(range(1, 65), lambda i: substr(board, i, 1) <> '1'),
            lambda i: 64 * (strpos('pPnNbBrRqQkK', substr(board, i, 1)) - 1) + 8 * (7 - (i - 1) // 8) + (i - 1) % 8
        )) as place
        from turn
        union all
        select unnest(list_transform(
            list_filter(['K', 'Q', 'k', 'q'], lambda wing: contains(coalesce(part[3], '-'), wing)),
            lambda wing: 767 + strpos('KQkq', wing)
        )) as place
        from turn
        union all
        select 771 + passed as place
        from turn
        where
            (passed > 1 and substr(board, before_rank + passed - 1, 1) = pawn)
            or (passed between 1 and 7 and substr(board, before_rank + passed + 1, 1) = pawn)
        union all
        select 780 as place from turn where part[2] = 'w'
    )
    select bit_xor(number) from place join stored.position_numbers using (place)
)
