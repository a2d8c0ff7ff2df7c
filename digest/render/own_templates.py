"""Users' own templates: they override ours, are stopped if they run away, and are replaced by ours if they are broken.

A template is a program. Its operations are counted rather than timed, so that it is stopped at the same point
on every machine.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, MacroRef

from digest.render.old_names import (
    OldName,
    RenamedVariables,
    find_old_names,
    find_old_variables,
    make_undefined_type,
)

MAX_ROUNDS = 300_000
"""Maximum number of loop iterations and macro calls in one rendering; a mail of 100 papers has some thousand."""
MAX_CHARACTERS = 5_000_000
"""Maximum output of one rendering, or of one block in it, in characters; the HTML of a mail has at most 90,000."""
_MAX_FAILURES = 10
"""Number of failures after which this process stops trying a template; one that ran away is not tried again.

A run may have a million mails, so trying each time would cost too much.
"""
_MAX_RANGE = 100_000

TemplateErrorHandler = Callable[[str, str], None]
"""Called with the path of a broken template, such as ``mail/edition.html``, and the problem, with file and line."""


class RunawayError(Exception):
    """A template exceeds a limit on its operations or its output."""


class UserEnvironment(jinja2.Environment):
    """An environment that searches the user's templates first; ``shipped/x`` is always the shipped template ``x``.

    Args:
        folder: the folder of the user's templates.
        shipped: the environment of the shipped templates.
        on_error: called for each broken template, which the shipped one then replaces; None: raise an error.
        options: options of Jinja2.

    Attributes:
        folder: as given; likewise ``shipped`` and ``on_error``.
        used_names: names of the user's templates that have been loaded.
    """

    def __init__(
        self, folder: Path, shipped: jinja2.Environment, on_error: TemplateErrorHandler | None, **options: Any
    ) -> None:
        assert shipped.loader is not None
        self.used_names: set[str] = set()
        user_loader = _UserTemplateLoader(folder, shipped.loader, on_error, self.used_names)
        loader = jinja2.ChoiceLoader(
            [user_loader, shipped.loader, jinja2.PrefixLoader({"shipped": shipped.loader})]
        )
        super().__init__(loader=loader, **options)
        self.add_extension(RenamedVariables)
        self.code_generator_class = _CountingCodeGenerator
        self._old_names: set[OldName] = set()
        # Without an error handler this is a trial of templates, the only case in which old names are of interest.
        self.undefined = make_undefined_type(self._old_names if on_error is None else None)
        self.globals["range"] = _make_range
        self.folder = folder
        self.shipped = shipped
        self.on_error = on_error
        self._rounds = _RoundBudget()
        self._failures: Counter[str] = Counter()

    def start_template(self, name: str) -> jinja2.Template:
        """Return a template for one rendering and reset its limits; the shipped one if it has failed too often."""
        if self._failures[name] >= _MAX_FAILURES:
            return self.shipped.get_template(name)
        self._rounds.remaining = MAX_ROUNDS
        return self.get_template(name)

    def list_old_names(self) -> Iterator[OldName]:
        """Yield the old names in the user's loaded templates: those used in renderings, and those found by parsing."""
        yield from self._old_names
        for name in self.used_names:
            file = self.folder / name
            source = file.read_text("utf-8")
            yield from find_old_variables(str(file), self.lex(source, name, str(file)))
            yield from find_old_names(str(file), self.parse(source, name, str(file)))

    def record_failure(self, name: str, problem: str, *, is_runaway: bool) -> bool:
        """Record that a template failed; return whether the shipped one replaces it."""
        if self.on_error is None:
            return False
        self._failures[name] += _MAX_FAILURES if is_runaway else 1
        self.on_error(name, problem)
        return True

    @property
    def round(self) -> bool:
        """Count one round; always true. It is a property because a template reads it in a fifth of the time of a call.

        Raises:
            RunawayError: it was one round too many.
        """
        self._rounds.remaining -= 1
        if self._rounds.remaining < 0:
            raise RunawayError(f"its loops and macros run more than {MAX_ROUNDS:,} times")
        return True

    @staticmethod
    def concat(chunks: Iterable[str]) -> str:
        """Join the output of a template or block.

        Raises:
            RunawayError: the output is too long.
        """
        return "".join(limit_chunks(chunks))


