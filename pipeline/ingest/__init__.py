"""One shard of bytes → stored tables and a receipt. Pure but for reading its bytes and writing through a given callback."""

from pipeline.ingest.shard import ingest_shard

__all__ = ["ingest_shard"]
