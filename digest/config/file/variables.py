"""``${NAME}`` in the file: what stands for it is put in, and is never shown, for it may be a secret."""

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
    "DIGEST_SMTP_PASSWORD": ("smtp", "password"),
    "DIGEST_BOUNCES_PASSWORD": ("bounces", "password"),
}
"""Variables that overrule a key of the file; passwords only where the file has their table."""

_VARIABLE = re.compile(r"\$(\$|\{([^}]*)(\}?))")
_SHELL_VARIABLE = re.compile(r"\$([A-Z][A-Z0-9_]{2,})")
"""A whole text that somebody wrote as a shell has it."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MIN_SECRET_LENGTH = 4
"""What is shorter is no secret, and stands in many words."""


def fill_variables(
    raw_document: dict[str, Any], environ: Mapping[str, str]
) -> tuple[dict[str, Any], list[Problem]]:
    """The document with every ``${NAME}`` replaced and secrets from the environment put in."""
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
    """A mistake that is told with ``${NAME}``, and not with what stands for it.

    Args:
        problem: the mistake.
        raw_document: the document as it stands in the file.
        environ: what ``${NAME}`` stands for.
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
    """What the environment says in place of variables of a file, of those that are no mere word."""
    names = {*ENVIRONMENT_KEYS, *(match[2] for match in _VARIABLE.finditer(text) if match[2])}
    return frozenset(value for name in names if len(value := environ.get(name, "")) >= _MIN_SECRET_LENGTH)


def _iter_texts_at(path: KeyPath, document: Any) -> Iterator[str]:
    """The texts with a variable in what a path leads to; where a text stands for a table, it leads no further."""
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
    """The variables of a text that the environment lacks, each once, with what to say; "" for what names none."""
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
