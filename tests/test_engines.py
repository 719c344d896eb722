"""Engines: what a worker's death costs, what it does not, and that nobody stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pipeline.engines import EngineUnavailable, Outcome, get_engine
from pipeline.engines.local import LocalEngine

Shard = dict[str, Any]


def work(shard: Shard) -> Shard:
    """Runs in a worker. `do` says what happens there."""
    do = shard.get("do")
    if do == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if do == "kill once" and not Path(shard["mark"]).exists():
        Path(shard["mark"]).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    if do == "raise":
        raise ValueError("no such luck")
    if do == "no memory":
        raise MemoryError
    if do == "exit":
        os._exit(7)
    if do == "sleep":
        Path(shard["mark"]).write_text(str(os.getpid()))
        time.sleep(shard["seconds"])
    return {"twice": 2 * shard["n"], "pid": os.getpid()}


def shards(n: int, **special: Shard) -> list[Shard]:
    """Shards 0 … n - 1; `n3={...}` adds to the one of number 3."""
    return [{"n": i, **special.get(f"n{i}", {})} for i in range(n)]


def by_number(outcomes: list[Outcome]) -> dict[int, str]:
    return {outcome.shard["n"]: outcome.kind for outcome in outcomes}


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_each_shard_has_one_outcome_whatever_the_number_of_workers(workers: int) -> None:
    outcomes = list(get_engine("local").run(work, shards(7), workers=workers))
    assert sorted((o.shard["n"], o.receipt["twice"]) for o in outcomes if o.receipt) == [(i, 2 * i) for i in range(7)]


def test_one_worker_is_this_process_unless_isolation_is_asked_for() -> None:
    [here] = get_engine("local").run(work, shards(1), workers=1)
    [apart] = get_engine("local", isolate=True).run(work, shards(1), workers=1)
    assert [(o.receipt or {})["pid"] == os.getpid() for o in (here, apart)] == [True, False]


def test_a_shard_whose_worker_was_killed_is_tried_again(tmp_path: Path) -> None:
    mark = {"do": "kill once", "mark": str(tmp_path / "mark")}
    outcomes = list(LocalEngine().run(work, shards(6, n2=mark), workers=2))
    assert by_number(outcomes) == dict.fromkeys(range(6), "ok")
    assert (tmp_path / "mark").exists()


@pytest.mark.parametrize(("do", "told"), [("kill", "signal 9"), ("exit", "exit code 7"), ("no memory", "exit code 137")])
def test_a_shard_that_always_kills_is_given_up_and_its_neighbours_are_not(do: str, told: str) -> None:
    outcomes = list(LocalEngine().run(work, shards(6, n2={"do": do}), workers=2))
    assert by_number(outcomes) == {0: "ok", 1: "ok", 2: "worker_killed", 3: "ok", 4: "ok", 5: "ok"}
    [killed] = [outcome for outcome in outcomes if outcome.kind == "worker_killed"]
    assert told in str(killed.error)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_exception_is_an_outcome_with_its_traceback(workers: int) -> None:
    outcomes = list(LocalEngine().run(work, shards(3, n1={"do": "raise"}), workers=workers))
    assert by_number(outcomes) == {0: "ok", 1: "error", 2: "ok"}
    [failed] = [outcome for outcome in outcomes if outcome.kind == "error"]
    assert "ValueError: no such luck" in str(failed.error)


def test_a_worker_that_hangs_is_killed_after_the_time_of_its_shard(tmp_path: Path) -> None:
    hang = {"do": "sleep", "seconds": 60, "mark": str(tmp_path / "mark"), "timeout_seconds": 1}
    outcomes = list(LocalEngine(isolate=True, n_deaths=1).run(work, shards(2, n0=hang), workers=2))
    assert by_number(outcomes) == {0: "worker_killed", 1: "ok"}


@pytest.mark.parametrize("workers", [1, 2])
def test_after_a_stop_what_is_in_flight_is_finished_and_nothing_else_started(workers: int) -> None:
    finished: list[int] = []
    for outcome in LocalEngine().run(work, shards(50), workers=workers, stop=lambda: len(finished) > 0):
        finished.append(outcome.shard["n"])
        assert outcome.kind == "ok"
    assert 1 <= len(finished) <= workers


def test_workers_ignore_the_signals_that_a_terminal_and_systemd_send_to_everyone(tmp_path: Path) -> None:
    nap = {"do": "sleep", "seconds": 0.5, "mark": str(tmp_path / "mark")}
    running = LocalEngine(isolate=True, n_deaths=1).run(
        work, shards(1, n0=nap), workers=1, stop=lambda: signal_once(tmp_path / "mark")
    )
    assert [outcome.kind for outcome in running] == ["ok"]
    assert (tmp_path / "mark.signalled").exists()


def signal_once(mark: Path) -> bool:
    """Sends SIGINT and SIGTERM to the worker when it is at work; never stops the run."""
    sent = mark.with_suffix(".signalled")
    if mark.exists() and mark.read_text() and not sent.exists():
        sent.touch()
        os.kill(int(mark.read_text()), signal.SIGINT)
        os.kill(int(mark.read_text()), signal.SIGTERM)
    return False


def test_workers_wait_for_the_next_run_until_the_engine_is_closed() -> None:
    engine = LocalEngine(isolate=True)
    pids = [(outcome.receipt or {})["pid"] for _ in range(2) for outcome in engine.run(work, shards(1), workers=1)]
    assert pids[0] == pids[1]
    assert is_alive(pids[0])
    engine.close()
    assert not is_alive(pids[0])


def test_closing_the_iterator_ends_the_workers(tmp_path: Path) -> None:
    nap = {"do": "sleep", "seconds": 60, "mark": str(tmp_path / "mark")}
    running = LocalEngine().run(work, shards(2, n1=nap), workers=2)
    assert next(running).shard["n"] == 0
    wait_for(lambda: (tmp_path / "mark").exists() and (tmp_path / "mark").read_text() != "")
    running.close()  # type: ignore[attr-defined]
    assert not is_alive(int((tmp_path / "mark").read_text()))


DRIVER = """
from tests.test_engines import LocalEngine, shards, work
nap = {"do": "sleep", "seconds": 60, "mark": MARK}
if __name__ == "__main__":
    list(LocalEngine(isolate=True).run(work, shards(1, n0=nap), workers=1))
