"""Check of SVG images: only elements, attributes and styles that can draw are allowed.

The lists follow SVG 2 (https://www.w3.org/TR/SVG2/eltindex.html, https://www.w3.org/TR/SVG2/attindex.html), without what runs,
animates, links or loads. Browsers ignore scripts and references in ``<img>``, but not when somebody opens the image by itself.
"""

from __future__ import annotations

import re
from xml.parsers import expat

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML = "http://www.w3.org/XML/1998/namespace"
_EDITOR_NAMESPACES = (
    "http://www.inkscape.org/namespaces/inkscape",
    "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://creativecommons.org/ns#",
    "http://web.resource.org/cc/",
    "http://purl.org/dc/elements/1.1/",
    "http://www.serif.com/",
    "http://www.bohemiancoding.com/sketch/ns",
)
"""Namespaces of notes that drawing programs leave; no program runs or loads anything of them."""
_ELEMENTS = frozenset(
    [
        "circle",
        "clipPath",
        "defs",
        "desc",
        "ellipse",
        "filter",
        "g",
        "image",
        "line",
        "linearGradient",
        "marker",
        "mask",
        "metadata",
        "path",
        "pattern",
        "polygon",
        "polyline",
        "radialGradient",
        "rect",
        "stop",
        "style",
        "svg",
        "switch",
        "symbol",
        "text",
        "textPath",
        "title",
        "tspan",
        "use",
        "feBlend",
        "feColorMatrix",
        "feComponentTransfer",
        "feComposite",
        "feConvolveMatrix",
        "feDiffuseLighting",
        "feDisplacementMap",
        "feDistantLight",
        "feDropShadow",
        "feFlood",
        "feFuncA",
        "feFuncB",
        "feFuncG",
        "feFuncR",
        "feGaussianBlur",
        "feMerge",
        "feMergeNode",
        "feMorphology",
        "feOffset",
        "fePointLight",
        "feSpecularLighting",
        "feSpotLight",
        "feTile",
        "feTurbulence",
    ]
)
_NAMES = frozenset(["class", "id", "lang", "role"])
"""Attributes whose values may be any text."""
_ATTRIBUTES = frozenset(
    [
        "amplitude",
        "azimuth",
        "baseFrequency",
        "baseProfile",
        "bias",
        "clipPathUnits",
        "cx",
        "cy",
        "d",
        "diffuseConstant",
        "divisor",
        "dx",
        "dy",
        "edgeMode",
        "elevation",
        "enable-background",
        "exponent",
        "filterUnits",
        "focusable",
        "fr",
        "fx",
        "fy",
        "gradientTransform",
        "gradientUnits",
        "height",
        "in",
        "in2",
        "intercept",
        "k1",
        "k2",
        "k3",
        "k4",
        "kernelMatrix",
        "kernelUnitLength",
        "lengthAdjust",
        "limitingConeAngle",
        "markerHeight",
        "markerUnits",
        "markerWidth",
        "maskContentUnits",
        "maskUnits",
        "method",
        "mode",
        "numOctaves",
        "offset",
        "operator",
        "order",
        "orient",
        "pathLength",
        "patternContentUnits",
        "patternTransform",
        "patternUnits",
        "points",
        "pointsAtX",
        "pointsAtY",
        "pointsAtZ",
        "preserveAlpha",
        "preserveAspectRatio",
        "primitiveUnits",
        "r",
        "radius",
        "refX",
        "refY",
        "result",
        "rotate",
        "rx",
        "ry",
        "scale",
        "seed",
        "side",
        "slope",
        "spacing",
        "specularConstant",
        "specularExponent",
        "spreadMethod",
        "startOffset",
        "stdDeviation",
        "stitchTiles",
        "surfaceScale",
        "systemLanguage",
        "tableValues",
        "targetX",
        "targetY",
        "textLength",
        "type",
        "values",
        "version",
        "viewBox",
        "width",
        "x",
        "x1",
        "x2",
        "xChannelSelector",
        "y",
        "y1",
        "y2",
        "yChannelSelector",
        "z",
        "zoomAndPan",
        "alignment-baseline",
        "baseline-shift",
        "clip",
        "clip-path",
        "clip-rule",
        "color",
        "color-interpolation",
        "color-interpolation-filters",
        "color-rendering",
        "direction",
        "display",
        "dominant-baseline",
        "fill",
        "fill-opacity",
        "fill-rule",
        "filter",
        "flood-color",
        "flood-opacity",
        "font",
        "font-family",
        "font-feature-settings",
        "font-kerning",
        "font-size",
        "font-size-adjust",
        "font-stretch",
        "font-style",
        "font-variant",
        "font-weight",
        "image-rendering",
        "isolation",
        "letter-spacing",
        "lighting-color",
        "marker",
        "marker-end",
        "marker-mid",
        "marker-start",
        "mask",
        "mask-type",
        "media",
        "mix-blend-mode",
        "opacity",
        "overflow",
        "paint-order",
        "pointer-events",
        "shape-rendering",
        "solid-color",
        "solid-opacity",
        "stop-color",
        "stop-opacity",
        "stroke",
        "stroke-dasharray",
        "stroke-dashoffset",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-miterlimit",
        "stroke-opacity",
        "stroke-width",
        "style",
        "text-align",
        "text-anchor",
        "text-decoration",
        "text-overflow",
        "text-rendering",
        "transform",
        "transform-origin",
        "unicode-bidi",
        "vector-effect",
        "visibility",
        "white-space",
        "word-spacing",
        "writing-mode",
    ]
)
_XLINK_NOTES = frozenset({"type", "title", "role", "show", "actuate"})
_FUNCTIONS = frozenset(
    [
        "blur",
        "brightness",
        "calc",
        "circle",
        "contrast",
        "drop-shadow",
        "ellipse",
        "grayscale",
        "hsl",
        "hsla",
        "hue-rotate",
        "inset",
        "invert",
        "matrix",
        "max",
        "media",
        "min",
        "not",
        "nth-child",
        "nth-of-type",
        "opacity",
        "polygon",
        "rgb",
        "rgba",
        "rotate",
        "saturate",
        "scale",
        "scalex",
        "scaley",
        "sepia",
        "skew",
        "skewx",
        "skewy",
        "translate",
        "translatex",
        "translatey",
        "var",
    ]
)
"""Functions and selectors of styles that load nothing, in lower case."""
_FUNCTION = re.compile(r"([\w-]+)\(")
_LOCAL_URL = re.compile(r"""url\(\s*(['"]?)#[^'"()\s]*\1\s*\)""", re.IGNORECASE)
_AT_RULE = re.compile(r"@(?!media\b)", re.IGNORECASE)
_RASTER_IMAGE = re.compile(r"data:image/(?:png|jpeg|jpg|gif|webp);base64,[A-Za-z0-9+/=\s]*")
_PUBLIC_DTD = "http://www.w3.org/"


