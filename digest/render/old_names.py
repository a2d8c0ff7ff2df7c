"""Names of the previous release in users' templates: they work for one more release, and `digest check` lists them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from jinja2.utils import missing

NEW_NAMES: Mapping[str, Mapping[str, str]] = {
    "Batch": {"filling": "is_filling"},
    "Completeness": {"whole": "is_complete"},
    "DayEdition": {"cards": "papers"},
    "Edition": {"rest": "overflow"},
    "EditionSection": {"cards": "papers"},
    "Event": {"newly": "new_categories"},
    "Locale": {"clock": "format_clock", "joined": "join_parts"},
    "Reason": {"band": "confidence"},
}
"""The present names by the previous release's names, by class. Remove them in the next release."""

NEW_VARIABLES: Mapping[str, str] = {
    "back": "edition_link",
    "card": "paper",
    "masthead": "site",
    "noted": "feedback_notes",
    "openings": "feed_groups",
    "shelves": "digests",
}
"""The present names of templates' variables by those of the previous release. Remove them in the next release."""

NEW_TEMPLATES: Mapping[str, str] = {"web/_site.html": "web/_looks.html"}
"""The present templates by those of the previous release. The old ones only import them. Remove them in the next release."""

REPLACEMENTS: Mapping[str, str] = {
    "web/_site.html": "the styles of all pages are now in web/_looks.html, and what surrounds their content in web/_page.html",
}
"""What took the place of a template of the previous release, for users who replaced it."""

BLOCK_REPLACEMENTS: Mapping[tuple[str, str], str] = {
    (
        "mail/edition.html",
        "contents",
    ): "mails have no table of contents any more; what you add before the papers fits into `header`",
}
"""What took the place of a block of the previous release, by template and block."""

_BEFORE_OTHER_NAMES = frozenset({".", "block", "endblock"})
"""Tokens before a name that is not a variable: a field or a block."""
_FIELD_CLASSES = {
    "account": "Completeness",
    "batches": "Batch",
    "edition": "Edition",
    "event": "Event",
    "locale": "Locale",
    "reasons": "Reason",
}
"""The class to which each of these template fields leads, or to which the members of its list belong."""


@dataclass(frozen=True, slots=True, order=True)
class OldName:
    """An old name in a template.

    Attributes:
        file: the path of the template.
        line: the line in it, from 1.
        name: the old name.
        new_name: the name to write in its place.
    """

    file: str
    line: int
    name: str
    new_name: str

    def __str__(self) -> str:
        return (
            f"the template {self.file}, line {self.line} uses `{self.name}`, which is now `{self.new_name}`; "
            "the old name stops working with the next release"
        )


def make_undefined_type(uses: set[OldName] | None) -> type[jinja2.Undefined]:
    """Make the class that Jinja2 creates for a missing attribute: it returns the renamed attribute, or fails when used.

    Jinja2 creates it only after a failed lookup, so attributes that exist cost nothing more.

    Args:
        uses: each use of an old name is added to it; None: uses are not recorded.
    """

    class RenamedOrUndefined(jinja2.StrictUndefined):
        __slots__ = ()

        def __new__(  # type: ignore[misc] # another object on purpose
            cls,
            hint: str | None = None,  # noqa: ARG004 - Jinja2's signature
            obj: object = missing,
            name: str | None = None,
            exc: type[jinja2.TemplateRuntimeError] = jinja2.UndefinedError,  # noqa: ARG004
        ) -> object:
            new_name = _find_new_name(obj, name)
            if name is None or new_name is None:
                return super().__new__(cls)
            if uses is not None:
                uses.add(OldName(*_find_template_line(), name, new_name))
            return getattr(obj, new_name)

    return RenamedOrUndefined


class RenamedVariables(Extension):
    """Gives variables of the previous release their present names when a template is read."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Yield the tokens of a template with the present names.

        A template of the previous release may import something under a name that is that of a variable now
        (``{% import "web/_site.html" as site %}``). It gets another name there, so that it does not hide the variable.
        """
        new_names, previous = dict(NEW_VARIABLES), ""
        for token in stream:
            if token.type == "name" and previous not in _BEFORE_OTHER_NAMES:
                if previous == "as" and token.value in NEW_VARIABLES.values():
                    new_names[token.value] = f"own_{token.value}"
                yield Token(token.lineno, token.type, new_names.get(token.value, token.value))
            else:
                yield token
            previous = str(token.value)