"""


def test_workers_die_with_a_driver_that_is_killed(tmp_path: Path) -> None:
    mark, script = tmp_path / "mark", tmp_path / "driver.py"
    script.write_text(f"MARK = {str(mark)!r}\n{DRIVER}")
    root = str(Path(__file__).parents[1])
    with subprocess.Popen([sys.executable, str(script)], env={**os.environ, "PYTHONPATH": root}) as driver:
        wait_for(lambda: mark.exists() and mark.read_text() != "", seconds=30)
        worker = int(mark.read_text())
        assert is_alive(worker)
        driver.kill()
        driver.wait()
    wait_for(lambda: not is_alive(worker))


def test_an_unknown_engine_is_refused_with_those_there_are() -> None:
    with pytest.raises(EngineUnavailable, match=r"no engine 'spark'. Use one of: local, ray"):
        get_engine("spark")


def test_a_missing_ray_is_refused_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(EngineUnavailable, match=r"pip install 'notatio\[ray\]'"):
        get_engine("ray")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_ray_gives_the_same_receipts_and_isolates_a_killer() -> None:
    pytest.importorskip("ray", reason="the extra ray is not installed")
    with closing(get_engine("ray", n_deaths=2)) as engine:
        outcomes = list(engine.run(work, shards(6, n2={"do": "kill"}, n4={"do": "raise"}), workers=2))
    assert by_number(outcomes) == {0: "ok", 1: "ok", 2: "worker_killed", 3: "ok", 4: "error", 5: "ok"}
    assert sorted(o.receipt["twice"] for o in outcomes if o.receipt) == [0, 2, 6, 10]


def wait_for(is_true: Any, seconds: float = 10) -> None:
    """Waits until something is true; fails when it does not become so."""
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    """Is there such a process, and not only its remains?"""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
