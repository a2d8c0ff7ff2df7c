"""Feeds that nobody writes who wants to be read: each has very many of something, or something very long."""

from __future__ import annotations

import random

_HEAD = (
    '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"'
    ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:georss="http://www.georss.org/georss"'
    ' xmlns:psc="http://podlove.org/simple-chapters"><channel><title>t</title>'
)
_END = "</channel></rss>"
_ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>t</title>{}</entry></feed>'
_JSON = '{{"version":"https://jsonfeed.org/version/1","items":[{}]}}'

_NUMBERED = (
    *(
        "<category>c{}</category>",
        "<dc:subject>{}</dc:subject>",
        "<author>a{}</author>",
        "<link>https://x/{}</link>",
    ),
    *(
        "<guid>https://x/{}</guid>",
        "<dc:contributor>a{}</dc:contributor>",
        "<pubDate>Fri, {} Aug 2026</pubDate>",
    ),
    *(
        "<a{} b='c'/>",
        "<n{0}:x xmlns:n{0}='u'/>      ",
        "<content>{}</content>       ",
        "<link rel='alternate' href='/{}'/>",
        "<media:credit>{}</media:credit>",
        "<psc:chapter start='{}'/>",
        "</item><item><title>{}</title>",
    ),
)
"""Elements that come again and again, each with another number."""
_LISTS = (
    *(
        "itunes:keywords",
        "media:keywords",
        "tags",
        "media:restriction",
        "georss:polygon",
        "pubDate",
        "author",
    ),
    *("dc:identifier", "title", "description"),
)
"""Elements whose text is taken apart."""
_PIECES = (
    *(
        "a@",
        "a@a.",
        "a b@",
        "Ada Lovelace, ",
        "A and ",
        "(",
        "\\'{",
        "\\frac{",
        "$",
        "{",
        "1 2 ",
        "2026-01-01T",
        "&amp;",
    ),
    *(
        "&lt;a b=&quot;",
        "&lt;!--",
        "&lt;b&gt;",
        "&lt;table&gt;",
        "&lt;script&gt;",
        "&lt;/",
        "&#x41;",
        "10.1000/",
    ),
    *("arXiv:", "https://", "Publication date: a Source: ", "a/../", ", ", "&a;"),
)
_OPENED = (
    "a",
    "x xml:base='a/'",
    "x base='aaaa/'",
    "image",
    "source",
    "content type='xhtml'",
    "item",
    "channel",
)
"""Elements that are nested."""
_BROKEN = (
    "<",
    "<a ",
    "<a b='",
    "<a/",
    "</",
    "</a ",
    "<!--",
    "<![CDATA[",
    "<!DOCTYPE a '",
    "<!DOCTYPE [",
    "<?",
    "&",
    "&#1",
)
"""What begins something and does not end it."""


def _item(inner: str) -> str:
    return f"{_HEAD}<item><title>T</title><link>https://x.org/1</link>{inner}</item>{_END}"


def _numbers(form: str, size: int) -> str:
    return "".join(form.format(number) for number in range(size // (len(form) + 2)))


def _nested(opened: str, size: int) -> str:
    closed = f"</{opened.split(maxsplit=1)[0]}>"
    depth = size // (len(opened) + len(closed) + 2)
    return f"<{opened}>" * depth + closed * depth


_ATTRIBUTES = ('a{}="" ', 'xmlns:a{}="u" ', 'dc:a{}="" ')
_BEFORE = ("\n", " \n", "<!---->", "\n<!DOCTYPE ", "\n<!ENTITY ")
_TEXTS = (
    *("<div>", "<a href='../x'>", "<img src='a/../b'/>", "<!--", "<table><tr><td>", "<p", "<script>", "</"),
    *("$x$ ", "{\\'e}", "\\frac{", "&amp;amp;", "&nbsp;", "QUJD", "\u4e2d", "e\u0301", "\t \n"),
)
"""What stands in texts that are HTML or TeX, again and again."""
_HTML = ("<a ", "<b>", "&", "</")


def _repeated(piece: str, size: int) -> str:
    return piece * (size // len(piece))


def _in_list(text: str, chance: random.Random) -> str:
    name = chance.choice(_LISTS)
    return _item(f"<{name}>{text}</{name}>")


def _make_piece(recipe: int, chance: random.Random, size: int) -> str:  # noqa: C901, PLR0911, PLR0912 - one for each recipe
    match recipe:
        case 0:
            return _item(_numbers(chance.choice(_NUMBERED), size))
        case 1:
            return _item(f"<x {_numbers(chance.choice(_ATTRIBUTES), size)}/>")
        case 2:
            return _in_list(_numbers("{},", size), chance)
        case 3:
            return _in_list(_repeated(chance.choice(_PIECES), size), chance)
        case 4:
            return _item(_nested(chance.choice(_OPENED), size))
        case 5:
            return _ATOM.format(_nested(chance.choice(_OPENED), size))
        case 6:
            return _item("x") + _repeated(chance.choice(_BROKEN), size)
        case 7:
            return _item(_repeated(chance.choice(_BROKEN), size))
        case 8:
            return _repeated(chance.choice(_BEFORE), size) + _item("")
        case 9:
            text = "b" * (size // 2)
            return f'<!DOCTYPE x [\n<!ENTITY a "{text}">\n]>{_item(_repeated("&a;", size // 2))}'
        case 10:
            return _in_list(chance.choice("a1. (@/") * size, chance)
        case 11:
            return _JSON.format(f'{{"id":1,"content_html":"{_repeated(chance.choice(_HTML), size)}"}}')
        case 12:
            text = _repeated(chance.choice(_TEXTS), size)
            return chance.choice(
                (
                    _item(f"<description><![CDATA[{text}]]></description>"),
                    _item(f"<title><![CDATA[{text}]]></title>"),
                    _ATOM.format(f"<content type='xhtml'><div>{text}</div></content>"),
                )
            )
        case _:
            items = [f'{{"id":{number},"tags":["{number}"]}}' for number in range(size // 25)]
            return _JSON.format(",".join(items))


_RECIPES = 14


def make_odd_feed(chance: random.Random, size: int) -> bytes:
    """A feed of about so many bytes."""
    return _make_piece(chance.randrange(_RECIPES), chance, size).encode()
