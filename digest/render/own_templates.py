"""A user's own templates: found before ours, stopped where they run away, and ours in their place where they are broken.

A template is a program. What it may do is counted, not timed, so that it is stopped at the same place on every machine.
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

from digest.render.old_names import OldName, find_old_names, make_undefined_type

MAX_ROUNDS = 300_000
"""Of all loops and macros in one rendering; a mail of 100 papers takes some thousand."""
MAX_CHARACTERS = 5_000_000
"""Characters that one rendering, or one block of it, makes; the HTML of a mail has 90,000 at the most."""
_MAX_FAILURES = 10
"""What has failed so often, or has run away once, is not tried again by this process: a run may be of a million mails."""
_MAX_RANGE = 100_000

TemplateErrorHandler = Callable[[str, str], None]
"""Is told of a template that is broken: its path, such as ``mail/edition.html``, and what is wrong, with file and line."""


class RunawayError(Exception):
    """A template goes on and on."""


class UserEnvironment(jinja2.Environment):
    """Finds a user's templates first; ``shipped/x`` always is the shipped one.

    Args:
        folder: with the user's templates.
        shipped: the environment of those that ship.
        on_error: is told of what is broken, instead of which the shipped template is used; None: that is an error.
        options: of Jinja2.

    Attributes:
        folder: as given; so are ``shipped`` and ``on_error``.
        used_names: which of the user's templates have been loaded.
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
        self.code_generator_class = _CountingCodeGenerator
        self._old_names: set[OldName] = set()
        # Where errors are not reported to anybody, templates are tried: only there old names are of interest.
        self.undefined = make_undefined_type(self._old_names if on_error is None else None)
        self.globals["range"] = _make_range
        self.folder = folder
        self.shipped = shipped
        self.on_error = on_error
        self._rounds = _RoundBudget()
        self._failures: Counter[str] = Counter()

    def start_template(self, name: str) -> jinja2.Template:
        """A template for one rendering, in which what it does is counted; the shipped one of what is given up."""
        if self._failures[name] >= _MAX_FAILURES:
            return self.shipped.get_template(name)
        self._rounds.remaining = MAX_ROUNDS
        return self.get_template(name)

    def list_old_names(self) -> Iterator[OldName]:
        """List the old names in the user's templates that have been loaded: those used so far, and those that can be read off."""
        yield from self._old_names
        for name in self.used_names:
            file = self.folder / name
            yield from find_old_names(str(file), self.parse(file.read_text("utf-8"), name, str(file)))

    def record_failure(self, name: str, problem: str, *, is_runaway: bool) -> bool:
        """Take note of a template that failed; says whether the shipped one takes its place."""
        if self.on_error is None:
            return False
        self._failures[name] += _MAX_FAILURES if is_runaway else 1
        self.on_error(name, problem)
        return True

    @property
    def round(self) -> bool:
        """Count a round; always true. A template looks it up in a fifth of the time of a call.

        Raises:
            RunawayError: it was one too many.
        """
        self._rounds.remaining -= 1
        if self._rounds.remaining < 0:
            raise RunawayError(f"its loops and macros run more than {MAX_ROUNDS:,} times")
        return True

    @staticmethod
    def concat(chunks: Iterable[str]) -> str:
        """What a template, or a block of it, made.

        Raises:
            RunawayError: that is too much.
        """
        return "".join(limit_chunks(chunks))


def limit_chunks(chunks: Iterable[str]) -> Iterator[str]:
    """What a template makes, piece by piece.

    Raises:
        RunawayError: that is too much.
    """
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > MAX_CHARACTERS:
            raise RunawayError(f"it produces more than {MAX_CHARACTERS:,} characters")
        yield chunk


class _RoundBudget(threading.local):
    """How many rounds are left to what this thread renders."""

    remaining = MAX_ROUNDS


class _UserTemplateLoader(jinja2.FileSystemLoader):
    """The user's folder; of a template that cannot even be read the shipped one is loaded, if there is one.

    Args:
        folder: the user's.
        shipped: loads ours.
        on_error: is called for a broken template; None: it is an error.
        used_names: the name of each template that was loaded is added to it.
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
        except jinja2.TemplateNotFound:  # which is an OSError, too
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
                raise error from None  # one that only the user's templates include
            self._on_error(name, describe_syntax_error(error))
            return fallback
        else:
            self._used_names.add(name)
            return template


def describe_syntax_error(error: jinja2.TemplateSyntaxError) -> str:
    """What is wrong with a template that cannot be read, with its file and line."""
    return f"the template {error.filename or error.name}, line {error.lineno} cannot be read: {error.message}"


def _make_range(*limits: int) -> range:
    """A range that can be made a list of, say by a filter, which nobody counts."""
    numbers = range(*limits)
    if len(numbers) > _MAX_RANGE:
        raise RunawayError(f"a range has at most {_MAX_RANGE:,} numbers")
    return numbers


# --- counting -------------------------------------------------------------------------------------


class _CountingCodeGenerator(CodeGenerator):
    """Makes programs of templates in which each round of a loop, and each call of a macro, is counted."""

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802 - Jinja2's name
        node.body.insert(0, nodes.ExprStmt(_make_round_check(node), lineno=node.lineno))
        if node.test is not None:  # a round that it leaves out is one, too
            node.test = nodes.And(_make_round_check(node), node.test, lineno=node.lineno)
        super().visit_For(node, frame)

    def macro_body(self, node: nodes.Macro | nodes.CallBlock, frame: Frame) -> tuple[Frame, MacroRef]:
        node.body.insert(0, nodes.ExprStmt(_make_round_check(node), lineno=node.lineno))
        return super().macro_body(node, frame)


def _make_round_check(node: nodes.Node) -> nodes.Expr:
    return nodes.EnvironmentAttribute("round", lineno=node.lineno)
