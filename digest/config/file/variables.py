"""Variables ``${NAME}`` in the file: values replace them, and no message shows these, for they may be secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from digest.config.file.locations import Problem

if TYPE_CHECKING:
    from digest.config.file.layout import KeyPath

ENVIRONMENT_KEYS = {
    "DIGEST_STORE_URL": ("store", "url"),
    "DIGEST_STORE_READ_URL": ("store", "read_url"),
    "DIGEST_SMTP_PASSWORD": ("smtp", "password"),
    "DIGEST_BOUNCES_PASSWORD": ("bounces", "password"),
}
"""Environment variables that override a key of the file; passwords only if the file has their table."""

_VARIABLE = re.compile(r"\$(\$|\{([^}]*)(\}?))")
_SHELL_VARIABLE = re.compile(r"\$([A-Z][A-Z0-9_]{2,})")
"""A variable in the syntax of a shell; it counts as one only if it is the whole text."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MIN_SECRET_LENGTH = 4
"""Minimum length of a value that counts as secret, in characters; shorter ones occur in many words."""


def fill_variables(
    raw_document: dict[str, Any], environ: Mapping[str, str]
) -> tuple[dict[str, Any], list[Problem]]:
    """Replace every ``${NAME}`` in a document and insert the secrets of the environment."""
    problems: list[Problem] = []
    document = _replace_variables(raw_document, (), environ, problems)
    for name, (table, key) in ENVIRONMENT_KEYS.items():
        if not environ.get(name) or (key == "password" and table not in document):
            continue
        if isinstance(document.setdefault(table, {}), dict):
            document[table][key] = environ[name]
            problems = [problem for problem in problems if problem.path != (table, key)]
    return document, problems


def restore_variables(
    problem: Problem, raw_document: Mapping[str, Any], environ: Mapping[str, str]
) -> Problem:
    """Return a problem whose message has ``${NAME}`` instead of the value.

    Args:
        problem: the mistake.
        raw_document: the document as written in the file.
        environ: the values of ``${NAME}``.
    """
    message = problem.message
    for text in _iter_texts_at(problem.path, raw_document):
        filled_text = _fill_text(text, environ)
        message = message.replace(repr(filled_text), repr(text))
        variables = [(f"${{{match[2]}}}", environ.get(match[2], "")) for match in _VARIABLE.finditer(text)]
        for source_text, value in ((text, filled_text), *variables):
            if len(value) >= _MIN_SECRET_LENGTH:
                message = message.replace(value, source_text)
    return replace(problem, message=message)


def list_variable_values(text: str, environ: Mapping[str, str]) -> frozenset[str]:
    """Return the environment's values of all variables that a file uses, except values too short to be secrets."""
    names = {*ENVIRONMENT_KEYS, *(match[2] for match in _VARIABLE.finditer(text) if match[2])}
    return frozenset(value for name in names if len(value := environ.get(name, "")) >= _MIN_SECRET_LENGTH)


def _iter_texts_at(path: KeyPath, document: Any) -> Iterator[str]:
    """Yield the texts with variables at a path; if a bare string stands for a table, the path ends at that string."""
    for part in path:
        if isinstance(document, str):
            break
        try:
            document = document[part]
        except (KeyError, IndexError, TypeError):
            return
    yield from _iter_texts(document)


def _iter_texts(document: object) -> Iterator[str]:
    if isinstance(document, str):
        if "${" in document:
            yield document
    elif isinstance(document, dict | list):
        for element in document.values() if isinstance(document, dict) else document:
            yield from _iter_texts(element)


def _replace_variables(value: Any, path: KeyPath, environ: Mapping[str, str], problems: list[Problem]) -> Any:
    match value:
        case dict():
            return {
                key: _replace_variables(element, (*path, key), environ, problems)
                for key, element in value.items()
            }
        case list():
            return [
                _replace_variables(element, (*path, number), environ, problems)
                for number, element in enumerate(value)
            ]
        case str() if "$" in value:
            problems += [
                Problem(path=path, message=message, variable=name)
                for name, message in _find_unset_variables(value, environ)
            ]
            return _fill_text(value, environ)
        case _:
            return value


def _fill_text(text: str, environ: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: "$" if match[1] == "$" else environ.get(match[2], ""), text)


def _find_unset_variables(text: str, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each variable of a text that the environment lacks, with a message; the name is "" if it is malformed."""
    if bare := _SHELL_VARIABLE.fullmatch(text):
        yield "", f"write ${{{bare[1]}}} for the environment variable, or ${text} for this text itself"
    for match in {occurrence[0]: occurrence for occurrence in _VARIABLE.finditer(text)}.values():
        if match[1] == "$" or match[2] in environ:
            continue
        if match[3] and _NAME.fullmatch(match[2]):
            yield (
                match[2],
                f"the environment variable {match[2]} is not set; set it, or write $$ for a dollar sign",
            )
        else:
            yield "", "a ${ is not followed by the name of a variable; write ${NAME}, or $$ for a dollar sign"
