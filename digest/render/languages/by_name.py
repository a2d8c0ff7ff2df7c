"""Lookup of languages by name."""

from __future__ import annotations

from pathlib import Path

from digest.render.languages.locales import ENGLISH, Locale
from digest.render.own_templates import TemplateErrorHandler


def get_locale(
    language: str, templates_folder: Path | None = None, on_error: TemplateErrorHandler | None = None
) -> Locale:
    """Return the locale of a language; English if there is no catalogue for it, so that every edition can be rendered.

    Args:
        language: ``en``, or the name of a catalogue without its extension, such as ``de``.
        templates_folder: the folder of the user's templates, which can contain more catalogues.
        on_error: called if a catalogue of the user is broken, which is then ignored; None: raise an error.

    Raises:
        RenderError: a catalogue of the user is broken.
    """
    if language == "en":
        return ENGLISH
    from digest.render.languages.catalogues import load_locale  # importing Babel takes longer than an edition

    return load_locale(language, templates_folder, on_error)
