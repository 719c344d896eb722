"""One corpus run: find → hash → plan → engine → receipts → commit → publish (`ingest_run`)."""

from __future__ import annotations

from pipeline.run.ingesting import ingest_run, publish_catalog
from pipeline.run.options import Event, IngestOptions, Report, RunResult, quiet

__all__ = ["Event", "IngestOptions", "Report", "RunResult", "ingest_run", "publish_catalog", "quiet"]
