"""The bytes of a shard's sources, and for documents the text that stands for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline import sources
from pipeline.model import Issue
from pipeline.sources import Decision, Extracted

Spec = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Opened:
    """A source, or a part of one, as it is read: all ranges are counted in `data`."""

    spec: Spec
    data: bytes
    """The source's bytes, or the extracted text of a document."""
    status: str
    detail: str | None
    decision: Decision | None = None
    """How `data` is decoded, where that is known; None = look at the bytes."""
    issues: tuple[Issue, ...] = ()
    """What was found on the way; offsets in characters of the text, where there is one."""
    told: Mapping[str, Any] = field(default_factory=dict)
    """What the receipt says of a document besides counts: `extractor`, `n_bytes`, and `status` and `detail` when not `ok`."""


def opened(specs: Sequence[Spec]) -> Iterator[Opened]:
    """Each source of a shard in order. Raises OSError, KeyError when one is gone."""
    for spec in specs:
        if spec["range"]:
            data = sources.read_range(spec["path"], *spec["range"])
        else:
            data = sources.read_member(spec["path"], spec["inner"])
        document = spec.get("document")
        if document is None:
            decision = Decision.from_dict(spec["decision"]) if spec.get("decision") else None
            yield Opened(spec, data, spec["status"], spec.get("detail"), decision)
        elif spec["status"] in ("ok", "binary"):
            yield _document(spec, data, sources.extract(document, data))
        else:  # its extraction killed the worker
            yield Opened(
                spec,
                data,
                spec["status"],
                spec.get("detail"),
                told={"extractor": sources.extractor(document), "n_bytes": len(data)},
            )


def _document(spec: Spec, data: bytes, extracted: Extracted) -> Opened:
    """A document after extraction; one that gave no text keeps its bytes, which are then one span."""
    kept = data if extracted.text is None else extracted.text
    told: dict[str, Any] = {"extractor": extracted.extractor, "n_bytes": len(kept)}
    if extracted.status != "ok":
        told |= {"status": extracted.status, "detail": extracted.detail}
    issues = [Issue("container_corrupt", at, at, detail=what) for at, what in extracted.faults]
    if extracted.code is not None:
        issues.append(Issue(extracted.code, 0, 0, detail=extracted.detail))
    decision = Decision.of_valid_utf8(is_ascii=False) if extracted.status == "ok" else None
    return Opened(spec, kept, extracted.status, extracted.detail, decision, tuple(issues), told)
