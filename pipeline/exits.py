"""Exit codes of the command (docs/rules.md §5); 75 and 78 are EX_TEMPFAIL and EX_CONFIG of sysexits.h."""

from __future__ import annotations

EXIT_DONE = 0
"""Done, or nothing to do."""
EXIT_BUG = 1
EXIT_USAGE = 2
"""Wrong use; also: no such path, an ambiguous name."""
EXIT_FINDINGS = 3
"""Done, with findings: more in quarantine than allowed, or `check` or `verify` found something."""
EXIT_LATER = 75
"""Try again later: a lock, a full disk, storage away, SIGTERM. What was committed stays."""
EXIT_CONFIGURATION = 78
"""Configuration, or a lake that this version must not write."""
