"""Names of events of the stored games → what they say, free of language, for the models of copies and events."""

from __future__ import annotations

import duckdb
import pyarrow as pa

from pipeline.catalog.registries import EVENT_WORDINGS
from pipeline.event_names import event_wording


def event_wordings(con: duckdb.DuckDBPyConnection) -> pa.Table:
    """The rows of EVENT_WORDINGS. Sites that are addresses on the web are as good as unknown: they are often one a game."""
    written = con.execute("""
        select distinct event, case when site is null or contains(site, '://') then '' else site end as place
        from stored.games where event is not null order by event, place
    """).fetchall()
    said = [event_wording(event, place or None) for event, place in written]
    columns = {
        "event": [event for event, _ in written],
        "place": [place for _, place in written],
        **{name: [getattr(wording, name) for wording in said] for name in EVENT_WORDINGS.schema.names[2:]},
    }
    return pa.table(columns, schema=EVENT_WORDINGS.schema)
