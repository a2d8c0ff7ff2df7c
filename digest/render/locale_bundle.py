"""Templates and branding for the editions of one language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import jinja2

from digest.render.branding import Branding
from digest.render.environment import make_environment
from digest.render.languages.by_name import get_locale
from digest.render.own_templates import TemplateErrorHandler


@dataclass(frozen=True, slots=True, kw_only=True)
class LocaleBundle:
    """The templates and the branding in one language.

    Attributes:
        environment: made by ``make_environment``.
        branding: the branding of the site.
    """

    environment: jinja2.Environment
    branding: Branding


def make_locale_bundle(
    language: str, branding: Branding, templates_folder: Path | None, on_error: TemplateErrorHandler | None
) -> LocaleBundle:
    """Make the bundle of a language.

    Args:
        language: the name of the language, as ``get_locale`` expects it.
        branding: the branding of the site, in any language.
        templates_folder: the folder of the user's templates, if there is one.
        on_error: called for each broken template or catalogue of the user; None: raise an error.

    Raises:
        RenderError: a catalogue of the user is broken.
    """
    locale = get_locale(language, templates_folder, on_error)
    environment = make_environment(templates_folder, locale, theme=branding.theme, on_error=on_error)
    return LocaleBundle(environment=environment, branding=replace(branding, locale=locale))
