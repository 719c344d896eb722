"""What a run reports → stderr: a progress bar on a terminal, log lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pipeline.cli.errors import DEBUG, say
from pipeline.cli.output import counted, printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from pipeline.run import Event

_LINE_SECONDS = 10.0
"""Log lines about progress come no more often."""


class RunLog:
    """A `run.Report` and context manager: tells events on stderr, and counts what the summary needs."""

    def __init__(self) -> None:
        self.encodings: Counter[str] = Counter()
        """Sources that were read, by encoding."""
        self.source_ids: list[str] = []
        self.started = time.monotonic()
        self.seconds = 0.0
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._n_bytes = self._n_bytes_done = self._n_games = 0
        self._last_line = self.started

    def __enter__(self) -> Self:
        """Starts the bar on a terminal."""
        if sys.stderr.isatty():
            self._progress = _bar()
            self._progress.start()
            self._task = self._progress.add_task("looking for files", total=None, games="")
        return self

    def __exit__(self, *exc: object) -> None:
        """Takes the bar away."""
        self.seconds = time.monotonic() - self.started
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, event: Event) -> None:
        """Tells one event."""
        handle = getattr(self, f"_on_{event['event']}", None)
        if handle is not None:
            handle(event)

    def languages(self, lake: Path) -> Counter[str]:
        """Games of the sources that were read, by language, from the published catalog."""
        from pipeline import catalog

        query = """
            select language, count(*) from games
            where source_id in (select unnest($ids)) and language is not null group by language
        """
        with catalog.connect(lake) as con:
            return Counter(dict(con.execute(query, {"ids": self.source_ids}).fetchall()))

    def _say(self, text: str) -> None:
        text = printable(text)
        if self._progress is None:
            say(text)
        else:
            self._progress.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def _on_planned(self, event: Event) -> None:
        if "n_shards" not in event:
            return  # a dry run
        self._n_bytes += event["n_bytes"]
        resumed = f", {event['n_resumed']} read before" if event["n_resumed"] else ""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, description="reading", total=self._n_bytes)
        if self._progress is None and event["n_shards"] > 1:
            say(f"reading {counted(self._n_bytes, 'byte')} in {event['n_shards']} shards{resumed}")

    def _on_shard(self, event: Event) -> None:
        self._n_bytes_done += event["n_bytes"]
        for source_id, source in event.get("sources", {}).items():
            self.source_ids.append(source_id)
            self._n_games += source["n_games"]
            self.encodings[source["encoding"] or "none"] += 1
        if event["kind"] == "error":
            lines = (event.get("error") or "").strip().splitlines() or [""]
            for line in lines if os.environ.get(DEBUG) else lines[-1:]:
                self._say(f"warning: A shard failed: {line}")
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self._n_bytes_done, games=f"{counted(self._n_games, 'game')}")
        elif time.monotonic() - self._last_line > _LINE_SECONDS:
            self._last_line = time.monotonic()
            say(f"{100 * self._n_bytes_done / max(1, self._n_bytes):.0f} %, {counted(self._n_games, 'game')}")

    def _on_warning(self, event: Event) -> None:
        detail = f": {event['detail']}" if event.get("detail") else ""
        self._say(f"{'note' if event['status'] == 'binary' else 'warning'}: {event['path']}: {event['status']}{detail}")

    def _on_deferred(self, event: Event) -> None:
        self._say(f"left for the next run: {event['path']}: {event['detail']}")

    def _on_killed(self, event: Event) -> None:
        self._say("warning: A shard kills its worker; looking for the game that does it")

    def _on_failed(self, event: Event) -> None:
        self._say(f"error: {event['path']}: {event['detail']}")

    def _on_prune_refused(self, event: Event) -> None:
        self._say(f"warning: {event['detail']}")

    def _on_gone(self, event: Event) -> None:
        n = event["n_gone"]
        self._say("1 path is gone; --prune takes it out" if n == 1 else f"{n:,} paths are gone; --prune takes them out")

    def _on_lost(self, event: Event) -> None:
        n = event["n_sources"]
        self._say(f"warning: Data files are missing. They held {counted(n, 'source')}: those that are found are read again")

    def _on_pruned(self, event: Event) -> None:
        for path in event["paths"]:
            self._say(f"taken out: {path}")

    def _on_stopping(self, event: Event) -> None:
        self._say(f"{event['because']}: finishing what has begun; once more Ctrl-C ends at once")


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[games]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
