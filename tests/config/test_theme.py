"""What an operator can rely on who gives mails and pages a colour, a logo and a footer."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path

import pytest

from digest.config import Settings, read_settings
from digest.config.theme import MAX_LOGO_BYTES
from digest.errors import ConfigError
from tests.support.cases import for_each_case

REST = """
[[source]]
use = "arxiv"
categories = ["cs.DC"]

[[digest]]
name = "llm"
to = ["files:mail"]
schedule = "weekdays 07:30"
timezone = "Europe/Berlin"
keywords = ["KV cache"]
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 60 + b"\0\0\0\0IEND\xaeB`\x82"


def read(folder: Path, site: str) -> Settings:
    path = folder / "digest.toml"
    path.write_text(f"[site]\n{site}\n{REST}", encoding="utf-8")
    return read_settings(path, {})


def complain(folder: Path, site: str) -> str:
    """The message about a mistake, without its place in the file."""
    with pytest.raises(ConfigError) as caught:
        read(folder, site)
    message = str(caught.value)
    assert re.match(r".*digest\.toml:2:\d+: site\.", message), message
    return message


def test_without_a_theme_there_is_our_colour_and_nothing_else(tmp_path: Path) -> None:
    site = read(tmp_path, "").site

    assert (site.accent, site.logo, site.footer) == ("#1b4f91", "", "")


# --- accent ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", ["#8c1515", "#8C1515", "#767676", "#000000"])
def test_a_colour_that_can_be_read_on_white_is_taken(tmp_path: Path, colour: str) -> None:
    assert read(tmp_path, f'accent = "{colour}"').site.accent == colour.lower()


@pytest.mark.parametrize("text", ["", "navy", "#fff", "rgb(0,0,0)", "#12345g", "#1b4f91;}*{display:none"])
def test_what_is_no_colour_is_told_with_an_example(tmp_path: Path, text: str) -> None:
    assert 'write it as "#1b4f91"' in complain(tmp_path, f'accent = "{text}"')


def test_a_colour_that_is_too_light_is_told_with_its_contrast_and_a_darker_one(tmp_path: Path) -> None:
    message = complain(tmp_path, 'accent = "#ff6600"')

    assert "2.93:1, and WCAG 2.2 requires 4.5:1" in message
    [suggestion] = re.findall(r'a darker one of this hue is "(#\w+)"', message)
    assert read(tmp_path, f'accent = "{suggestion}"').site.accent == suggestion


# --- logo -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "media_type"),
    [("logo.png", PNG, "image/png"), ("logo.svg", SVG.format("").encode(), "image/svg+xml")],
)
def test_a_logo_becomes_a_part_of_the_page(
    tmp_path: Path, name: str, content: bytes, media_type: str
) -> None:
    (tmp_path / name).write_bytes(content)

    kind, _, data = read(tmp_path, f'logo = "{name}"').site.logo.partition(";base64,")

    assert kind == f"data:{media_type}"
    assert b64decode(data) == content


@for_each_case(
    "inside",
    [
        '<path fill="url(#a)" d="M0 0h9"/>',
        "<style>.a{fill:#f00}</style>",
        '<use href="#a"/>',
        '<g pointer-events="none"/>',
        '<image href="data:image/png;base64,AAAA"/>',
        "<title>On the lab; @import url(x)</title>",
        "<style>@media (prefers-color-scheme:dark){.a:not(.b){fill:rgb(1,2,3)}}</style>",
        "<style><![CDATA[.a{fill:url('#a');transform:rotate(3deg)}]]></style>",
        '<g xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:label="On(1)" data-name="a" aria-label="A (b)"><i:grid/></g>',
        '<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#a" xml:space="preserve"/>',
        '<s:path xmlns:s="http://www.w3.org/2000/svg" transform="translate(1 2)" filter="url(#f) blur(2px)"/>',
        '<linearGradient id="a" gradientTransform="matrix(1 0 0 1 0 0)"><stop offset="0" stop-color="#fff"/></linearGradient>',
    ],
)
def test_what_programs_for_drawing_write_is_allowed(tmp_path: Path, inside: str) -> None:
    (tmp_path / "logo.svg").write_text(SVG.format(inside))

    assert read(tmp_path, 'logo = "logo.svg"').site.logo


def test_the_declaration_that_programs_for_drawing_write_is_allowed(tmp_path: Path) -> None:
    head = '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    (tmp_path / "logo.svg").write_text(head + SVG.format(""))

    assert read(tmp_path, 'logo = "logo.svg"').site.logo


