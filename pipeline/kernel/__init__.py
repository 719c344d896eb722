"""The move kernel: reads canonical games in bulk, straight into columns; compiled by numba where that works.

`reader` reads chunks of bytes, `notes` what stands beside moves, `moves` knows the rules, `bits` is what compiled code does
in one instruction, `layout` says where things are kept, `tables` makes lookup tables, `columns` makes room for the output,
`modes` loads it compiled or plain. The way in is `pipeline.bulk`.
"""
