"""The page of one paper of an edition, where its reader says more, less, save, and not this person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import jinja2

from digest.core.subscribers.opinions import LEAST, MOST, Opinion
from digest.model import Edition, Item
from digest.render.branding import Masthead
from digest.render.editions.edition_view import moment_of
from digest.render.environment import fill, printable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.papers.paper_view import card

_ABSTRACT = 20_000
"""Characters: all of any abstract."""
IS, IS_NOT = "is", "is-not"
"""What is sent back about a person."""


class Choice(NamedTuple):
    """A button.

    Attributes:
        do: what it sends back.
        is_on: it holds already.
    """

    label: str
    do: str
    is_on: bool = False


class Noted(NamedTuple):
    """What a reader said, and what that changes.

    Attributes:
        undo: what is sent back to take it back.
        who: the author whom it is about, as printed; "" where it is about the paper.
    """

    title: str
    text: str
    undo: str
    who: str = ""


class Namesake(NamedTuple):
    """An author who may be one that is followed, and what can be said of that."""

    name: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPage:
    """A paper of an edition, and what its reader said of it.

    Attributes:
        number: of the item, from 1.
        follows: those that brought it and have not ended, as written, with what they have learned.
        said: of the paper.
        persons: authors who may be followed, as printed, with what was said: it is the one, it is not, or nothing.
    """

    edition: Edition
    number: int
    item: Item
    follows: Sequence[tuple[str, float]]
    said: frozenset[Opinion]
    persons: Sequence[tuple[str, bool | None]]


def paper_page(environment: jinja2.Environment, masthead: Masthead, told: PaperPage, back: Link) -> bytes:
    """The page of a paper.

    Args:
        environment: made by ``make_environment``.
        masthead: the operator's side.
        told: what is shown.
        back: the page of the whole edition, relative to this one.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale = masthead.locale
    variables = {
        "masthead": masthead,
        "digest": printable(told.edition.title),
        "day": locale.long_day(moment_of(told.edition).date()),
        "back": back,
        "card": card(told.item, masthead, abstract=_ABSTRACT, number=str(told.number)),
        "noted": _noted(told, locale),
        "choices": _choices(told.said, locale),
        "persons": [_namesake(name, yes, locale) for name, yes in told.persons],
    }
    return fill(environment, "web/paper.html", variables).encode()


def _choices(said: frozenset[Opinion], locale: Locale) -> tuple[Choice, ...]:
    _ = locale.gettext
    labels = {
        # Translators: a button: send me more papers like this one.
        Opinion.MORE: _("More like this"),
        # Translators: a button: send me fewer papers like this one.
        Opinion.LESS: _("Less like this"),
        # Translators: a button: keep this paper in a list, to be found again.
        Opinion.SAVED: _("Save"),
    }
    return tuple(Choice(label, opinion.value, opinion in said) for opinion, label in labels.items())


def _namesake(name: str, yes: bool | None, locale: Locale) -> Namesake:  # noqa: FBT001 - a tuple's part
    _ = locale.gettext
    return Namesake(
        name,
        (
            Choice(_("This is the %(name)s I follow", name=name), IS, yes is True),
            Choice(_("This is not the %(name)s I follow", name=name), IS_NOT, yes is False),
        ),
    )


# --- what was said --------------------------------------------------------------------------------


def _noted(told: PaperPage, locale: Locale) -> list[Noted]:
    _ = locale.gettext
    titles = {
        Opinion.MORE: _("Noted: more like this"),
        Opinion.LESS: _("Noted: less like this"),
        Opinion.SAVED: _("Saved"),
    }
    found = [
        Noted(title, _effect(opinion, told.follows, locale), opinion.value)
        for opinion, title in titles.items()
        if opinion in told.said
    ]
    return [*found, *(_judged(name, locale, yes=yes) for name, yes in told.persons if yes is not None)]


def _effect(opinion: Opinion, follows: Sequence[tuple[str, float]], locale: Locale) -> str:
    """What saying so changes, from the next edition on."""
    _ = locale.gettext
    if opinion is Opinion.SAVED:
        return _("You find it again where you manage this digest: each mail links to that at its end.")
    if not follows:
        return _("What brought it is not followed any more, so this changes nothing.")
    names = locale.listed([_("“%(follow)s”", follow=follow) for follow, _counts in follows])
    bound = MOST if opinion is Opinion.MORE else LEAST
    if all(counts == bound for _text, counts in follows):
        if opinion is Opinion.MORE:
            return _("Papers for %(follows)s count as much as they can by now.", follows=names)
        return _("Papers for %(follows)s count as little as they can by now.", follows=names)
    if opinion is Opinion.MORE:
        return _("Papers for %(follows)s count a little more from now on.", follows=names)
    return _("Papers for %(follows)s count a little less from now on; they still come.", follows=names)


def _judged(name: str, locale: Locale, *, yes: bool) -> Noted:
    _ = locale.gettext
    if yes:
        title = _("Noted: this is the %(name)s you follow", name=name)
        return Noted(title, _("Papers of the same person come as sure ones from now on."), IS, name)
    title = _("Noted: this is not the %(name)s you follow", name=name)
    return Noted(title, _("Papers of this person no longer come because of the name."), IS_NOT, name)
