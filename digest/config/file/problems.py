"""Translation of pydantic's errors into our words: what is wrong, and what to write instead."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from digest.config.file.locations import Problem
from digest.config.tables import ConfigFile

if TYPE_CHECKING:
    from digest.config.file.layout import KeyPath

_MISPLACED_KEYS = {"alert": 'it belongs in the table of a follow, for example { query = "…", alert = true }'}
_EXPECTED = {
    "string_type": "write a string in quotes",
    "int_type": "write a whole number, without quotes",
    "int_from_float": "write a whole number",
    "float_type": "write a number, without quotes",
    "bool_type": "write true or false, without quotes",
    "list_type": 'write a list: ["…", "…"]',
    "model_type": "write a string in quotes, or a table",
    "finite_number": "write a finite number",
    "string_too_short": "it must not be empty",
    "too_short": "it needs at least one entry",
}


def list_problems(error: ValidationError, document: Mapping[str, object]) -> Iterator[Problem]:
    """Yield pydantic's errors in our words, except for keys that are missing only because they are misspelt."""
    errors = error.errors(include_url=False, include_input=False)
    similar_paths = {
        (*entry["loc"][:-1], _find_similar_key(entry["loc"]))
        for entry in errors
        if entry["type"] == "extra_forbidden"
    }
    for details in errors:
        if details["type"] != "missing" or details["loc"] not in similar_paths:
            yield _make_problem(details, document)


def match_table(name: str) -> str:
    """Return the table of the file that a name stands for: the name itself, or the correct spelling."""
    return name if name in ConfigFile.model_fields else _find_similar_key((name,)) or name


def _make_problem(details: ErrorDetails, document: Mapping[str, object]) -> Problem:
    path, kind = details["loc"], details["type"]
    context = details.get("ctx", {})
    if kind == "extra_forbidden":
        return Problem(path=path, message=_describe_unknown_key(path), on_key=True)
    if kind == "missing":
        return Problem(path=path, message=_describe_missing_key(path))
    shown_path = _strip_implied_keys(path, document)
    if kind == "query":
        return Problem(path=shown_path, message=context["told"], part=(context["query"], context["position"]))
    return Problem(
        path=shown_path,
        message=_describe_brackets(shown_path, kind) or _describe_error(kind, context, details["msg"]),
    )


def _describe_error(kind: str, context: Mapping[str, object], default: str) -> str:
    match kind:
        case "meaning":
            return str(context["told"])
        case "literal_error" | "enum":
            return f"write one of: {str(context['expected']).replace(' or ', ', ')}"
        case "greater_than_equal":
            return f"it must be at least {context['ge']}"
        case "greater_than":
            return f"it must be more than {context['gt']:g}"
        case "less_than_equal":
            return f"it must be at most {context['le']}"
        case _:
            return _EXPECTED.get(kind, default)


def _describe_brackets(path: KeyPath, kind: str) -> str:
    """Return advice on the brackets of a table, which are easily confused; "" if they are not the mistake."""
    if len(path) != 1:
        return ""
    if kind == "list_type":
        return f"write [[{path[0]}]] in double brackets, because there can be several"
    if kind == "model_type":
        return f"write [{path[0]}] in single brackets, and only once"
    return ""


def _describe_unknown_key(path: KeyPath) -> str:
    key = str(path[-1])
    if key in _MISPLACED_KEYS:
        return f"there is no such key here: {_MISPLACED_KEYS[key]}"
    if similar_key := _find_similar_key(path):
        return f"there is no such key; did you mean `{similar_key}`?"
    if owner := _find_owner(path):
        return f"there is no such key here; it belongs in {owner}"
    return f"there is no such key; the keys are {', '.join(sorted(_find_fields(path)))}"


def _find_similar_key(path: KeyPath) -> str:
    """Return the key that an unknown key probably misspells; "" if there is none."""
    matches = difflib.get_close_matches(str(path[-1]).lower(), sorted(_find_fields(path)), n=1)
    return matches[0] if matches else ""


def _find_owner(path: KeyPath) -> str:
    """Return the table, with its brackets, that has a key of this name; "" if there is none, or several."""
    owners = [
        f"[[{name}]]" if get_origin(field.annotation) is list else f"[{name}]"
        for name, field in ConfigFile.model_fields.items()
        if any(path[-1] in index_fields(table) for table in islice(iter_tables(field.annotation), 1))
    ]
    if "[[digest]]" in owners and "[[public_digest]]" in owners:
        owners.remove("[[public_digest]]")  # it has nearly the same keys, and is in fewer files
    return owners[0] if len(owners) == 1 else ""


def _describe_missing_key(path: KeyPath) -> str:
    key = str(path[-1])
    example = str((_find_fields(path)[key].examples or ["…"])[0])
    quote = "'" if '"' in example else '"'
    return f"`{key}` is missing; write, for example, {key} = {quote}{example}{quote}"


def _find_fields(path: KeyPath) -> dict[str, FieldInfo]:
    """Return the fields of the table that contains the last key of a path, by key."""
    table: type[BaseModel] = ConfigFile
    for part in path[:-1]:
        if isinstance(part, str):
            table = next(iter_tables(index_fields(table)[part].annotation))
    return index_fields(table)


def index_fields(table: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields of a table by key, as written in the file."""
    return {field.alias or name: field for name, field in table.model_fields.items()}


def iter_tables(annotation: object) -> Iterator[type[BaseModel]]:
    """Yield the table classes in a type annotation."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from iter_tables(argument)


def _strip_implied_keys(path: KeyPath, document: object) -> KeyPath:
    """Return a path without the keys that validation added because a bare string stands for a table."""
    for depth, part in enumerate(path):
        if not isinstance(document, Mapping | list):
            return path[:depth]
        try:
            document = document[part]  # type: ignore[index]
        except (KeyError, IndexError):
            return path
    return path
