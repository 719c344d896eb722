"""Who is who: from names and what is known of their games to persons, by claims with evidence (docs/rules.md §6).

Equal keys are one person until something speaks against it. Other names are linked by claims, the surest first; a claim that
contradicts what is linked already, or that two persons met, is rejected and kept with its reason. Nothing here reads a lake:
`pipeline/catalog/persons.py` asks for the facts and stores the result.
"""

from __future__ import annotations

from pipeline.identity.claims import CONFIDENCE, MAX_YEARS, Claim, Context, Pair
from pipeline.identity.decisions import BadAlias, Decisions, checked_aliases, decision_id
from pipeline.identity.linking import Persons, link
from pipeline.identity.namesakes import Ambiguous, Namesakes, namesakes
from pipeline.identity.pairing import candidates, surnames

__all__ = [
    "CONFIDENCE",
    "MAX_YEARS",
    "Ambiguous",
    "BadAlias",
    "Claim",
    "Context",
    "Decisions",
    "Namesakes",
    "Pair",
    "Persons",
    "candidates",
    "checked_aliases",
    "decision_id",
    "link",
    "namesakes",
    "surnames",
]
