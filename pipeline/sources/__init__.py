"""Bytes in: files and containers → members, members → text that knows where each character came from."""

from __future__ import annotations

from pipeline.sources.containers import Member, MemberStatus, members, read_member, read_members, read_range
from pipeline.sources.decision import Decision
from pipeline.sources.documents import Extracted, extract, extractor
from pipeline.sources.encodings import UnknownEncoding, check_encoding, decide, decide_file, decode
from pipeline.sources.find import STDIN, Found, NoSuchPath, find
from pipeline.sources.limits import DEFAULT_LIMITS, WHOLE_FILE_BYTES, Limits
from pipeline.sources.text import Text

__all__ = [
    "DEFAULT_LIMITS",
    "STDIN",
    "WHOLE_FILE_BYTES",
    "Decision",
    "Extracted",
    "Found",
    "Limits",
    "Member",
    "MemberStatus",
    "NoSuchPath",
    "Text",
    "UnknownEncoding",
    "check_encoding",
    "decide",
    "decide_file",
    "decode",
    "extract",
    "extractor",
    "find",
    "members",
    "read_member",
    "read_members",
    "read_range",
]