@for_each_case(
    ("content", "told"),
    [
        (SVG.format("<script>alert(1)</script>"), "the element <script>"),
        (SVG.format('<x:script xmlns:x="http://www.w3.org/2000/svg"/>'), "the element <script>"),
        (SVG.format("<foreignObject/>"), "the element <foreignObject>"),
        (SVG.format('<path onclick="alert(1)"/>'), "the attribute onclick"),
        (SVG.format('<path ONLOAD="alert(1)"/>'), "the attribute ONLOAD"),
        (SVG.format('<use href="javascript:alert(1)"/>'), "the attribute href"),
        (SVG.format('<image href="https://example.org/a.png"/>'), "the attribute href"),
        (SVG.format("<path style=\"fill:url( '//example.org/a')\"/>"), "the attribute style with url()"),
        (SVG.format('<path fill="url(https://example.org/a#b)"/>'), "the attribute fill with url()"),
        (SVG.format(r'<path style="fill:\75rl(//example.org/a)"/>'), "the attribute style with an escape"),
        (SVG.format(r"<style>a{fill:\75rl(//example.org/a)}</style>"), "a style sheet with an escape"),
        (SVG.format("<style>@import 'a.css'</style>"), "a style sheet with an @-rule"),
        (SVG.format("<style>@font-face{src:local(a)}</style>"), "a style sheet with an @-rule"),
        (SVG.format("<style>a{fill:URL(http://example.org)}</style>"), "a style sheet with URL()"),
        (SVG.format("<style>a{fill:ur<!-- -->l(http://example.org)}</style>"), "a style sheet with url()"),
        (SVG.format("<style>a{fill:u<![CDATA[rl(//example.org)]]>}</style>"), "a style sheet with url()"),
        (SVG.format("<style>a{mask:image-set('http://example.org')}</style>"), "with image-set()"),
        (
            SVG.format("<path style=\"mask:-webkit-image-set('//example.org/a' 1x)\"/>"),
            "with -webkit-image-set()",
        ),
        (SVG.format('<a><set attributeName="href" to="javascript:alert(1)"/></a>'), "the element <a>"),
        (
            SVG.format('<use href="#a"><set attributeName="href" to="//example.org"/></use>'),
            "the element <set>",
        ),
        (SVG.format('<animate attributeName="href" values="//example.org"/>'), "the element <animate>"),
        (SVG.format('<feImage href="#a"/>'), "the element <feImage>"),
        (SVG.format('<use href="data:image/svg+xml;base64,AAAA#a"/>'), "the attribute href"),
        (SVG.format('<image href="data:image/svg+xml;base64,AAAA"/>'), "the attribute href"),
        (SVG.format('<g xml:base="https://example.org/"/>'), "the attribute base"),
        (SVG.format('<h:img xmlns:h="http://www.w3.org/1999/xhtml"/>'), "the element <img>"),
        ('<!DOCTYPE svg SYSTEM "https://example.org/a.dtd">' + SVG.format(""), "a declaration"),
        ('<!DOCTYPE svg [<!ATTLIST svg onload CDATA "x()">]>' + SVG.format(""), "a declaration"),
        ('<?xml-stylesheet href="a.css"?>' + SVG.format(""), "a declaration"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.format("&a;"), "a declaration"),
        ("<svg/>", 'no <svg xmlns="http://www.w3.org/2000/svg"> as its first element'),
        (f"<html>{SVG.format('')}</html>", "no <svg"),
        (SVG.format("<path>"), "is not a valid SVG file"),
        ('<?xml version="1.0" encoding="x-none"?>' + SVG.format(""), "is not a valid SVG file"),
        ("GIF89a", "is neither a PNG nor an SVG file"),
        ("", "is neither a PNG nor an SVG file"),
    ],
)
def test_a_file_that_is_no_harmless_image_is_refused(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / "logo.svg").write_text(content)

    assert told in complain(tmp_path, 'logo = "logo.svg"')


@pytest.mark.parametrize(
    "content",
    [
        SVG.format("").encode("utf-16"),
        b"\xef\xbb\xbf" + SVG.format("").encode(),
        b"\n " + SVG.format("").encode(),
        b'<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:path d="M0 0h9"/></s:svg>',
    ],
    ids=["UTF-16", "byte order mark", "spaces", "prefix"],
)
def test_an_svg_may_be_encoded_and_written_in_every_way_of_xml(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "logo.svg").write_bytes(content)

    assert read(tmp_path, 'logo = "logo.svg"').site.logo


def test_a_picture_that_was_copied_in_part_is_refused(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(PNG[:40])

    assert "is only the beginning of a PNG file" in complain(tmp_path, 'logo = "logo.png"')


def test_a_logo_that_does_not_exist_or_is_too_large_is_told(tmp_path: Path) -> None:
    assert "write the path relative to this file" in complain(tmp_path, 'logo = "logo.png"')
    (tmp_path / "logo.png").write_bytes(PNG.ljust(MAX_LOGO_BYTES, b"\0"))
    assert read(tmp_path, 'logo = "logo.png"').site.logo
    (tmp_path / "logo.png").write_bytes(PNG.ljust(MAX_LOGO_BYTES + 1, b"\0"))
    assert "more than 20 kB" in complain(tmp_path, 'logo = "logo.png"')
    (tmp_path / "folder").mkdir()
    assert "cannot be opened" in complain(tmp_path, 'logo = "folder"')


# --- footer ---------------------------------------------------------------------------------------


def test_a_footer_is_one_line_of_text(tmp_path: Path) -> None:
    assert read(tmp_path, 'footer = "  Lab,  <b>1</b> "').site.footer == "Lab, <b>1</b>"
    assert "one line" in complain(tmp_path, 'footer = "a\\nb"')
    assert "one line" in complain(tmp_path, 'footer = "a\\u0002b"')
    assert "one line" in complain(tmp_path, 'footer = "a\\u202eb"')
    assert "has 301 characters" in complain(tmp_path, f'footer = "{"x" * 301}"')
