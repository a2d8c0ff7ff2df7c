"""Samples of API tokens, for the trial of templates."""

from __future__ import annotations

from datetime import datetime

from digest.core.subscribers.api_tokens import LIFETIMES, MAX_TOKENS, ApiToken, Scope, TokenMistake
from digest.render.locale_bundle import LocaleBundle
from digest.render.publishing.account_pages.tokens.new_token import NewTokenPage, render_new_token
from digest.render.publishing.account_pages.tokens.section import TokenSection
from digest.render.publishing.public_pages.links import PublicSite


def make_token_samples(now: datetime) -> tuple[TokenSection, ...]:
    """Make the section as it is with some tokens, without any, with as many as possible, and after each mistake."""
    used, unused = (
        ApiToken(
            id=number,
            subscriber=1,
            address="ada@example.org",
            name="notebook",
            scopes=frozenset(Scope),
            created_at=now,
            used_at=used_at,
            expires_at=now + LIFETIMES[0],
        )
        for number, used_at in ((1, now), (2, None))
    )
    some = TokenSection(tokens=(used, unused), form_key="sample", is_operator=True, may_operate=True)
    full = TokenSection(tokens=(used,) * MAX_TOKENS, form_key="sample", is_operator=True, may_operate=False)
    mistakes = (
        TokenSection(tokens=(), form_key="sample", is_operator=False, may_operate=False, mistake=mistake)
        for mistake in TokenMistake
    )
    return some, full, *mistakes


def try_new_token(locale_bundle: LocaleBundle, site: PublicSite, now: datetime) -> None:
    """Render the page that shows a new token."""
    page = NewTokenPage(secret="digest_sample", name="notebook", expires_at=now)  # noqa: S106 - no token
    render_new_token(locale_bundle.environment, locale_bundle.branding, site, page)
