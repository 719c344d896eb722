"""SIGTERM and Ctrl-C: what is in flight is finished and committed, then the run ends with exit code 75."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pipeline.run.options import Report


class Stop:
    """Says whether the run shall come to its end; `because` says why."""

    def __init__(self) -> None:
        self.because: str | None = None

    def __call__(self) -> bool:
        """Shall the run end?"""
        return self.because is not None

    def ask(self, because: str) -> None:
        """Asks for the end; the first reason counts."""
        self.because = self.because or because


@contextmanager
def stop_on_signals(report: Report) -> Iterator[Stop]:
    """A `Stop` that SIGTERM and SIGINT ask; a second SIGINT raises KeyboardInterrupt. Outside of the main thread nobody asks."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if stop() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.ask(f"stopped by {signal.Signals(number).name}")
        report({"event": "stopping", "because": stop.because})

    before = {number: signal.signal(number, handle) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
