"""The branding of editions: the site that they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from functools import lru_cache
from urllib.parse import urlsplit

from digest.model import Paper, PaperPage
from digest.render.languages.locales import ENGLISH, Locale
from digest.render.theme import Theme, make_theme


@dataclass(frozen=True, slots=True, kw_only=True)
class Branding:
    """The branding of a site: what its editions show of it and its operator.

    Attributes:
        title: the site's name.
        url: its address; "" if there is no site, and then nothing links to it.
        contact: a bare e-mail address, or "".
        sender: the From header, ``Digest <digest@example.org>``; "" if no mail is sent.
        source_titles: display names of sources, by name.
        paper_pages: functions that return a source's page about a paper, by the source's name.
        locale: the reader's language; the templates must be loaded for the same one.
        theme: the looks; the templates must be loaded with the same one.
    """

    title: str
    url: str = ""
    contact: str = ""
    sender: str = ""
    source_titles: Mapping[str, str] = field(default_factory=dict, hash=False)
    paper_pages: Mapping[str, Callable[[Paper], PaperPage | None]] = field(default_factory=dict, hash=False)
    locale: Locale = ENGLISH
    theme: Theme = field(default_factory=make_theme)

    @property
    def host(self) -> str:
        """The host name in ids: that of the site, else of the sender, else ``localhost``."""
        return _find_host(self.url, self.sender)


@lru_cache(maxsize=16)
def _find_host(url: str, sender: str) -> str:
    host = urlsplit(url).hostname or parseaddr(sender)[1].rpartition("@")[2]
    return encode_domain(host or "localhost")


def encode_domain(domain: str) -> str:
    """Return a domain in ASCII, as headers and ids need it (IDNA, RFC 3490).

    Raises:
        UnicodeError: it is not a valid domain.
    """
    return domain if domain.isascii() else domain.encode("idna").decode("ascii")
