"""What the catalog holds as real tables beside the views over Parquet: the store's registries, and what it says of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from pipeline.schema import BOOL, FLOAT, INT16, INT32, INT64, SCORE, STRING, STRINGS, Column, Table

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
                Column("player_keys", STRINGS, "Script-free forms of player: as given, then in the first case."),
                Column("opponent_keys", STRINGS, "Script-free forms of opponent likewise."),
                Column("event", STRING, "Event; null = all games of the two."),
                Column("year", INT32, "Year; null = unknown, or several."),
                Column("written", STRING, "The score as given."),
                *SCORE,
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
        Table(
            "aliases",
            "What people decided about who is who; the next build links and separates names by it.",
            ("decision_id",),
            ("decision_id",),
            (
                Column("decision_id", STRING, "Id of the decision."),
                Column("decision", STRING, "merge, split, or undo (of the decision that `undoes` names)."),
                Column("name", STRING, "Name as written that is merged or split off; null when one side of a text is."),
                Column("other", STRING, "Name of the person that it is merged with or split from, or that the side belongs to."),
                Column("text_id", STRING, "Text of the game of which one side is decided; null for all games with the name."),
                Column("color", STRING, "Side that is decided: w or b; null for all games with the name."),
                Column("undoes", STRING, "decision_id of the decision that this one takes back."),
                *_DECISION,
            ),
        ),
    )
}
"""What the store keeps beside the Parquet tables; the catalog holds them as real tables in schema `stored`."""

DIMENSIONS = {
    "nags": "nags",
    "issue_codes": "issues",
    "alphabets": "piece_letters",
    "opening_names": "openings",
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

HEALTH = Table(
    "health",
    "A figure of corpus_health, of this catalog's snapshot or of the one before.",
    ("snapshot", "measure"),
    ("snapshot", "measure"),
    (
        Column("snapshot", INT64, "Number of the snapshot that was counted."),
        Column("measure", STRING, "What is counted."),
        Column("n", INT64, "How many."),
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

SAME_NAMES = Table(
    "same_names",
    "The person that a name key stands for, as far as names alone say.",
    ("key",),
    ("key",),
    (
        Column("key", STRING, "Name key, as in games.white_key."),
        Column("person_key", STRING, "Key that stands for the person: the fullest linked one, itself when alone."),
        Column("evidence", STRING, "Why: key when it stands alone or for all, else the surest accepted claim about it."),
        Column("confidence", FLOAT, "How sure that is, from 0 to 1."),
    ),
)
PERSON_SIDES = Table(
    "person_sides",
    "A game's side whose person does not follow from the name key alone: namesakes, and what people decided about one game.",
    ("game_id", "color"),
    ("game_id", "color"),
    (
        Column("game_id", STRING, "Game."),
        Column("color", STRING, "Side: w or b."),
        Column("person_key", STRING, "Key that stands for the person."),
        Column("evidence", STRING, "Why: a kind of claim of person_claims."),
        Column("confidence", FLOAT, "How sure that is, from 0 to 1."),
    ),
)
PERSON_CLAIMS = Table(
    "person_claims",
    "A claim that two names, or a name and some games, are one person or two; the rejected ones too.",
    ("claim_id",),
    ("claim_id",),
    (
        Column("claim_id", STRING, "Id of the claim: hash of what it says."),
        Column("key", STRING, "Name key that the claim is about."),
        Column("other_key", STRING, "The other name key; null when the claim separates namesakes of one key."),
        Column("claims", STRING, "same or different: what is claimed."),
        Column("evidence", STRING, "alias, fide_id, same_game, abbreviation, spelling; met, two_places, same_round, years."),
        Column("confidence", FLOAT, "How sure the claim is, from 0 to 1."),
        Column("is_accepted", BOOL, "False when something speaks against it."),
        Column("reason", STRING, "What speaks against it; null when accepted."),
        Column("detail", STRING, "The evidence in words: games, events, FIDE ids."),
        Column("person_key", STRING, "Person of the key after all claims."),
    ),
)
EVENT_WORDINGS = Table(
    "event_wordings",
    "What the name of an event with its site says, free of language.",
    ("event", "place"),
    ("event", "place"),
    (
        Column("event", STRING, "Event as written."),
        Column("place", STRING, "Site as written beside it; empty when it is unknown or an address on the web."),
        Column("name_key", STRING, "Words that tell which event it is, in one language, sorted."),
        Column("site_key", STRING, "Words of the place, in one language, sorted; null when unknown."),
        Column("year_first", INT16, "First year that the name gives; null when it gives none."),
        Column("year_last", INT16, "Last year that the name gives; null when it gives none."),
        Column("is_match", BOOL, "True when the name says nothing but that two people played."),
        Column("section", STRING, "Speeds that the name says, sorted; null when it says none."),
    ),
)
"""What pipeline/event_names makes of the games' events each time that the catalog is built."""
PERSONS = (SAME_NAMES, PERSON_SIDES, PERSON_CLAIMS)
"""What pipeline/identity makes of the games' names each time that the catalog is built."""
