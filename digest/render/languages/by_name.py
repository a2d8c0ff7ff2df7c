"""A language by its name."""

from __future__ import annotations

from pathlib import Path

from digest.render.languages.locales import ENGLISH, Locale
from digest.render.own_templates import TemplateErrorHandler


def get_locale(
    language: str, templates_folder: Path | None = None, on_error: TemplateErrorHandler | None = None
) -> Locale:
    """The language of a name; English where no catalogue has it, so that nothing remains untold.

    Args:
        language: ``en``, or the name of a catalogue without its ending, ``de``.
        templates_folder: the folder of the user's templates, in which there can be more catalogues.
        on_error: is told of one of a user's that is broken, which is left out then; None: that is an error.

    Raises:
        RenderError: one of a user's is broken.
    """
    if language == "en":
        return ENGLISH
    from digest.render.languages.catalogues import load_locale  # its imports take longer than an edition

    return load_locale(language, templates_folder, on_error)
