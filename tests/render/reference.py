"""What templates really get: every variable and field, with its type and what it was, seen while all of them are tried."""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import jinja2
from jinja2.runtime import Context
from markupsafe import Markup

from digest.render.branding import Branding
from digest.render.locale_bundle import LocaleBundle, make_locale_bundle
from digest.render.template_trial.every_template import try_templates

NOW = datetime(2026, 6, 12, 5, 30, tzinfo=UTC)
SITE = Branding(
    title="Systems lab digest",
    url="https://digest.example.org/",
    contact="ops@example.org",
    sender="Digest <digest@example.org>",
    source_titles={"arxiv": "arXiv"},
)
PLAIN = {str: "text", int: "number", float: "number", bool: "yes or no", Markup: "HTML", type(None): "none"}


class VariableUse(NamedTuple):
    """A variable of a template or a field of a type.

    Attributes:
        type: in words.
        examples: what it was, each once, in the order seen; none of what has fields of its own.
    """

    type: str
    examples: list[str]


@dataclasses.dataclass
class Reference:
    """All that was seen: variables by template and name, fields by type and name."""

    variables: dict[tuple[str, str], VariableUse] = dataclasses.field(default_factory=dict)
    fields: dict[tuple[str, str], VariableUse] = dataclasses.field(default_factory=dict)

    def note_variables(self, template: str, variables: Mapping[str, Any]) -> None:
        for name, value in variables.items():
            variable_use = self.variables.get((template, name))
            message = _combine_types(variable_use.type if variable_use else "", _describe_value(value))
            self.variables[template, name] = VariableUse(
                message, variable_use.examples if variable_use else []
            )
            self._note(self.variables[template, name], value)

    def _note(self, variable_use: VariableUse, value: Any) -> None:
        kind: type[object] = type(value)
        if isinstance(value, str | int | float):
            text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            if text and text not in variable_use.examples and len(variable_use.examples) < 500:
                variable_use.examples.append(text)
        elif isinstance(value, Mapping):
            for entry in value.values():
                self._note(variable_use, entry)
        elif field_types := _get_field_types(kind):  # type: ignore[arg-type] # a class is hashable
            for name, message in field_types.items():
                field = self.fields.setdefault((kind.__name__, name), VariableUse(message, []))
                self._note(field, getattr(value, name))
        elif isinstance(value, Iterable):
            for entry in value:
                self._note(variable_use, entry)


@functools.cache
def _get_field_types(kind: type) -> Mapping[str, str]:
    """The fields of what has some, each with its type in words; what is not made for templates is not gone through."""
    if not kind.__module__.startswith("digest.render"):
        return {}
    if dataclasses.is_dataclass(kind):
        names = tuple(field.name for field in dataclasses.fields(kind))
    else:
        names = tuple(getattr(kind, "_fields", ()))
    hints = typing.get_type_hints(kind)
    return {name: _describe_hint(hints[name]) for name in names}


def _describe_value(value: Any) -> str:
    """A value in words."""
    if type(value) in PLAIN:
        return PLAIN[type(value)]
    if callable(value):
        return "function"
    if isinstance(value, Mapping):
        return f"{_describe_values(value.values()).removeprefix('list of ')} by name"
    if isinstance(value, tuple | list) and not hasattr(value, "_fields"):
        return _describe_values(value)
    return type(value).__name__


def _describe_values(values: Iterable[Any]) -> str:
    kinds = list(
        dict.fromkeys(
            max((_describe_value(entry) for entry in values), key=len) for values in _split_columns(values)
        )
    )
    return f"list of {' and '.join(kinds)}" if kinds else "list"


def _split_columns(values: Iterable[Any]) -> Iterator[Sequence[Any]]:
    """Values of one kind each: pairs are taken apart."""
    arguments = list(values)
    are_pairs = arguments and all(
        type(entry) is tuple and len({_describe_value(part) for part in entry}) > 1 for entry in arguments
    )
    yield from zip(*arguments, strict=True) if are_pairs else ([arguments] if arguments else [])


def _combine_types(before: str, now: str) -> str:
    """Two kinds of the same variable: an empty list, or none, is one of what else it can be."""
    can_be_none = now == "none" or before == "none" or before.endswith(" or none")
    kinds = [kind.removesuffix(" or none") for kind in (before, now) if kind not in {"", "none"}]
    return " or ".join([*sorted(kinds, key=len)[-1:], *(["none"] if can_be_none else [])])


def _describe_hint(hint: Any) -> str:
    """An annotation in words."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in {types.UnionType, typing.Union}:
        return " or ".join(_describe_hint(argument) for argument in arguments)
    if origin is not None and issubclass(origin, Mapping):
        return f"{_describe_hint(arguments[1])} by name"
    if origin is not None and issubclass(origin, Iterable):
        return f"list of {_describe_hint(arguments[0])}"
    if origin is not None and issubclass(origin, Callable):  # type: ignore[arg-type] # it is a class at run time
        return "function"
    return str(getattr(hint, "__name__", hint))


def record_variables() -> Reference:
    """Try all templates that ship, and look what they get."""
    reference = Reference()

    class Looking(jinja2.Template):
        def new_context(
            self,
            vars: dict[str, Any] | None = None,  # noqa: A002 - Jinja2's name
            shared: bool = False,  # noqa: FBT001, FBT002 - Jinja2's
            locals: Mapping[str, Any] | None = None,  # noqa: A002 - Jinja2's name
        ) -> Context:
            if vars and not shared:
                reference.note_variables(str(self.name), vars)
            return super().new_context(vars, shared, locals)

    def make(language: str) -> LocaleBundle:
        tongue = make_locale_bundle(language, SITE, None, None)
        tongue.environment.template_class = Looking
        return tongue

    trial = try_templates(make, ["en"], NOW)
    assert trial.errors == ()
    return reference


# --- the page -------------------------------------------------------------------------------------


def iter_table_rows(page: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of the tables of a page, each under its heading; what stands between back quotes is without them."""
    heading = ""
    for line in page.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("| `"):
            yield heading, [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def find_quoted_texts(cell: str) -> list[str]:
    """What stands between back quotes."""
    return [text.replace("\\|", "|") for text in re.findall("`([^`]*)`", cell)]


def remove_links(cell: str) -> str:
    """A cell without its links."""
    return re.sub(r"\[(\w+)\]\(#\w+\)", r"\1", cell)


def group_by_variable(reference: Reference) -> dict[tuple[str, str], set[str]]:
    """The templates that get a variable, by its name and type."""
    together: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (template, name), variable_use in reference.variables.items():
        together[name, variable_use.type].add(template)
    return together
