"""`python -m pipeline` is the command `notatio`."""

from __future__ import annotations

from pipeline.cli import main

if __name__ == "__main__":
    main()
