"""What editions of one language are made with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import jinja2

from digest.render.branding import Masthead
from digest.render.bulk.mail_cache import Press
from digest.render.environment import make_environment
from digest.render.languages.by_name import locale_of
from digest.render.own_templates import Broken


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """A language's templates, and what goes with them.

    Attributes:
        environment: made by ``make_environment``.
        masthead: the operator's side.
        press: makes mails.
    """

    environment: jinja2.Environment
    masthead: Masthead
    press: Press


def make_tongue(language: str, masthead: Masthead, own: Path | None, broken: Broken | None) -> Tongue:
    """What editions of a language are made with.

    Args:
        language: as ``locale_of`` has it.
        masthead: the operator's side, in any language.
        own: the folder of the user's templates, if there is one.
        broken: is told of what is broken there; None: that is an error.

    Raises:
        RenderError: a catalogue of the user's is broken.
    """
    locale = locale_of(language, own, broken)
    environment = make_environment(own, locale, broken=broken)
    mine = replace(masthead, locale=locale)
    return Tongue(environment=environment, masthead=mine, press=Press(environment, mine))
