"""Colours such as ``#1b4f91``: the contrast of two, and variants of one that stand out from a background."""

from __future__ import annotations

import re
from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache

DEFAULT_ACCENT = "#1b4f91"
"""The colour of links and buttons if the operator chooses none."""
MIN_TEXT_CONTRAST = 4.5
"""Minimum contrast of text and its background (WCAG 2.2, success criterion 1.4.3)."""
_HEX = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
_LINEAR_LIMIT = 0.04045
"""The value of a channel up to which sRGB is linear (IEC 61966-2-1, as WCAG 2.2 quotes it)."""


def is_colour(text: str) -> bool:
    """Whether a text is a colour in the form ``#rrggbb``."""
    return _HEX.fullmatch(text) is not None


def compute_luminance(colour: str) -> float:
    """Compute the relative luminance of a colour, from 0 for black to 1 for white.

    The formula is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance).
    """
    red, green, blue = (_make_linear(channel) for channel in _split_channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def compute_contrast(colour: str, other: str) -> float:
    """Compute the contrast of two colours, from 1 to 21.

    The formula is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
    """
    darker, lighter = sorted((compute_luminance(colour), compute_luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def darken(colour: str, background: str, contrast: float = MIN_TEXT_CONTRAST) -> str:
    """Return the lightest variant of a colour, itself included, that has a contrast with a light background.

    Args:
        colour: the colour, whose hue and saturation (HSL) stay.
        background: the background.
        contrast: the minimum contrast; black must have it, or the result has less.
    """
    return _change_lightness(colour, background, contrast, -1)


def lighten(colour: str, background: str, contrast: float = MIN_TEXT_CONTRAST) -> str:
    """Return the darkest variant of a colour, itself included, that has a contrast with a dark background.

    Args:
        colour: the colour, whose hue and saturation (HSL) stay.
        background: the background.
        contrast: the minimum contrast; white must have it, or the result has less.
    """
    return _change_lightness(colour, background, contrast, 1)


@lru_cache(maxsize=256)
def _change_lightness(colour: str, background: str, contrast: float, step: int) -> str:
    hue, lightness, saturation = rgb_to_hls(*_split_channels(colour))
    level, variant = round(lightness * 255), colour.lower()
    while 0 <= level + step <= 255 and not _stands_out(variant, background, contrast, step):
        level += step
        variant = _join_channels(hls_to_rgb(hue, level / 255, saturation))
    return variant


def _stands_out(colour: str, background: str, contrast: float, step: int) -> bool:
    """Whether a colour is on the side of the background to which the steps lead, and far enough from it."""
    is_beyond = step * (compute_luminance(colour) - compute_luminance(background)) > 0
    return is_beyond and compute_contrast(colour, background) >= contrast


def _split_channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def _join_channels(channels: tuple[float, float, float]) -> str:
    return "#" + bytes(round(channel * 255) for channel in channels).hex()


def _make_linear(channel: float) -> float:
    return channel / 12.92 if channel <= _LINEAR_LIMIT else ((channel + 0.055) / 1.055) ** 2.4
