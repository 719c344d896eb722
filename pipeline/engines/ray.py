"""The engine of a cluster: the same function as Ray tasks (https://docs.ray.io). Needs the extra `ray`.

Ray itself tries a task again when its worker or node dies and isolates it from its neighbours. All machines must see the
lake and the input under the same paths.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pipeline.engines.base import N_DEATHS, EngineUnavailable, Outcome, Shard, ShardFunction, attempt, never

_IN_FLIGHT_PER_CPU = 2
_POLL_SECONDS = 0.5


class RayEngine:
    """Runs shards on the cluster at `address` (default: `RAY_ADDRESS`), else on a cluster started on this machine."""

    name = "ray"

    def __init__(self, *, address: str | None = None, n_deaths: int = N_DEATHS) -> None:
        self.address = address or os.environ.get("RAY_ADDRESS")
        self.n_deaths = n_deaths
        self._ray = _import_ray()
        self._is_ours = False

    def run(
        self, function: ShardFunction, shards: Sequence[Shard], *, workers: int, stop: Callable[[], bool] = never
    ) -> Iterator[Outcome]:
        """See `Engine.run`. On a cluster that was there before, its size decides; `workers` only starts a local one."""
        if not self._ray.is_initialized():
            self._start(workers)
        yield from self._outcomes(function, shards, stop)

    def close(self) -> None:
        """Leaves the cluster, and ends it when this engine started it."""
        if self._is_ours:
            self._ray.shutdown()
            self._is_ours = False

    def _start(self, workers: int) -> None:
        size: dict[str, Any] = {} if self.address else {"num_cpus": max(1, workers), "include_dashboard": False}
        try:
            self._ray.init(address=self.address, log_to_driver=False, logging_level="ERROR", **size)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise EngineUnavailable(f"No Ray cluster answers at {self.address or 'this machine'}: {error}") from error
        self._is_ours = True

    def _outcomes(self, function: ShardFunction, shards: Sequence[Shard], stop: Callable[[], bool]) -> Iterator[Outcome]:
        ray = self._ray
        task = ray.remote(max_retries=self.n_deaths - 1)(attempt)
        known = ray.put(function)
        room = max(2, int(_IN_FLIGHT_PER_CPU * ray.cluster_resources().get("CPU", 1)))
        waiting, flying = deque(shards), dict[Any, Shard]()
        try:
            while waiting or flying:
                if stop():
                    waiting.clear()
                while waiting and len(flying) < room:
                    shard = waiting.popleft()
                    flying[task.remote(known, shard)] = shard
                if flying:
                    done, _ = ray.wait(list(flying), num_returns=1, timeout=_POLL_SECONDS)
                    for reference in done:
                        yield self._outcome(reference, flying.pop(reference))
        finally:
            for reference in flying:
                ray.cancel(reference, force=True)

    def _outcome(self, reference: Any, shard: Shard) -> Outcome:
        try:
            outcome: Outcome = self._ray.get(reference)
            return Outcome(shard, outcome.kind, outcome.receipt, outcome.error)
        except self._ray.exceptions.RayTaskError as error:  # raised in the task: only MemoryError is let through
            return Outcome(shard, "worker_killed", error=str(error))
        except self._ray.exceptions.RayError as error:
            return Outcome(shard, "worker_killed", error=f"{type(error).__name__}: {error}")


def _import_ray() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError as error:
        raise EngineUnavailable("The engine ray is not installed. Install it with: pip install 'notatio[ray]'") from error
    return ray
