"""What every edition shows of the site that it comes from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from functools import lru_cache
from urllib.parse import urlsplit

from digest.model import Paper, PaperPage
from digest.render.languages.locales import ENGLISH, Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Branding:
    """The operator's side of an edition.

    Attributes:
        title: the site's name.
        url: its address; "" where there is no site, and then nothing links to it.
        contact: a bare e-mail address, or "".
        sender: the From header, ``Digest <digest@example.org>``; "" where nothing is mailed.
        source_titles: the name that readers know, by a source's name.
        paper_pages: gives the page that a source has of a paper, by the source's name; of those that have any.
        locale: the reader's language; the templates are filled in for the same one.
    """

    title: str
    url: str = ""
    contact: str = ""
    sender: str = ""
    source_titles: Mapping[str, str] = field(default_factory=dict, hash=False)
    paper_pages: Mapping[str, Callable[[Paper], PaperPage | None]] = field(default_factory=dict, hash=False)
    locale: Locale = ENGLISH

    @property
    def host(self) -> str:
        """The host that ids are made under: the site's, else the sender's, else ``localhost``."""
        return _find_host(self.url, self.sender)


@lru_cache(maxsize=16)
def _find_host(url: str, sender: str) -> str:
    host = urlsplit(url).hostname or parseaddr(sender)[1].rpartition("@")[2]
    return encode_domain(host or "localhost")


def encode_domain(domain: str) -> str:
    """A domain as headers and ids have it: internationalised labels in their ASCII form (RFC 3490).

    Raises:
        UnicodeError: it is no domain.
    """
    return domain if domain.isascii() else domain.encode("idna").decode("ascii")
