"""``${NAME}`` in the file: what stands for it is put in, and is never shown, for it may be a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from digest.config.file.locations import Problem

if TYPE_CHECKING:
    from digest.config.file.layout import KeyPath

ENVIRONMENT = {
    "DIGEST_STORE_URL": ("store", "url"),
    "DIGEST_SMTP_PASSWORD": ("smtp", "password"),
    "DIGEST_BOUNCES_PASSWORD": ("bounces", "password"),
}
"""Variables that overrule a key of the file; passwords only where the file has their table."""

_VARIABLE = re.compile(r"\$(\$|\{([^}]*)(\}?))")
_BARE = re.compile(r"\$([A-Z][A-Z0-9_]{2,})")
"""A whole text that somebody wrote as a shell has it."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHORTEST = 4
"""What is shorter is no secret, and stands in many words."""


def filled(written: dict[str, Any], environ: Mapping[str, str]) -> tuple[dict[str, Any], list[Problem]]:
    """The document with every ``${NAME}`` replaced and secrets from the environment put in."""
    problems: list[Problem] = []
    document = _replaced(written, (), environ, problems)
    for name, (table, key) in ENVIRONMENT.items():
        if not environ.get(name) or (key == "password" and table not in document):
            continue
        if isinstance(document.setdefault(table, {}), dict):
            document[table][key] = environ[name]
            problems = [one for one in problems if one.path != (table, key)]
    return document, problems


def as_written(problem: Problem, written: Mapping[str, Any], environ: Mapping[str, str]) -> Problem:
    """A mistake that is told with ``${NAME}``, and not with what stands for it.

    Args:
        problem: the mistake.
        written: the document as it stands in the file.
        environ: what ``${NAME}`` stands for.
    """
    told = problem.told
    for text in _texts_at(problem.path, written):
        whole = _filled_text(text, environ)
        told = told.replace(repr(whole), repr(text))
        variables = [(f"${{{found[2]}}}", environ.get(found[2], "")) for found in _VARIABLE.finditer(text)]
        for shown, value in ((text, whole), *variables):
            if len(value) >= _SHORTEST:
                told = told.replace(value, shown)
    return replace(problem, told=told)


def values_of(text: str, environ: Mapping[str, str]) -> frozenset[str]:
    """What the environment says in place of variables of a file, of those that are no mere word."""
    names = {*ENVIRONMENT, *(found[2] for found in _VARIABLE.finditer(text) if found[2])}
    return frozenset(value for name in names if len(value := environ.get(name, "")) >= _SHORTEST)


def _texts_at(path: KeyPath, document: Any) -> Iterator[str]:
    """The texts with a variable in what a path leads to; where a text stands for a table, it leads no further."""
    for part in path:
        if isinstance(document, str):
            break
        try:
            document = document[part]
        except (KeyError, IndexError, TypeError):
            return
    yield from _texts(document)


def _texts(document: object) -> Iterator[str]:
    if isinstance(document, str):
        if "${" in document:
            yield document
    elif isinstance(document, dict | list):
        for one in document.values() if isinstance(document, dict) else document:
            yield from _texts(one)


def _replaced(value: Any, path: KeyPath, environ: Mapping[str, str], problems: list[Problem]) -> Any:
    match value:
        case dict():
            return {key: _replaced(one, (*path, key), environ, problems) for key, one in value.items()}
        case list():
            return [_replaced(one, (*path, number), environ, problems) for number, one in enumerate(value)]
        case str() if "$" in value:
            problems += [
                Problem(path=path, told=told, variable=name) for name, told in _unset(value, environ)
            ]
            return _filled_text(value, environ)
        case _:
            return value


def _filled_text(text: str, environ: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda found: "$" if found[1] == "$" else environ.get(found[2], ""), text)


def _unset(text: str, environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The variables of a text that the environment lacks, each once, with what to say; "" for what names none."""
    if bare := _BARE.fullmatch(text):
        yield "", f"write ${{{bare[1]}}} for what the environment holds, or ${text} for the text itself"
    for found in {one[0]: one for one in _VARIABLE.finditer(text)}.values():
        if found[1] == "$" or found[2] in environ:
            continue
        if found[3] and _NAME.fullmatch(found[2]):
            yield found[2], f"the environment has no {found[2]}; set it, or write $$ for a dollar sign"
        else:
            yield "", "a ${ in it names no variable; write ${NAME}, or $$ for a dollar sign"
