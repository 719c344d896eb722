"""An error that the user is told about, and the form of its sentences."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.exits import EXIT_USAGE


@dataclass
class Failure(Exception):
    """An error that the user is told about: `what` (and where) in a sentence, `remedy`: what to do."""

    what: str
    remedy: str = ""
    exit_code: int = EXIT_USAGE

    def __str__(self) -> str:
        return self.what


def sentence(text: str) -> str:
    """With a capital, and a full stop unless it ends as a sentence already or has lines of its own."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!", "…")) or "\n" in text else f"{text}."
