"""How an installation appears to others: its branding, its pages, and the keys with which it signs."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import replace
from email.utils import formataddr
from pathlib import Path

from digest import __version__
from digest.config import Settings
from digest.core.delivery.bounces.return_path import ReturnPath
from digest.core.delivery.own_pages import OwnPages
from digest.errors import ConfigError
from digest.jobs.fetching import pull
from digest.ports import Enricher, Source
from digest.render.branding import Branding
from digest.render.delivery.dkim_signing import Signer
from digest.render.delivery.headers import clean_header_text
from digest.render.theme import make_theme
from digest.store.database import leases
from digest.store.database.engine import Store

_MIN_KEY_LENGTH = 16


def make_branding(
    settings: Settings, sources: Mapping[str, Source], enrichers: Mapping[str, Enricher]
) -> Branding:
    """Make the branding of editions."""
    site = settings.site
    branding = Branding(
        title=site.title,
        url=site.url,
        contact=site.contact,
        theme=make_theme(site.accent, site.logo, site.footer),
    )
    if mail_settings := settings.smtp or settings.sendmail:
        sender = formataddr((clean_header_text(mail_settings.from_name), mail_settings.from_address))
    else:
        sender = formataddr((clean_header_text(site.title), f"digest@{branding.host}"))
    paper_pages = {name: source.find_paper_page for name, source in sources.items()}
    titles = {name: enricher.title for name, enricher in enrichers.items()} | pull.make_titles(sources)
    return replace(branding, sender=sender, source_titles=titles, paper_pages=paper_pages)


def compute_output_fingerprint(branding: Branding, template_folder: Path | None) -> str:
    """Return a hash that changes if the same editions would yield other files (other templates, another release)."""
    template_texts = (
        {str(file): file.read_bytes() for file in sorted(template_folder.rglob("*")) if file.is_file()}
        if template_folder
        else {}
    )
    branding_values = (
        branding.title,
        branding.url,
        branding.contact,
        branding.sender,
        branding.locale.tag,
        sorted(branding.source_titles.items()),
        branding.theme,
    )
    fingerprint_parts = (__version__, branding_values, template_texts)
    return hashlib.sha256(repr(fingerprint_parts).encode(errors="replace")).hexdigest()


def make_signer(settings: Settings) -> Signer | None:
    """Make the signer of mails; None if they are not signed."""
    return Signer(settings.dkim.domain, settings.dkim.keys) if settings.dkim else None


def make_pages(settings: Settings, store: Store, environ: Mapping[str, str]) -> OwnPages | None:
    """Make the addresses of our own pages; None if there is no web site.

    Raises:
        ConfigError: a key of the environment can be guessed.
    """
    if not settings.site.is_served:
        return None
    return OwnPages(url=settings.site.url, keys=load_signing_keys(store, environ))


def make_return_path(settings: Settings, store: Store, environ: Mapping[str, str]) -> ReturnPath | None:
    """Make the envelope senders of mails, which contain delivery numbers; None if there is no address for bounces.

    Raises:
        ConfigError: a key of the environment can be guessed.
    """
    address = settings.bounces.address
    return ReturnPath(address=address, keys=load_signing_keys(store, environ)) if address else None


def load_signing_keys(store: Store, environ: Mapping[str, str]) -> tuple[bytes, ...]:
    """Load the keys for links and Message-IDs from the environment, or the store's own key, created at first use.

    Returns:
        The signing key, then older keys whose links still work.

    Raises:
        ConfigError: a key of the environment can be guessed.
    """
    if environment_keys := read_environment_keys(environ):
        return environment_keys
    with store.begin_write() as tx:
        return (leases.get_signing_key(tx, secrets.token_bytes(32)),)


def read_environment_keys(environ: Mapping[str, str]) -> tuple[bytes, ...]:
    """Read the keys of the environment, the signing key first; empty if there are none.

    Raises:
        ConfigError: a key can be guessed.
    """
    key_texts = environ.get("DIGEST_KEY", "").split()
    if key_texts and min(map(len, key_texts)) < _MIN_KEY_LENGTH:
        raise ConfigError(
            f"DIGEST_KEY has fewer than {_MIN_KEY_LENGTH} characters, so it can be guessed; create one with `openssl rand -hex 32`"
        )
    return tuple(key_text.encode() for key_text in key_texts)
