"""The command `notatio`: prints and exit codes, no logic. Heavy libraries are imported by the commands that need them."""

from __future__ import annotations

from pipeline.cli.application import app, main, run

__all__ = ["app", "main", "run"]
