"""Engines run one shard function over many shards: in this process, in worker processes, on a cluster."""

from __future__ import annotations

from pipeline.engines.base import N_DEATHS, Engine, EngineUnavailable, Outcome, Receipt, Shard, ShardFunction, never

ENGINES = ("local", "ray")


def get_engine(name: str, *, isolate: bool = False, address: str | None = None, n_deaths: int = N_DEATHS) -> Engine:
    """The engine of a name. `isolate`: worker processes even for one worker; `address`: of a cluster; `n_deaths`: of its
    worker after which a shard is given up.

    Raises EngineUnavailable with what to do about it.
    """
    if name == "local":
        from pipeline.engines.local import LocalEngine

        return LocalEngine(isolate=isolate, n_deaths=n_deaths)
    if name == "ray":
        from pipeline.engines.ray import RayEngine

        return RayEngine(address=address, n_deaths=n_deaths)
    raise EngineUnavailable(f"There is no engine {name!r}. Use one of: {', '.join(ENGINES)}")


__all__ = ["ENGINES", "Engine", "EngineUnavailable", "Outcome", "Receipt", "Shard", "ShardFunction", "get_engine", "never"]
