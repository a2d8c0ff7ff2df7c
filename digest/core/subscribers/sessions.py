"""Sessions of readers who signed in: tokens, how long they last, and what is kept of a browser."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

SESSION_LIFETIME = timedelta(days=30)
"""How long a session lasts, however often it is used."""
SEEN_INTERVAL = timedelta(days=1)
"""How often it is written at most when a session was last used."""
NEW_PERIOD = timedelta(hours=1)
"""How long after signing in a session lets an operator operate the service, and a reader delete everything."""
CLOCK_TOLERANCE = timedelta(minutes=1)
"""How far the clocks of two processes of one site may differ."""
_TOKEN_BYTES = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_FORM_PURPOSE = b"form"


class BrowserLabel(NamedTuple):
    """What is kept of a browser, so that its reader recognizes it; "" for what is unknown."""

    browser: str
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A session.

    Attributes:
        id: its number, which pages show and which gives no access.
        subscriber: the number of its subscriber.
        address: the subscriber's address, in lower case.
        label: the browser.
        created_at: when the reader signed in.
        seen_at: when it was last used, to a day.
        expires_at: when it ends.
    """

    id: int
    subscriber: int
    address: str
    label: BrowserLabel
    created_at: datetime
    seen_at: datetime
    expires_at: datetime

    def is_live(self, now: datetime) -> bool:
        """Whether it gives access. One from the future was made by a wrong clock, which may have made it too long."""
        return self.created_at - CLOCK_TOLERANCE <= now < self.expires_at

    def is_new(self, now: datetime) -> bool:
        """Whether it is new enough for what a browser that somebody left open must not be enough for."""
        return now - self.created_at < NEW_PERIOD

    def has_old_sighting(self, now: datetime) -> bool:
        """Whether it is to be written that it is used now."""
        return abs(now - self.seen_at) >= SEEN_INTERVAL


def make_session_token() -> str:
    """Return a new token, which nobody can guess: 256 random bits."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def hash_session_token(token: str) -> str:
    """Return what is stored of a token, and looked up; "" for a text that is no token."""
    return hashlib.sha256(token.encode()).hexdigest() if _TOKEN.fullmatch(token) else ""


def make_form_token(session_token: str) -> str:
    """Return the token of the forms of a session, which other sites cannot know."""
    return hmac.new(session_token.encode(), _FORM_PURPOSE, hashlib.sha256).hexdigest()


def is_form_token(text: str, session_token: str) -> bool:
    """Whether a text is the token of the forms of a session, compared in constant time."""
    return hmac.compare_digest(text.encode("utf-8", "surrogatepass"), make_form_token(session_token).encode())


_BROWSERS = (
    ("Edge", (re.compile(r"\bEdg(?:A|iOS)?/"),)),
    ("Opera", (re.compile(r"\bOPR/"),)),
    ("Samsung Internet", (re.compile(r"\bSamsungBrowser/"),)),
    ("Firefox", (re.compile(r"\b(?:Firefox|FxiOS)/"),)),
    ("Chrome", (re.compile(r"\b(?:Chrome|CriOS|HeadlessChrome)/"),)),
    ("Safari", (re.compile(r"\bVersion/"), re.compile(r"\bSafari/"))),
)
"""Browsers and the signs that all must be there; several claim to be one that comes later. No sign repeats a part: one
pattern for both signs of Safari would take a quarter of a second on 1,000 hostile characters."""
_SYSTEMS = (
    ("iOS", re.compile(r"\b(?:iPhone|iPad|iPod)\b")),
    ("Android", re.compile(r"\bAndroid\b")),
    ("Windows", re.compile(r"\bWindows\b")),
    ("macOS", re.compile(r"\bMac OS X\b|\bMacintosh\b")),
    ("ChromeOS", re.compile(r"\bCrOS\b")),
    ("Linux", re.compile(r"\bLinux\b")),
)
_MAX_USER_AGENT = 1_000


def read_browser(user_agent: str) -> BrowserLabel:
    """Return the coarse label of a browser from its User-Agent: no version, no device."""
    text = user_agent[:_MAX_USER_AGENT]
    browser = next((name for name, signs in _BROWSERS if all(sign.search(text) for sign in signs)), "")
    system = next((name for name, sign in _SYSTEMS if sign.search(text)), "")
    return BrowserLabel(browser, system)
