"""A command line that cannot be parsed → what is wrong with it, in the words of a reader, and an example."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from pipeline.cli.failure import Failure, sentence
from pipeline.exits import EXIT_USAGE

_EXAMPLES = {
    "--year": "--year 1972",
    "--workers": "--workers 4",
    "--max-quarantine": "--max-quarantine 5",
    "--max-prune": "--max-prune 20",
    "--settle": "--settle 60",
    "-p": "-p event_name='World Championship Match'",
}
_WRONG = {
    "int_parsing": "this is no whole number",
    "int_from_float": "this is no whole number",
    "float_parsing": "this is no number",
    "finite_number": "this is no number",
    "greater_than_equal": "at least {ge:g} is needed",
    "less_than_equal": "at most {le:g} is possible",
}
"""Kinds of pydantic's errors, in plain words."""
_EXTRA = re.compile(r"unexpected extra arguments?(?:\(s\))? \((.*)\)", re.DOTALL)
_CHOICES = re.compile(r"is not one of (.*?)\.?$", re.DOTALL)
_OPTION = re.compile(r"Option '([^']+)'")


def usage_failure(error: typer.TyperException, command: str) -> Failure:
    """The failure that an error of the parser means; `command` is the one that was being run, when the error does not say."""
    context: Any = getattr(error, "ctx", None)
    path = context.command_path if context else command
    told = _told(error, context)
    what, remedy = told or (error.format_message().removesuffix("."), "")
    help_ = f"See `{path} --help`"
    return Failure(what, f"{sentence(remedy)} {help_}" if remedy else help_, getattr(error, "exit_code", EXIT_USAGE))


def _told(error: typer.TyperException, context: Any) -> tuple[str, str] | None:
    """(what, remedy); None = the parser's own words have to do."""
    kind, message = type(error).__name__, error.format_message()
    option = getattr(error, "option_name", None) or (found[1] if (found := _OPTION.search(message)) else None)
    if kind == "MissingParameter":
        return f"{_name(error)} is missing", _example(context)
    if kind == "BadParameter":
        return _bad_value(error)
    if kind == "NoSuchOption":
        near = difflib.get_close_matches(str(option), getattr(error, "possibilities", None) or (), 2, 0.7)
        return f"There is no option {option}", f"Did you mean {' or '.join(near)}?" if near else ""
    if "requires an argument" in message:
        return f"{option}: its value is missing", f"For example: {_EXAMPLES[option]}" if option in _EXAMPLES else ""
    if "does not take a value" in message:
        return f"{option} takes no value", ""
    if "No such command" in message:
        return _no_command(message, context)
    if "Missing command" in message:
        return f"Say which command: {', '.join(_commands(context))}", _example(context)
    if extra := _EXTRA.search(message):
        return _extra(extra[1], context)
    return None


def _name(error: Any) -> str:
    """The option or argument that an error is about, as a reader types it."""
    parameter = getattr(error, "param", None)
    if parameter is None:
        return "A value"
    is_option = getattr(parameter, "param_type_name", "") == "option"
    return str(parameter.opts[0] if is_option else (parameter.metavar or parameter.name.upper()).strip("[]"))


def _bad_value(error: Any) -> tuple[str, str] | None:
    listed: list[dict[str, Any]] = getattr(error.__cause__, "errors", list)()
    if not listed:
        return None
    name, fault = _name(error), listed[0]
    example = f"For example: {_EXAMPLES[name]}" if name in _EXAMPLES else ""
    choices = _CHOICES.search(str(fault.get("msg", "")))
    if choices:
        there_are = choices[1].replace("'", "")
        return f"{name} {fault['input']}: there is no such value", f"There are: {there_are}"
    wrong = _WRONG.get(fault["type"])
    return (f"{name} {fault['input']}: {wrong.format(**fault.get('ctx', {}))}", example) if wrong else None


def _commands(context: Any) -> Mapping[str, Any]:
    return getattr(getattr(context, "command", None), "commands", {})


def _no_command(message: str, context: Any) -> tuple[str, str]:
    given = message.partition("'")[2].partition("'")[0]
    known = _commands(context)
    near = difflib.get_close_matches(given, known, 3, 0.5)
    return f"There is no command {given}", f"Did you mean {' or '.join(near)}?" if near else f"There are: {', '.join(known)}"


def _example(context: Any) -> str:
    """The first example of the command's help."""
    help_ = getattr(getattr(context, "command", None), "help", None) or ""
    lines = [line.strip() for line in help_.partition("Examples:")[2].splitlines() if line.strip()]
    return f"For example: `{lines[0]}`" if lines else ""


def _extra(extra: str, context: Any) -> tuple[str, str]:
    """More words than the command takes: those of a name or question without quotes."""
    first = next((value for value in getattr(context, "params", {}).values() if isinstance(value, str)), "")
    words = [first, *extra.split()]
    command = getattr(context, "info_name", "")
    if command not in ("sql", "find") or any(Path(word).exists() for word in words):
        # A `*` that the shell replaced by names of files is not repeated.
        hint = "Put a question in quotes" if command == "sql" else "Put a name of several words in quotes"
        return f"Too many words: {extra[:80]}", f"{hint}: {_QUOTED_EXAMPLES[command]}" if command in _QUOTED_EXAMPLES else ""
    what = "question" if command == "sql" else "name"
    whole = " ".join(words).replace("'", '"') if command == "sql" else " ".join(words)
    quoted = f'"{whole}"' if not set(whole) & set('"$`\\!') else shlex.quote(whole)
    return f"Too many words: {extra[:80]}", f"Put the {what} in quotes: `notatio {command} {quoted}`"


_QUOTED_EXAMPLES = {"sql": '`notatio sql "select white from games"`', "find": "`notatio find 'Fischer, Robert'`"}
