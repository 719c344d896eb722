"""What the user says about the input (`--language`, `--notation`, `--encoding`), checked before anything is read."""

from __future__ import annotations

import difflib

from pipeline.cli.failure import Failure


def checked_language(given: str | None) -> str | None:
    """The alphabet's tag as the tables spell it. Raises Failure with what there is."""
    if given is None:
        return None
    from pipeline import tables

    known: dict[str, str] = {}
    names: dict[str, str] = {}
    for alphabet in tables.alphabets():
        if alphabet.infer == "never":
            continue
        for tag in (alphabet.name, alphabet.bcp47, alphabet.bcp47.split("-")[0]):
            known.setdefault(tag.casefold(), tag)
            names.setdefault(tag, alphabet.language)
    wanted = given.strip().casefold()
    if not wanted:
        raise Failure("--language: its value is empty", "For example: --language ru")
    if wanted in known:
        return known[wanted]
    near = [tag for tag, name in names.items() if wanted in name.casefold()]
    near = near or [known[tag] for tag in difflib.get_close_matches(wanted, known, 3, 0.5)]
    near = list(dict.fromkeys(near))[:4]
    remedy = f"There are: {', '.join(sorted(known.values()))}. For example: --language ru"
    if near:
        remedy = f"Did you mean {' or '.join(f'{tag} ({names[tag]})' for tag in near)}? For example: --language {near[0]}"
    raise Failure(f"--language {given}: no alphabet has this name", remedy)


def checked_notation(given: str | None) -> str | None:
    """The notation in lower case. Raises Failure with what there is."""
    if given is None:
        return None
    from pipeline import tables

    known = {row["name"]: row["meaning"] for row in tables.rows("notations")}
    wanted = given.strip().casefold()
    if wanted not in known:
        there_are = "; ".join(f"{name} ({meaning})" for name, meaning in known.items())
        raise Failure(f"--notation {given}: no notation has this name", f"There are: {there_are}")
    return wanted


def checked_encoding(given: str | None) -> str | None:
    """The canonical name of the encoding. Raises sources.UnknownEncoding with what can be done."""
    if given is None:
        return None
    from pipeline.sources import check_encoding

    return check_encoding(given.strip())
