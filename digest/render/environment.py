"""The templates: where they lie, how they are overridden, and what an error in one says."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jinja2

from digest.errors import RenderError
from digest.render.compiled_templates import CompiledTemplates
from digest.render.languages.locales import ENGLISH, Locale
from digest.render.own_templates import Broken, OwnEnvironment, RunawayError, counted, unreadable
from digest.render.wrapping import columns, wrapped

_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]"
)
"""What XML 1.0 (section 2.2) or HTML forbids or discourages, and what turns the order of the text behind it."""


def make_environment(
    overrides: Path | None = None, locale: Locale = ENGLISH, *, broken: Broken | None = None
) -> jinja2.Environment:
    """The environment that finds a user's templates first and the shipped ones second.

    ``shipped/x`` always is the shipped one, so that a template of the same name can extend it.

    Args:
        overrides: the folder with the user's templates, if there is one.
        locale: what their texts are looked up in; templates know it by this name.
        broken: is told of one of a user's that is broken, instead of which the shipped one is used; None: that is an error.
    """
    options: dict[str, Any] = {
        "autoescape": jinja2.select_autoescape(["html", "xml"]),
        "undefined": jinja2.StrictUndefined,
        "auto_reload": False,  # or each template of each mail asks the disk whether it has changed
        "trim_blocks": True,
        "lstrip_blocks": True,
        "extensions": ["jinja2.ext.i18n"],
    }
    compiled = CompiledTemplates(Path(__file__))
    made = [jinja2.Environment(loader=_shipped(), bytecode_cache=compiled, **options)]  # noqa: S701 - it is among the options
    if overrides:
        made.append(OwnEnvironment(overrides, made[0], broken, **options))
    for environment in made:
        environment.filters["wrapped"] = wrapped
        environment.filters["columns"] = columns
        environment.policies["ext.i18n.trimmed"] = True
        environment.globals["locale"] = locale
        environment.install_gettext_translations(locale.translations, newstyle=True)  # type: ignore[attr-defined]
    return made[-1]


def fill(environment: jinja2.Environment, name: str, variables: Mapping[str, object]) -> str:
    """Fill a template in; characters that no XML may hold are left out.

    Args:
        environment: made by ``make_environment``.
        name: the template's path, such as ``mail/edition.html``.
        variables: what the template may use.

    Raises:
        RenderError: the template is missing or broken; names file and line.
    """
    try:
        return _filled(environment, name, variables)
    except RenderError as error:
        shipped = instead(environment, name, error)
        if shipped is None:
            raise
        return _filled(shipped, name, variables)


def instead(environment: jinja2.Environment, name: str, error: RenderError) -> jinja2.Environment | None:
    """The shipped templates, where they take the place of a user's that are broken; that is told then.

    Args:
        environment: made by ``make_environment``.
        name: the template that was to be filled in.
        error: what is wrong with it.
    """
    if not isinstance(environment, OwnEnvironment):
        return None
    ran_away = isinstance(error.__cause__, RunawayError)
    return environment.shipped if environment.failed(name, str(error), ran_away=ran_away) else None


def made_of(environment: jinja2.Environment, name: str, variables: Mapping[str, object]) -> Iterator[str]:
    """What a template makes, piece by piece; it may fail in any way."""
    made = _begun(environment, name).generate(variables)
    return counted(made) if isinstance(environment, OwnEnvironment) else made


def _begun(environment: jinja2.Environment, name: str) -> jinja2.Template:
    """A template, for one rendering."""
    return (
        environment.begun(name) if isinstance(environment, OwnEnvironment) else environment.get_template(name)
    )


def _filled(environment: jinja2.Environment, name: str, variables: Mapping[str, object]) -> str:
    try:
        text = _begun(environment, name).render(variables)
    except jinja2.TemplateSyntaxError as error:
        raise RenderError(unreadable(error)) from error
    except jinja2.TemplateNotFound as error:
        raise RenderError(
            f"there is no template {error.message}, which {_place(error, name)} needs"
        ) from error
    except RecursionError as error:
        raise RenderError(
            f"the template {_place(error, name)} comes back to itself without end; to change a part of ours, "
            f'begin with {{% extends "shipped/{name}" %}}'
        ) from error
    except MemoryError:
        raise
    except Exception as error:  # a template is a program: it can fail in any way
        raise RenderError(f"the template {_place(error, name)} failed: {error}") from error
    return printable(text)


def printable(text: str) -> str:
    """The text without control characters, lone surrogates and bidi overrides."""
    if text.replace("\n", "").isprintable():  # most are, and the pattern takes ten times as long
        return text
    return _FORBIDDEN.sub("", text)


def _shipped() -> jinja2.BaseLoader:
    try:
        return jinja2.PackageLoader("digest", "_data/templates")
    except ValueError:  # a checkout or an editable install
        return jinja2.FileSystemLoader(Path(__file__).parents[2] / "templates")


def _place(error: Exception, name: str) -> str:
    """The file and line of a template that an error came from: jinja2 puts them into the traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    found = [frame for frame in frames if not frame.filename.endswith(".py")]
    return f"{found[-1].filename}, line {found[-1].lineno}" if found else name
