"""A language by its name."""

from __future__ import annotations

from pathlib import Path

from digest.render.languages.locales import ENGLISH, Locale
from digest.render.own_templates import Broken


def locale_of(language: str, own: Path | None = None, broken: Broken | None = None) -> Locale:
    """The language of a name; English where no catalogue has it, so that nothing remains untold.

    Args:
        language: ``en``, or the name of a catalogue without its ending, ``de``.
        own: the folder of the user's templates, in which there can be more catalogues.
        broken: is told of one of a user's that is broken, which is left out then; None: that is an error.

    Raises:
        RenderError: one of a user's is broken.
    """
    if language == "en":
        return ENGLISH
    from digest.render.languages.catalogues import translated  # its imports take longer than an edition

    return translated(language, own, broken)
