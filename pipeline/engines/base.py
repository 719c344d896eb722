"""What an engine is: it runs one function over many shards and says how each ended. It knows nothing of chess or lakes."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Shard = dict[str, Any]
Receipt = dict[str, Any]
ShardFunction = Callable[[Shard], Receipt]
"""A function that can be pickled by name. Shards and receipts hold JSON values only."""

N_DEATHS = 3
"""A shard that kills its worker this many times is given up (the first time in company, then alone)."""


@dataclass(frozen=True)
class Outcome:
    """How a shard ended: `ok` has a receipt, `error` a traceback, `worker_killed` what is known of the death."""

    shard: Shard
    kind: Literal["ok", "error", "worker_killed"]
    receipt: Receipt | None = None
    error: str | None = None


class Engine(Protocol):
    """Runs shards somewhere."""

    name: str

    def run(
        self, function: ShardFunction, shards: Sequence[Shard], *, workers: int, stop: Callable[[], bool] = ...
    ) -> Iterator[Outcome]:
        """Outcomes in order of completion, one for each shard that was started. Once `stop()` is true no shard is
        started; those in flight are finished. Closing the iterator ends the workers that are busy at once."""
        ...

    def close(self) -> None:
        """Ends the workers, which otherwise wait for another `run` of the same function."""
        ...


class EngineUnavailable(Exception):
    """The engine cannot be used here; the text says what to do."""


def never() -> bool:
    """The `stop` of a run that nobody stops."""
    return False


def attempt(function: ShardFunction, shard: Shard) -> Outcome:
    """Runs one shard; an exception becomes an outcome. MemoryError is raised: it says as little about a shard as a kill."""
    try:
        return Outcome(shard, "ok", receipt=function(shard))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever it is, the driver shall hear of it
        return Outcome(shard, "error", error=traceback.format_exc())