def limit_chunks(chunks: Iterable[str]) -> Iterator[str]:
    """Yield the output of a template chunk by chunk.

    Raises:
        RunawayError: the output is too long.
    """
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > MAX_CHARACTERS:
            raise RunawayError(f"it produces more than {MAX_CHARACTERS:,} characters")
        yield chunk


class _RoundBudget(threading.local):
    """The number of rounds that remain for the current rendering of this thread."""

    remaining = MAX_ROUNDS


class _UserTemplateLoader(jinja2.FileSystemLoader):
    """Loads the user's templates; if one has a syntax error or cannot be read, it loads the shipped one, if any.

    Args:
        folder: the folder of the user's templates.
        shipped: the loader of our templates.
        on_error: called for each broken template; None: raise an error.
        used_names: the name of each loaded template is added to it.
    """

    def __init__(
        self,
        folder: Path,
        shipped: jinja2.BaseLoader,
        on_error: TemplateErrorHandler | None,
        used_names: set[str],
    ) -> None:
        super().__init__(folder)
        self._shipped, self._on_error, self._used_names = shipped, on_error, used_names

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        try:
            return super().get_source(environment, template)
        except jinja2.TemplateNotFound:  # a subclass of OSError
            raise
        except (OSError, UnicodeError) as error:
            file = str(Path(self.searchpath[0], template))
            reason = "it is not UTF-8" if isinstance(error, UnicodeError) else error.strerror or str(error)
            raise jinja2.TemplateSyntaxError(reason, 1, template, file) from error

    def load(
        self,
        environment: jinja2.Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002 - Jinja2's name
    ) -> jinja2.Template:
        try:
            template = super().load(environment, name, globals)
        except jinja2.TemplateSyntaxError as error:
            if self._on_error is None:
                raise
            try:
                fallback = self._shipped.load(environment, name, globals)
            except jinja2.TemplateNotFound:
                raise error from None  # it has a new name, so no shipped template can replace it
            self._on_error(name, describe_syntax_error(error))
            return fallback
        else:
            self._used_names.add(name)
            return template


def describe_syntax_error(error: jinja2.TemplateSyntaxError) -> str:
    """Describe a syntax error of a template, with its file and line."""
    return f"the template {error.filename or error.name}, line {error.lineno} cannot be read: {error.message}"


def _make_range(*limits: int) -> range:
    """Return a range of limited length, because a filter could turn it into a list, which is not counted."""
    numbers = range(*limits)
    if len(numbers) > _MAX_RANGE:
        raise RunawayError(f"a range has at most {_MAX_RANGE:,} numbers")
    return numbers


# --- counting of rounds ---------------------------------------------------------------------------


class _CountingCodeGenerator(CodeGenerator):
    """Compiles templates so that each iteration of a loop and each call of a macro is counted."""

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        node.body.insert(0, nodes.ExprStmt(_make_round_check(node), lineno=node.lineno))
        if node.test is not None:  # rounds that the condition skips count, too
            node.test = nodes.And(_make_round_check(node), node.test, lineno=node.lineno)
        super().visit_For(node, frame)

    def macro_body(self, node: nodes.Macro | nodes.CallBlock, frame: Frame) -> tuple[Frame, MacroRef]:
        node.body.insert(0, nodes.ExprStmt(_make_round_check(node), lineno=node.lineno))
        return super().macro_body(node, frame)


def _make_round_check(node: nodes.Node) -> nodes.Expr:
    return nodes.EnvironmentAttribute("round", lineno=node.lineno)
