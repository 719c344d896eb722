"""The engine of one machine: worker processes that may die without taking anything with them.

Each worker has a pipe of its own and one shard at a time, so when one dies it is known which shard was in it. That shard is
tried again when the others are done, alone; only a shard that dies again and again is given up. Workers ignore SIGINT and
SIGTERM (a terminal and systemd send them to the whole group): the driver decides what is finished. They die with it.
"""

from __future__ import annotations

import atexit
import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from weakref import WeakSet, finalize

from pipeline.engines.base import N_DEATHS, Outcome, Shard, ShardFunction, attempt, never

_POLL_SECONDS = 0.25
_PR_SET_PDEATHSIG = 1
_ALL: WeakSet[_Worker] = WeakSet()


class LocalEngine:
    """Runs shards in spawned processes; with one worker in this process, unless `isolate`."""

    name = "local"

    def __init__(self, *, isolate: bool = False, n_deaths: int = N_DEATHS) -> None:
        self.isolate = isolate
        self.n_deaths = n_deaths
        self._workers: list[_Worker] = []
        self.close = finalize(self, _end, self._workers)  # `close` is called when the engine is forgotten, at the latest

    def run(
        self, function: ShardFunction, shards: Sequence[Shard], *, workers: int, stop: Callable[[], bool] = never
    ) -> Iterator[Outcome]:
        """See `Engine.run`. A shard may carry `timeout_seconds`: a worker that takes longer is killed (not in-process)."""
        if workers > 1 or self.isolate:
            size = min(max(1, workers), len(shards))
            yield from _Crew(pickle.dumps(function), size, self.n_deaths, self._workers).run(shards, stop)
            return
        for shard in shards:
            if stop():
                return
            try:
                yield attempt(function, shard)
            except MemoryError:
                yield Outcome(shard, "worker_killed", error=traceback.format_exc())


@dataclass
class _Task:
    shard: Shard
    n_deaths: int = 0


class _Crew:
    """The workers in one `run`: those that are there and know the function, and new ones."""

    def __init__(self, function: bytes, size: int, n_deaths: int, workers: list[_Worker]) -> None:
        self.function = function
        self.size = size
        self.n_deaths = n_deaths
        self.workers = workers
        _end(workers, lambda worker: worker.function != function)

    def run(self, shards: Sequence[Shard], stop: Callable[[], bool]) -> Iterator[Outcome]:
        fresh = deque(_Task(shard) for shard in shards)
        suspects: deque[_Task] = deque()
        try:
            while True:
                if stop():
                    fresh.clear()
                    suspects.clear()
                self._hand_out(fresh, suspects)
                if not self._busy():
                    return
                yield from self._collect(suspects)
        finally:
            _end(self.workers, lambda worker: worker.task is not None)

    def _busy(self) -> list[_Worker]:
        return [worker for worker in self.workers if worker.task is not None]

    def _hand_out(self, fresh: deque[_Task], suspects: deque[_Task]) -> None:
        """Gives each idle worker a task; a suspect only when nothing else runs."""
        while fresh and len(self._busy()) < self.size:
            self._idle_worker().give(fresh.popleft())
        if suspects and not self._busy():
            self._idle_worker().give(suspects.popleft())

    def _idle_worker(self) -> _Worker:
        for worker in self.workers:
            if worker.task is None:
                return worker
        worker = _Worker(self.function)
        self.workers.append(worker)
        return worker

    def _collect(self, suspects: deque[_Task]) -> Iterator[Outcome]:
        """Waits a moment for workers that finish or die."""
        busy = {worker.pipe: worker for worker in self._busy()}
        for pipe in wait(list(busy), timeout=_POLL_SECONDS):
            worker = busy.pop(pipe)  # type: ignore[call-overload]
            outcome = worker.take()
            if outcome is not None:
                yield outcome
            else:
                yield from self._bury(worker, suspects, "it died")
        for worker in busy.values():
            if time.monotonic() > worker.deadline:
                yield from self._bury(worker, suspects, "it took longer than it may")

    def _bury(self, worker: _Worker, suspects: deque[_Task], why: str) -> Iterator[Outcome]:
        """Removes a worker and decides about its shard."""
        self.workers.remove(worker)
        task = worker.task
        assert task is not None
        ending = worker.end()
        task.n_deaths += 1
        if task.n_deaths < self.n_deaths:
            suspects.append(task)
        else:
            yield Outcome(task.shard, "worker_killed", error=f"worker ended ({ending}): {why}, {task.n_deaths} times")


class _Worker:
    """A process, its pipe and the task in it."""

    def __init__(self, function: bytes) -> None:
        self.function = function
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_serve, args=(theirs, function, os.getpid()), daemon=True)
        self.process.start()
        theirs.close()
        self.task: _Task | None = None
        self.deadline = float("inf")
        _ALL.add(self)

    def give(self, task: _Task) -> None:
        self.task = task
        seconds = task.shard.get("timeout_seconds")
        self.deadline = time.monotonic() + seconds if seconds else float("inf")
        with suppress(OSError):  # dead already: its end of the pipe says so
            self.pipe.send(task.shard)

    def take(self) -> Outcome | None:
        """The outcome that has arrived; None when the worker died."""
        assert self.task is not None
        try:
            kind, receipt, error = self.pipe.recv()
        except (EOFError, OSError):
            return None
        outcome = Outcome(self.task.shard, kind, receipt, error)
        self.task = None
        return outcome

    def end(self) -> str:
        """Ends the process, whatever it does; says how it had ended when it was dead."""
        with suppress(OSError):
            self.pipe.close()
        self.process.join(0.2 if self.task is not None else 1.0)
        code = self.process.exitcode
        if code is None:
            self.process.kill()
            self.process.join()
        _ALL.discard(self)
        return "still running" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"


def _end(workers: list[_Worker], which: Callable[[_Worker], bool] = lambda _: True) -> None:
    """Ends some of the workers and takes them off the list."""
    for worker in [worker for worker in workers if which(worker)]:
        workers.remove(worker)
        worker.end()


@atexit.register
def _end_all() -> None:
    """Runs before multiprocessing's own end, which would wait for workers that ignore its SIGTERM."""
    for worker in list(_ALL):
        worker.process.kill()


def _serve(pipe: Connection, pickled: bytes, driver: int) -> None:
    """The life of a worker: shards in, outcomes out, until the driver closes the pipe or dies."""
    _die_with(driver)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def run(shard: Shard) -> Outcome:
        try:
            function: ShardFunction = pickle.loads(pickled)
        except Exception:  # noqa: BLE001 - whatever it is, the driver shall hear of it
            return Outcome(shard, "error", error=traceback.format_exc())
        return attempt(function, shard)

    while True:
        try:
            shard = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            outcome = run(shard)
        except MemoryError:
            os._exit(137)  # as the kernel's own killer would
        with suppress(BrokenPipeError):
            pipe.send((outcome.kind, outcome.receipt, outcome.error))


def _die_with(driver: int) -> None:
    """Ends this process when the driver is killed, also in the middle of a shard."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != driver:
        os._exit(1)  # it died before we asked
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
