"""What the catalog holds as real tables beside the views over Parquet: the store's registries, and what it says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from pipeline.schema import FLOAT, INT32, INT64, POINTS, STRING, Column, Table

Row = Mapping[str, Any]
TIME = pa.timestamp("us")
"""Times in registries: UTC, without zone, so that no reader needs a zone data base."""

_PATH = (
    Column("source_id", STRING, "First 32 hex digits of SHA-256 of the member's bytes."),
    Column("collection", STRING, "Name that groups paths: --collection, else the root's absolute path."),
    Column(
        "path",
        STRING,
        "Path below the folder that was given, or the name of a file that was given; a member of a container is "
        "`archive.zip!member`. Standard input: --name, else `stdin-` and the start of its source_id.",
    ),
)
_DECISION = (
    Column("because", STRING, "Why it is right."),
    Column("author", STRING, "Who decided it."),
    Column("made_at", TIME, "When, UTC."),
)
REGISTRIES = {
    t.name: t
    for t in (
        Table(
            "sources",
            "A distinct member's bytes.",
            ("source_id",),
            ("source_id",),
            (
                _PATH[0],
                Column("container_id", STRING, "source_id of the container that held the member; null for a plain file."),
                Column("n_bytes", INT64, "Bytes of the member; of a document that gave text, of that text as UTF-8."),
                Column(
                    "extractor",
                    STRING,
                    "Program and version that made text of a document (DOCX, ODT, EPUB, PDF), or tried to; byte ranges count "
                    "that text. Null for plain text and for what nothing here reads.",
                ),
                Column("encoding", STRING, "Character encoding that the source was read with; null when it is not text."),
                Column("encoding_runner_up", STRING, "Second best encoding; null when there was no contest."),
                Column("encoding_margin", FLOAT, "Lead of the encoding over the runner-up, in its score; null without contest."),
                Column("n_games", INT64, "Games found, good or bad."),
                Column("n_clean", INT64, "Games proven to their end."),
                Column("n_truncated", INT64, "Games with a proven prefix, then a fault."),
                Column("n_rejected", INT64, "Games of which nothing is proven."),
                Column("n_plies", INT64, "Half-moves of main lines that the board proved."),
                Column("n_bytes_games", INT64, "Bytes of clean games."),
                Column("n_bytes_quarantined", INT64, "Bytes in quarantine and in no clean game."),
                Column("n_bytes_filler", INT64, "Bytes of prose, blanks, headings and so on."),
                Column("results_version", STRING, "Version of the reading rules that produced the rows."),
            ),
        ),
        Table(
            "source_paths",
            "A path that a source was found at.",
            ("collection", "path", "source_id"),
            ("collection", "path", "source_id"),
            (
                *_PATH,
                Column("absolute_path", STRING, "Absolute path at the last run that saw it."),
                Column("n_bytes", INT64, "Bytes of the member as it lies there, documents too."),
                Column(
                    "status",
                    STRING,
                    "ok, container_corrupt, container_encrypted, limit_exceeded, read_error, binary, deferred.",
                ),
                Column("removed_at", TIME, "When the path went away, UTC; null while it is live."),
            ),
        ),
        Table(
            "parts",
            "A part of a source that one shard read.",
            ("source_id", "part"),
            ("source_id", "part"),
            (
                _PATH[0],
                Column("part", INT32, "Ordinal of the part, from 0."),
                Column("first_game_index", INT64, "Games of the source before this part."),
            ),
        ),
        Table(
            "runs",
            "A run of ingest.",
            ("run_id",),
            ("started_at", "run_id"),
            (
                Column("run_id", STRING, "Id of the run."),
                Column("started_at", TIME, "Start, UTC."),
                Column("finished_at", TIME, "End, UTC; null while it runs or when it was killed."),
                Column("state", STRING, "State of the run: running, done, failed, …"),
                Column("exit_code", INT32, "Exit code of the command; null while it runs or when it was killed."),
                Column("version", STRING, "Version of the program."),
                Column("arguments", STRING, "Arguments of the command, as JSON."),
                Column("snapshot_before", INT64, "Snapshot that the run started from."),
                Column("snapshot_after", INT64, "Snapshot that the run left; null when it committed nothing."),
                Column("n_new", INT64, "Sources that were new."),
                Column("n_replaced", INT64, "Sources that replaced a former reading."),
                Column("n_skipped", INT64, "Sources that were known."),
                Column("n_failed", INT64, "Sources that could not be read."),
            ),
        ),
        Table(
            "corrections",
            "A correction that people decided; views apply it.",
            ("text_id", "field"),
            ("text_id", "field"),
            (
                Column("text_id", STRING, "Text that the correction is for."),
                Column("field", STRING, "Column of games that is corrected."),
                Column("value", STRING, "The right value; null = unknown."),
                *_DECISION,
            ),
        ),
        Table(
            "repairs",
            "A misprint that people decided; the next build reads the text with it.",
            ("text_id", "ply"),
            ("text_id", "ply"),
            (
                Column("text_id", STRING, "Text that the repair is for."),
                Column("ply", INT32, "Half-move of the main line, from 1."),
                Column("written", STRING, "What is written there."),
                Column("read_as", STRING, "The move that is meant, SAN."),
                *_DECISION,
            ),
        ),
        Table(
            "given_results",
            "A score of a series that a person took from print (curation/published_results.csv).",
            ("line",),
            ("line",),
            (
                Column("line", INT32, "Line of the file."),
                Column("player", STRING, "Name of the one as given."),
                Column("opponent", STRING, "Name of the other as given."),
                Column("player_key", STRING, "Script-free form of player."),
                Column("opponent_key", STRING, "Script-free form of opponent."),
                Column("event", STRING, "Event; null = all games of the two."),
                Column("year", INT32, "Year; null = unknown, or several."),
                Column("written", STRING, "The score as given."),
                Column("points", POINTS, "Points of the player; null when only wins, losses and draws are given."),
                Column("opponent_points", POINTS, "Points of the opponent; null when only wins, losses and draws are given."),
                Column("wins", INT32, "Games that the player won; null when not given."),
                Column("losses", INT32, "Games that the player lost; null when not given."),
                Column("draws", INT32, "Games drawn; null when not given."),
                Column("source", STRING, "Where it is printed."),
                Column("note", STRING, "What is to be said of it."),
            ),
        ),
        Table(
            "tombstones",
            "A text that people decided is no game; views leave it out.",
            ("text_id",),
            ("text_id",),
            (Column("text_id", STRING, "Text that is no game."), *_DECISION),
        ),
    )
}
"""What the store keeps beside the Parquet tables; the catalog holds them as real tables in schema `stored`."""

DIMENSIONS = {
    "nags": "nags",
    "issue_codes": "issues",
    "alphabets": "piece_letters",
    "rating_differences": "rating_differences",
    "scoring_probabilities": "scoring_probabilities",
    "scoring_schemes": "scoring_schemes",
    "stage_words": "stage_words",
    "tiebreak_editions": "tiebreak_editions",
}
"""Views of CSV knowledge, each with the file of pipeline/tables that it shows."""

QUARANTINE_STATES = Table(
    "quarantine_states",
    "What became of a quarantined range by a decision.",
    ("quarantine_id",),
    ("quarantine_id",),
    (
        Column("quarantine_id", STRING, "Range that was decided on."),
        Column("state", STRING, "resolved = read with a repair, clean; tombstone = no game."),
    ),
)

ABOUT = Table(
    "about",
    "Which snapshot this catalog shows.",
    ("snapshot",),
    ("snapshot",),
    (
        Column("snapshot", INT64, "Number of the snapshot that the views show."),
        Column("published_at", TIME, "When the catalog was built, UTC."),
        Column("version", STRING, "Version of the program that built it."),
    ),
)