class UnsafeSvgError(Exception):
    """An SVG file contains something that is not allowed; the message names it."""


class InvalidSvgError(Exception):
    """A file is not an XML document; the message says why."""


def check_svg(content: bytes) -> None:
    """Check that a file is one image that runs nothing and refers to no other file.

    Raises:
        InvalidSvgError: it is not XML.
        UnsafeSvgError: it is not SVG, or contains anything that is not on the lists.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    checker = _Checker()
    parser.StartElementHandler = checker.start_element
    parser.EndElementHandler = checker.end_element
    parser.CharacterDataHandler = checker.add_text
    parser.StartDoctypeDeclHandler = _check_doctype
    parser.EntityDeclHandler = parser.ProcessingInstructionHandler = _refuse_declaration
    try:
        parser.Parse(content, True)  # noqa: FBT003 - the last piece
    except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: of an unknown encoding
        raise InvalidSvgError(str(error)) from None


class _Checker:
    """Checks one document from its beginning to its end."""

    def __init__(self) -> None:
        self._depth = 0
        self._style_depth = 0
        self._style = ""

    def start_element(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local_name = name.rpartition(" ")
        if not self._depth and (namespace, local_name) != (_SVG, "svg"):
            raise UnsafeSvgError(f'no <svg xmlns="{_SVG}"> as its first element')
        self._depth += 1
        if namespace in _EDITOR_NAMESPACES:
            return
        if namespace != _SVG or local_name not in _ELEMENTS:
            raise UnsafeSvgError(f"the element <{local_name}>")
        if local_name == "style" and not self._style_depth:
            self._style_depth = self._depth
        for attribute, value in attributes.items():
            _check_attribute(local_name, attribute, value.strip())

    def end_element(self, _name: str) -> None:
        if self._depth == self._style_depth:
            _check_style(self._style, "a style sheet")
            self._style_depth, self._style = 0, ""
        self._depth -= 1

    def add_text(self, text: str) -> None:
        # The text of a style is checked as a whole: comments and CDATA sections can stand within a word of it.
        if self._style_depth:
            self._style += text


def _check_attribute(element: str, attribute: str, value: str) -> None:
    namespace, _, name = attribute.rpartition(" ")
    if namespace in {"", _XLINK} and name == "href":
        if not value.startswith("#") and not (element == "image" and _RASTER_IMAGE.fullmatch(value)):
            raise UnsafeSvgError(f"the attribute {name}")
    elif not namespace and name in _ATTRIBUTES:
        _check_style(value, f"the attribute {name}")
    elif not (
        namespace in _EDITOR_NAMESPACES
        or (namespace == _XML and name in {"space", "lang"})
        or (namespace == _XLINK and name in _XLINK_NOTES)
        or (not namespace and (name in _NAMES or name.startswith(("data-", "aria-"))))
    ):
        raise UnsafeSvgError(f"the attribute {name}")


def _check_style(style: str, place: str) -> None:
    """Check a style sheet, or a value of an attribute.

    Escapes are refused rather than resolved, because with them a function can be written in many ways.
    """
    if "\\" in style:
        raise UnsafeSvgError(f"{place} with an escape")
    if _AT_RULE.search(style):
        raise UnsafeSvgError(f"{place} with an @-rule")
    for match in _FUNCTION.finditer(_LOCAL_URL.sub("", style)):
        if match[1].lower() not in _FUNCTIONS:
            raise UnsafeSvgError(f"{place} with {match[1]}()")


def _check_doctype(
    _name: str, system_id: str | None, _public_id: str | None, has_internal_subset: int
) -> None:
    if has_internal_subset or not (system_id or _PUBLIC_DTD).startswith(_PUBLIC_DTD):
        _refuse_declaration()


def _refuse_declaration(*_declaration: object) -> None:
    raise UnsafeSvgError("a declaration of entities or style sheets")
