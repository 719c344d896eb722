"""Options of the whole suite."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--bless` rewrites the expected tables below tests/golden; look at the difference before you commit it."""
    parser.addoption("--bless", action="store_true", help="rewrite tests/golden/*.csv from what the program does now")
