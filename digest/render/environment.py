"""The template environment: where templates are found, how users override them, and how their errors are reported."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

import jinja2

from digest.errors import RenderError
from digest.render.compiled_templates import CompiledTemplates
from digest.render.languages.locales import ENGLISH, Locale
from digest.render.own_templates import (
    RunawayError,
    TemplateErrorHandler,
    UserEnvironment,
    describe_syntax_error,
    limit_chunks,
)
from digest.render.theme import Theme, make_theme
from digest.render.wrapping import count_columns, wrap_text

_FORBIDDEN_CHARACTER = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
"""Characters that XML 1.0 (section 2.2) or HTML forbids or discourages, and controls of the text direction."""


def make_environment(
    templates_folder: Path | None = None,
    locale: Locale = ENGLISH,
    *,
    theme: Theme | None = None,
    on_error: TemplateErrorHandler | None = None,
) -> jinja2.Environment:
    """Make the environment, which searches the user's templates first and the shipped ones second.

    ``shipped/x`` is always the shipped template ``x``, so that a user's template of the same name can extend
    it.

    Args:
        templates_folder: the folder of the user's templates, if there is one.
        locale: the language of texts, which templates can use as ``locale``.
        theme: the looks, which templates can use as ``theme``; None for the default ones.
        on_error: called for each broken template of the user, which the shipped one then replaces; None:
            raise an error.
    """
    options: dict[str, Any] = {
        "autoescape": jinja2.select_autoescape(["html", "xml", "xhtml", "opf", "ncx"]),
        "undefined": jinja2.StrictUndefined,
        "auto_reload": False,  # otherwise each use of a template checks its file for changes
        "trim_blocks": True,
        "lstrip_blocks": True,
        "extensions": ["jinja2.ext.i18n"],
    }
    compiled = CompiledTemplates(Path(__file__))
    environments = [jinja2.Environment(loader=_make_shipped_loader(), bytecode_cache=compiled, **options)]  # noqa: S701 - it is among the options
    if templates_folder:
        environments.append(UserEnvironment(templates_folder, environments[0], on_error, **options))
    for environment in environments:
        environment.filters["wrapped"] = wrap_text
        environment.filters["columns"] = count_columns
        environment.policies["ext.i18n.trimmed"] = True
        environment.globals["locale"] = locale
        environment.globals["theme"] = theme or make_theme()
        environment.install_gettext_translations(locale.translations, newstyle=True)  # type: ignore[attr-defined]
    return environments[-1]


def fill(environment: jinja2.Environment, name: str, variables: Mapping[str, object]) -> str:
    """Render a template, and remove characters that XML forbids.

    Args:
        environment: made by ``make_environment``.
        name: the template's path, such as ``mail/edition.html``.
        variables: the variables of the template.

    Raises:
        RenderError: the template is missing or broken; the message names file and line.
    """
    try:
        return _render_template(environment, name, variables)
    except RenderError as error:
        shipped = find_fallback(environment, name, error)
        if shipped is None:
            raise
        return _render_template(shipped, name, variables)


def fill_xml(environment: jinja2.Environment, name: str, variables: Mapping[str, object]) -> bytes:
    """Render a template of a document that programs refuse if it is not well-formed XML.

    Args:
        environment: made by ``make_environment``.
        name: the template's path, such as ``epub/title.xhtml``.
        variables: the variables of the template.

    Raises:
        RenderError: the template is missing or broken, or its output is not XML.
    """
    try:
        return _render_xml(environment, name, variables)
    except RenderError as error:
        shipped = find_fallback(environment, name, error)
        if shipped is None:
            raise
        return _render_xml(shipped, name, variables)


def _render_xml(environment: jinja2.Environment, name: str, variables: Mapping[str, object]) -> bytes:
    content = _render_template(environment, name, variables).encode()
    require_xml(name, content)
    return content


def require_xml(template: str, content: bytes) -> None:
    """Check that the output of a template is well-formed.

    Raises:
        RenderError: it is not XML.
    """
    try:
        ParserCreate().Parse(content, True)  # noqa: FBT003 - the last piece
    except ExpatError as error:
        raise RenderError(f"the output of the template {template} is not valid XML: {error}") from error


def find_fallback(
    environment: jinja2.Environment, name: str, error: RenderError
) -> jinja2.Environment | None:
    """Report a user's broken template, and return the shipped environment if it replaces the template; else None.

    Args:
        environment: made by ``make_environment``.
        name: the template that failed.
        error: what is wrong with it.
    """
    if not isinstance(environment, UserEnvironment):
        return None
    is_runaway = isinstance(error.__cause__, RunawayError)
    return (
        environment.shipped if environment.record_failure(name, str(error), is_runaway=is_runaway) else None
    )


def generate_chunks(
    environment: jinja2.Environment, name: str, variables: Mapping[str, object]
) -> Iterator[str]:
    """Render a template chunk by chunk; this may raise any exception."""
    chunks = _get_template(environment, name).generate(variables)
    return limit_chunks(chunks) if isinstance(environment, UserEnvironment) else chunks


def _get_template(environment: jinja2.Environment, name: str) -> jinja2.Template:
    """Return a template for one rendering."""
    return (
        environment.start_template(name)
        if isinstance(environment, UserEnvironment)
        else environment.get_template(name)
    )


def _render_template(environment: jinja2.Environment, name: str, variables: Mapping[str, object]) -> str:
    try:
        text = _get_template(environment, name).render(variables)
    except jinja2.TemplateSyntaxError as error:
        raise RenderError(describe_syntax_error(error)) from error
    except jinja2.TemplateNotFound as error:
        raise RenderError(
            f"there is no template {error.message}, which {_find_error_location(error, name)} needs"
        ) from error
    except RecursionError as error:
        raise RenderError(
            f"the template {_find_error_location(error, name)} includes itself endlessly; to change a part of a shipped template, "
            f'begin with {{% extends "shipped/{name}" %}}'
        ) from error
    except MemoryError:
        raise
    except Exception as error:  # a template is a program and can fail in any way
        raise RenderError(f"the template {_find_error_location(error, name)} failed: {error}") from error
    return remove_unprintable(text)


def remove_unprintable(text: str) -> str:
    """Remove control characters, lone surrogates and bidi overrides from a text."""
    # Most texts are printable, and the regular expression takes ten times as long.
    if text.replace("\n", "").isprintable():
        return text
    return _FORBIDDEN_CHARACTER.sub("", text)


def _make_shipped_loader() -> jinja2.BaseLoader:
    try:
        return jinja2.PackageLoader("digest", "_data/templates")
    except ValueError:  # a checkout or an editable install
        return jinja2.FileSystemLoader(Path(__file__).parents[2] / "templates")


def _find_error_location(error: Exception, name: str) -> str:
    """Return the file and line of the template that raised an error, which jinja2 puts into the traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    template_frames = [frame for frame in frames if not frame.filename.endswith(".py")]
    return f"{template_frames[-1].filename}, line {template_frames[-1].lineno}" if template_frames else name
