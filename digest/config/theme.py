"""The theme of mails and pages: the values of ``accent``, ``logo`` and ``footer``."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from digest.config.svg import InvalidSvgError, UnsafeSvgError, check_svg
from digest.core.colours import DEFAULT_ACCENT, MIN_TEXT_CONTRAST, compute_contrast, darken, is_colour
from digest.errors import ConfigError

MAX_LOGO_BYTES = 20_000
"""Maximum size of a logo, in bytes: it is part of every page."""
MAX_FOOTER_LENGTH = 300
"""Maximum length of the line at the foot, in characters."""
_WHITE = "#ffffff"
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
"""The first bytes of a PNG file (https://www.w3.org/TR/png-3/#5PNG-file-signature)."""
_PNG_END = b"\0\0\0\0IEND\xaeB`\x82"
"""The last chunk of a PNG file: a file without it is cut off."""
_XML_BEGINNINGS = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0<")
"""The first bytes of an XML file in UTF-8 or UTF-16 (https://www.w3.org/TR/xml/#sec-guessing), spaces aside."""


def read_accent(text: str) -> str:
    """Parse the accent colour, ``#1b4f91``, which must be readable as text on white."""
    if not is_colour(text):
        raise ConfigError(
            f'{text!r} is not a colour; write it as "{DEFAULT_ACCENT}": # and six hexadecimal digits'
        )
    contrast = compute_contrast(text, _WHITE)
    if contrast < MIN_TEXT_CONTRAST:
        raise ConfigError(
            f"links in {text} would be hard to read: its contrast with white is {int(contrast * 100) / 100}:1, and WCAG 2.2 requires "
            f'{MIN_TEXT_CONTRAST}:1; a darker one of this hue is "{darken(text, _WHITE)}"'
        )
    return text.lower()


def read_footer(text: str) -> str:
    """Parse the line at the foot of mails and pages."""
    line = " ".join(text.split())
    if "\n" in text.strip() or not line.isprintable():
        raise ConfigError("the footer is one line of text; remove line breaks and control characters")
    if len(line) > MAX_FOOTER_LENGTH:
        raise ConfigError(
            f"the footer has {len(line)} characters; shorten it to at most {MAX_FOOTER_LENGTH}, and link to a page with more"
        )
    return line


def read_logo(path: Path) -> str:
    """Read a logo, and return it as a ``data:`` URI.

    Args:
        path: a PNG or SVG file.

    Raises:
        ConfigError: it does not exist, is too large, or is neither a PNG nor a harmless SVG.
    """
    content = _read_file(path)
    if content.startswith(_PNG_SIGNATURE):
        if _PNG_END not in content:
            raise ConfigError(f"{path} is only the beginning of a PNG file; copy or export it again")
        return _make_data_uri("image/png", content)
    if content.lstrip().startswith(_XML_BEGINNINGS):
        _check_svg(path, content)
        return _make_data_uri("image/svg+xml", content)
    raise ConfigError(f"{path} is neither a PNG nor an SVG file; convert it to one of them")


def _read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_LOGO_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError(f"there is no {path}; write the path relative to this file") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be opened: {error.strerror}") from None
    if len(content) > MAX_LOGO_BYTES:
        raise ConfigError(
            f"{path} has more than {MAX_LOGO_BYTES // 1000} kB, and it would be part of every page; make it smaller"
        )
    return content


def _make_data_uri(media_type: str, content: bytes) -> str:
    return f"data:{media_type};base64,{b64encode(content).decode()}"


def _check_svg(path: Path, content: bytes) -> None:
    try:
        check_svg(content)
    except InvalidSvgError as error:
        raise ConfigError(f"{path} is not a valid SVG file: {error}") from None
    except UnsafeSvgError as error:
        raise ConfigError(
            f"{path} contains {error}; export it as a plain SVG that only draws, without scripts, animations, links and "
            "references to other files"
        ) from None