def find_old_variables(file: str, tokens: Iterable[tuple[int, str, str]]) -> Iterator[OldName]:
    """List the old names of variables in a template.

    Args:
        file: the path of the template.
        tokens: line, type and text of each token, as ``Environment.lex`` returns them.
    """
    previous = ""
    for line, kind, text in tokens:
        if kind == "name" and previous not in _BEFORE_OTHER_NAMES and text in NEW_VARIABLES:
            yield OldName(file, line, text, NEW_VARIABLES[text])
        if kind != "whitespace":
            previous = text


def _find_new_name(obj: object, name: object) -> str | None:
    if not isinstance(name, str):  # an index
        return None
    new_names = (NEW_NAMES.get(base.__name__, {}).get(name) for base in type(obj).__mro__)
    return next(filter(None, new_names), None)


def _find_template_line() -> tuple[str, int]:
    """Return the file and line of the running template; Jinja2 marks the globals of its frames."""
    frame = sys._getframe(1)  # noqa: SLF001 - only a traceback has the same information, and there is no error
    while (template := frame.f_globals.get("__jinja_template__")) is None:
        assert frame.f_back is not None
        frame = frame.f_back
    return template.filename, template.get_corresponding_lineno(frame.f_lineno)


def find_old_names(file: str, template: nodes.Template) -> Iterator[OldName]:
    """List the old names in a template without filling it in, so that no condition hides one.

    An object is recognized by the field that it comes from, because other objects still have a `rest`, `band` or
    `whole`.

    Args:
        file: the path of the template.
        template: the parsed template.
    """
    variable_classes = {"locale": "Locale"}
    for loop in template.find_all(nodes.For):
        _note_class(loop.target, loop.iter, variable_classes)
    for assignment in template.find_all(nodes.Assign):
        _note_class(assignment.target, assignment.node, variable_classes)
    for use in template.find_all((nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)):
        used_name = _get_template_name(use.template)  # type: ignore[attr-defined]
        if used_name in NEW_TEMPLATES:
            yield OldName(file, use.lineno, used_name, NEW_TEMPLATES[used_name])
    for node in template.find_all((nodes.Getattr, nodes.Getitem)):
        name = _get_attribute(node)
        new_name = NEW_NAMES.get(_find_class(node.node, variable_classes), {}).get(name)  # type: ignore[attr-defined]
        if new_name:
            yield OldName(file, node.lineno, name, new_name)


def find_unused_blocks(
    name: str, environment: jinja2.Environment, get_source: Callable[[str], str]
) -> Iterator[str]:
    """Yield a message for each block of a template that no template which it extends has: nothing renders it.

    Args:
        name: the template.
        environment: parses templates.
        get_source: returns the source of a template by its name.
    """
    template = environment.parse(get_source(name))
    blocks = [node for node in template.body if isinstance(node, nodes.Block)]
    known_blocks: set[str] = set()
    ancestor, seen_names = template, {name}
    while extends := next(ancestor.find_all(nodes.Extends), None):
        ancestor_name = _get_const(extends.template)
        if ancestor_name is None or ancestor_name in seen_names:
            return
        seen_names.add(ancestor_name)
        ancestor = environment.parse(get_source(ancestor_name))
        known_blocks |= {block.name for block in ancestor.find_all(nodes.Block)}
    for block in blocks if len(seen_names) > 1 else ():
        if block.name not in known_blocks:
            replacement = BLOCK_REPLACEMENTS.get((name, block.name))
            similar_names = get_close_matches(block.name, known_blocks, 1)
            yield (
                f"the block `{block.name}` of {name} is not used"
                f"{f': {replacement}' if replacement else f'; did you mean `{similar_names[0]}`?' if similar_names else ''}"
            )


def _get_const(node: nodes.Node) -> str | None:
    return node.value if isinstance(node, nodes.Const) and isinstance(node.value, str) else None


def _get_template_name(node: nodes.Node) -> str:
    """Return the name of the template that another one uses, or "" if it is only known when that one is rendered."""
    return (_get_const(node) or "").removeprefix("shipped/")


def _note_class(target: nodes.Node, value: nodes.Node, variable_classes: dict[str, str]) -> None:
    if isinstance(target, nodes.Name) and (class_name := _find_class(value, variable_classes)):
        variable_classes[target.name] = class_name


def _find_class(node: nodes.Node, variable_classes: Mapping[str, str]) -> str:
    if isinstance(node, nodes.Name):
        return variable_classes.get(node.name, "")
    return _FIELD_CLASSES.get(_get_attribute(node), "")


def _get_attribute(node: nodes.Node) -> str:
    if isinstance(node, nodes.Getattr):
        return node.attr
    key = node.arg.value if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) else None
    return key if isinstance(key, str) else ""
