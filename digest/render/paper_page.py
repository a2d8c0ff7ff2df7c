"""The page of one paper of an edition, where its reader rates or saves it, or says that an author is someone else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import jinja2

from digest.core.subscribers.opinions import MAX_WEIGHT_FACTOR, MIN_WEIGHT_FACTOR, Opinion
from digest.model import Edition, Item
from digest.render.branding import Branding
from digest.render.editions.summary import get_local_time
from digest.render.environment import fill, remove_unprintable
from digest.render.languages.locales import Locale
from digest.render.papers.links import Link
from digest.render.papers.paper_view import ALONE, make_paper_view

IS, IS_NOT = "is", "is-not"
"""The values that the buttons about a person send."""


class Choice(NamedTuple):
    """A button.

    Attributes:
        do: the value that it sends.
        is_on: whether the reader has chosen it already.
        is_first: whether the reader followed the link of this button, so that it comes first.
    """

    label: str
    do: str
    is_on: bool = False
    is_first: bool = False


class FeedbackNote(NamedTuple):
    """Feedback that the reader has given, and its effect.

    Attributes:
        undo: the value to send to take it back.
        who: the author that it is about, as printed; "" if it is about the paper.
    """

    title: str
    text: str
    undo: str
    who: str = ""


class Namesake(NamedTuple):
    """An author who may be a followed person, with the buttons about that."""

    name: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPageView:
    """A paper of an edition, and its reader's feedback.

    Attributes:
        number: the number of the item, from 1.
        follows: the active follows that it matches: pairs of text and learned factor.
        opinions: the reader's opinions of the paper.
        persons: authors who may be followed persons: pairs of printed name and answer; True if the author is
            that person, False if not, None without an answer.
        first: the opinion whose link the reader followed; None for none.
    """

    edition: Edition
    number: int
    item: Item
    follows: Sequence[tuple[str, float]]
    opinions: frozenset[Opinion]
    persons: Sequence[tuple[str, bool | None]]
    first: Opinion | None = None


def render_paper_page(
    environment: jinja2.Environment, branding: Branding, page: PaperPageView, edition_link: Link
) -> bytes:
    """Render the page of a paper.

    Args:
        environment: made by ``make_environment``.
        branding: the branding of the site.
        page: the content.
        edition_link: the link to the page of the whole edition, relative to this one.

    Raises:
        RenderError: a template is missing or broken.
    """
    locale = branding.locale
    variables = {
        "site": branding,
        "digest": remove_unprintable(page.edition.title),
        "day": locale.long_day(get_local_time(page.edition).date()),
        "edition_link": edition_link,
        "paper": make_paper_view(page.item, branding, ALONE, number=str(page.number)),
        "feedback_notes": _list_feedback(page, locale),
        "choices": _make_choices(page, locale),
        "persons": [_make_namesake(name, is_followed, locale) for name, is_followed in page.persons],
    }
    return fill(environment, "web/paper.html", variables).encode()


def _make_choices(page: PaperPageView, locale: Locale) -> tuple[Choice, ...]:
    _ = locale.gettext
    labels = {
        # Translators: a button: put this paper on the list of saved papers.
        Opinion.SAVED: _("Save"),
        # Translators: a button: send me more papers like this one.
        Opinion.MORE: _("More like this"),
        # Translators: a button: send me fewer papers like this one.
        Opinion.LESS: _("Less like this"),
    }
    choices = [
        Choice(label, opinion.value, opinion in page.opinions, opinion is page.first)
        for opinion, label in labels.items()
    ]
    return tuple(sorted(choices, key=lambda choice: not choice.is_first))


def _make_namesake(name: str, is_followed: bool | None, locale: Locale) -> Namesake:  # noqa: FBT001 - a tuple's part
    _ = locale.gettext
    return Namesake(
        name,
        (
            Choice(_("This is the %(name)s I follow", name=name), IS, is_followed is True),
            Choice(_("This is not the %(name)s I follow", name=name), IS_NOT, is_followed is False),
        ),
    )


# --- feedback -------------------------------------------------------------------------------------


def _list_feedback(page: PaperPageView, locale: Locale) -> list[FeedbackNote]:
    _ = locale.gettext
    titles = {
        Opinion.MORE: _("Noted: more like this"),
        Opinion.LESS: _("Noted: less like this"),
        Opinion.SAVED: _("Saved"),
    }
    notes = [
        FeedbackNote(title, _describe_effect(opinion, page.follows, locale), opinion.value)
        for opinion, title in titles.items()
        if opinion in page.opinions
    ]
    return [
        *notes,
        *(
            _make_person_note(name, locale, is_followed=is_followed)
            for name, is_followed in page.persons
            if is_followed is not None
        ),
    ]


def _describe_effect(opinion: Opinion, follows: Sequence[tuple[str, float]], locale: Locale) -> str:
    """Describe how an opinion affects the next editions."""
    _ = locale.gettext
    if opinion is Opinion.SAVED:
        return _(
            "You can find it on the page where you manage this digest. Each mail links to that page at the end."
        )
    if not follows:
        return _("You no longer follow what this paper matched, so this changes nothing.")
    names = locale.listed([_("“%(follow)s”", follow=follow) for follow, _weight in follows])
    limit = MAX_WEIGHT_FACTOR if opinion is Opinion.MORE else MIN_WEIGHT_FACTOR
    if all(weight == limit for _text, weight in follows):
        if opinion is Opinion.MORE:
            return _("Papers for %(follows)s already have the highest weight.", follows=names)
        return _("Papers for %(follows)s already have the lowest weight.", follows=names)
    if opinion is Opinion.MORE:
        return _("Papers for %(follows)s now have a slightly higher weight.", follows=names)
    return _(
        "Papers for %(follows)s now have a slightly lower weight, but you still receive them.", follows=names
    )


def _make_person_note(name: str, locale: Locale, *, is_followed: bool) -> FeedbackNote:
    _ = locale.gettext
    if is_followed:
        title = _("Noted: this is the %(name)s you follow", name=name)
        return FeedbackNote(title, _("Papers by this person are sure matches from now on."), IS, name)
    title = _("Noted: this is not the %(name)s you follow", name=name)
    return FeedbackNote(title, _("Papers by this person no longer match because of the name."), IS_NOT, name)
