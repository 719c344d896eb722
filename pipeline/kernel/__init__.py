"""The move kernel: reads canonical games in bulk, straight into columns; compiled by numba where that works.

Kernel functions, plain or compiled: `reader` reads games, `tokens` movetext, `notes` what stands beside moves, `moves` knows
the rules, `bits` is what compiled code does in one instruction. Around them: `layout` says where things are kept, `tables`
makes lookup tables, `columns` makes room for the output, `modes` loads the functions compiled or plain, `rows` puts plies in
the order of the stored table, `arrow` makes columns of them. The way in is `pipeline.bulk`.
"""
