"""The API tokens of a reader on "Your account": those that exist, and the form that makes one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from digest.core.publishing.addresses import format_page_address
from digest.core.subscribers.api_tokens import (
    LIFETIMES,
    MAX_NAME,
    MAX_OPERATE_LIFETIME,
    MAX_TOKENS,
    ApiToken,
    Scope,
    TokenMistake,
)
from digest.render.languages.locales import Locale
from digest.render.publishing.public_pages.links import TOKENS_PATH, PublicSite


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSection:
    """The content of the section.

    Attributes:
        tokens: the tokens of the reader, newest first.
        form_key: the random text of the form, which makes one token only.
        is_operator: whether the reader operates the service, so that a token may, too.
        may_operate: whether the session is new enough to make such a token.
        mistake: why a token was not made; None if there is no reason.
    """

    tokens: Sequence[ApiToken]
    form_key: str
    is_operator: bool
    may_operate: bool
    mistake: TokenMistake | None = None


class TokenRow(NamedTuple):
    """A token in words.

    Attributes:
        number: its number.
        name: its name.
        scopes: what it allows.
        details: when it was made and last used, and when it ends.
    """

    number: int
    name: str
    scopes: str
    details: str


class TokenChoiceRow(NamedTuple):
    """A choice of the form.

    Attributes:
        value: its value.
        label: it in words.
        is_chosen: whether it is chosen at first.
    """

    value: str
    label: str
    is_chosen: bool


class TokenSectionView(NamedTuple):
    """The section, ready for the template.

    Attributes:
        tokens: the tokens.
        action: the address of the forms.
        form_key: the random text of the form that makes a token.
        scopes: the scopes to choose from.
        operator_note: what an operator has to know about the scope ``operate``; "" for everybody else.
        lifetimes: the lifetimes to choose from, in days.
        max_name: the maximum length of a name.
        total: how many tokens there are, of how many.
        is_full: whether there can be no more.
    """

    tokens: tuple[TokenRow, ...]
    action: str
    form_key: str
    scopes: tuple[TokenChoiceRow, ...]
    operator_note: str
    lifetimes: tuple[TokenChoiceRow, ...]
    max_name: int
    total: str
    is_full: bool


def make_token_section(section: TokenSection, site: PublicSite, locale: Locale) -> TokenSectionView:
    """Make the section in the language of a page."""
    _ = locale.gettext
    labels = dict(_list_scopes(locale))
    offered = [
        scope
        for scope in Scope
        if scope is not Scope.OPERATE or (section.is_operator and section.may_operate)
    ]
    days = [lifetime.days for lifetime in LIFETIMES]
    return TokenSectionView(
        tokens=tuple(_make_row(token, labels, locale) for token in section.tokens),
        action=site.link(format_page_address(TOKENS_PATH, site.language_parameter)),
        form_key=section.form_key,
        scopes=tuple(TokenChoiceRow(scope.value, labels[scope], scope is Scope.READ) for scope in offered),
        operator_note=_describe_operating(section, locale) if section.is_operator else "",
        lifetimes=tuple(
            TokenChoiceRow(
                str(count),
                locale.ngettext("%(num)s day", "%(num)s days", count, num=locale.number(count)),
                count == days[1],
            )
            for count in days
        ),
        max_name=MAX_NAME,
        total=_(
            "%(tokens)s of %(max_tokens)s tokens",
            tokens=locale.number(len(section.tokens)),
            max_tokens=locale.number(MAX_TOKENS),
        ),
        is_full=len(section.tokens) >= MAX_TOKENS,
    )


def _describe_operating(section: TokenSection, locale: Locale) -> str:
    return _describe_limit(locale) if section.may_operate else _describe_old_session(locale)


def _describe_limit(locale: Locale) -> str:
    days = MAX_OPERATE_LIFETIME.days
    return locale.ngettext(
        "A token for operators (operate) is valid for at most %(num)s day.",
        "A token for operators (operate) is valid for at most %(num)s days.",
        days,
        num=locale.number(days),
    )


def _describe_old_session(locale: Locale) -> str:
    _ = locale.gettext
    return _(
        "To make a token for operators (operate), sign out and sign in again. You can make it within an hour after signing in."
    )


def describe_token_mistake(mistake: TokenMistake, locale: Locale) -> str:
    """Say why a token is not made, and what to do."""
    return dict(_list_mistakes(locale))[mistake]


def _make_row(token: ApiToken, labels: dict[Scope, str], locale: Locale) -> TokenRow:
    scopes = [labels[scope] for scope in Scope if scope in token.scopes]
    return TokenRow(
        number=token.id,
        name=token.name,
        scopes=" · ".join(scopes),
        details=" · ".join(_list_details(token, locale)),
    )


def _list_details(token: ApiToken, locale: Locale) -> Iterator[str]:
    _ = locale.gettext
    yield _("made on %(day)s", day=_format_day(token.created_at, locale))
    if token.used_at is None:
        yield _("never used")
    else:
        yield _("last used on %(day)s", day=_format_day(token.used_at, locale))
    yield _("valid until %(day)s", day=_format_day(token.expires_at, locale))


def _format_day(at: datetime, locale: Locale) -> str:
    return locale.whole_day(at.astimezone(UTC).date())


def _list_scopes(locale: Locale) -> Iterator[tuple[Scope, str]]:
    _ = locale.gettext
    # Translators: what a token allows; programs know it by the word in parentheses, which stays as it is.
    yield Scope.READ, _("read your digests, editions and saved papers (read)")
    # Translators: what a token allows; programs know it by the word in parentheses, which stays as it is.
    yield Scope.FOLLOW, _("change what you follow and save (follow)")
    # Translators: what a token allows; programs know it by the word in parentheses, which stays as it is.
    yield Scope.OPERATE, _("see the state of the service and decide on held runs (operate)")


def _list_mistakes(locale: Locale) -> Iterator[tuple[TokenMistake, str]]:
    _ = locale.gettext
    yield (
        TokenMistake.NO_NAME,
        _("Give the token a name, in at most %(num)s characters.", num=locale.number(MAX_NAME)),
    )
    yield TokenMistake.NAME_TAKEN, _("You have a token with this name. Choose another name.")
    yield TokenMistake.NO_SCOPE, _("Choose what the token allows.")
    yield TokenMistake.OLD_SESSION, _describe_old_session(locale)
    yield TokenMistake.LONG_OPERATE, _describe_limit(locale)
    yield TokenMistake.NO_LIFETIME, _("Choose how long the token is valid.")
    yield (
        TokenMistake.TOO_MANY_TOKENS,
        _(
            "You have %(num)s tokens, as many as one can have. Revoke one first.",
            num=locale.number(MAX_TOKENS),
        ),
    )
    yield (
        TokenMistake.TOO_MANY_NEW,
        _("You have made many tokens in a short time. You can make another one in an hour or two."),
    )
    yield (
        TokenMistake.REPEATED_FORM,
        _(
            "This token was made already, and it is shown only once. If you do not have it, revoke it and make another one."
        ),
    )
