"""The page of what could not be read: reasons, and the places with what stands there."""

from __future__ import annotations

from pipeline.site.corpus import Corpus, Progress
from pipeline.site.grid import Link
from pipeline.site.originals import decoded
from pipeline.site.pages import Pages
from pipeline.site.start import report_grid
from pipeline.site.texts import language_of, name

_MOST_BYTES = 3_000
"""Of the raw bytes of one place."""
_PLACES = """
    with fault as (
        select game_id, code, arg_min(struct_pack(line, "column", written), byte_offset) as at
        from issues where severity = 'fault' group by game_id, code
    )
    select
        q.quarantine_id, q.game_id, q.byte_start, q.byte_end, q.reason_code, q.detail, q.state, q.raw[:$most] as raw,
        octet_length(q.raw) as n_kept, coalesce(s.path, q.source_id) as path, coalesce(g.encoding, s.encoding) as encoding,
        g.language, g.white, g.black, g.n_plies, fault.at.line as line, fault.at."column" as "column", fault.at.written as written
    from quarantine as q
    left join sources as s using (source_id)
    left join games as g on g.game_id = q.game_id
    left join fault on fault.game_id = q.game_id and fault.code = q.reason_code
    order by path, q.source_id, q.byte_start, q.quarantine_id limit $n
"""


def write_quarantine(corpus: Corpus, pages: Pages, progress: Progress) -> None:
    """quarantine.html"""
    n_all = corpus.number("select count(*) from quarantine")
    reasons = report_grid(corpus, corpus.reports["quarantine_reasons"]) if "quarantine_reasons" in corpus.reports else None
    places = []
    for row in corpus.rows(_PLACES, n=corpus.limits.rows, most=_MOST_BYTES):
        raw = bytes(row["raw"] or b"")
        text = decoded(raw, row["encoding"])
        n_bytes = row["byte_end"] - row["byte_start"]
        players = f"{name(row['white'])} – {name(row['black'])}" if row["white"] or row["black"] else ""
        places.append(
            {
                **row,
                "title": Link(players or row["quarantine_id"][:12], corpus.game(row["game_id"])),
                "text": text,
                "language": language_of(text, row["language"]),
                "note": f"The first {len(raw):,} of {n_bytes:,} bytes." if len(raw) < n_bytes else "",
            }
        )
    pages.write("quarantine.html", "quarantine", "Quarantine", reasons=reasons, places=places, n_all=n_all)
