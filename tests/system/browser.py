"""What a mail looks like in Chromium.

python -m tests.system.browser MAIL.html 600 light PICTURE.png
"""

from __future__ import annotations

import html
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.system.programs import demand

QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars "
    "--disable-background-networking --disable-component-update --disable-sync"
)

FRAME = """\
<!doctype html>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<style>html, body {{ margin: 0 }} iframe {{ border: 0; display: block; width: {width}px; height: {height}px }}</style>
<iframe srcdoc="{mail}"></iframe>
<script>
{script}
addEventListener("load", () => {{
  document.body.dataset.seen = JSON.stringify(look(document.querySelector("iframe")));
}});
</script>
"""
"""A window is never narrower than 500 pixels, so the mail stands in a frame of the width wanted."""

LOOK = """\
// Relative luminance and contrast as WCAG 2.2 defines them (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
function luminance(rgb) {
  const [r, g, b] = rgb.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function colour(text) {
  const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
  return {rgb: [r, g, b], opaque: a > 0};
}
function background(element, view) {
  for (let at = element; at; at = at.parentElement) {
    const found = colour(view.getComputedStyle(at).backgroundColor);
    if (found.opaque) return found.rgb;
  }
  return view.matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255];
}
function contrast(element, view) {
  const both = [colour(view.getComputedStyle(element).color).rgb, background(element, view)].map(luminance);
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
}
function look(frame) {
  const view = frame.contentWindow, root = frame.contentDocument.documentElement;
  const told = [...root.querySelectorAll("body *")].filter(element =>
    element.checkVisibility() && element.getBoundingClientRect().height > 1 &&
    [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim()));
  const faint = told.map(element => ({ratio: contrast(element, view), text: element.textContent.trim().slice(0, 60)}));
  return {
    width: root.scrollWidth,
    height: root.scrollHeight,
    dark: view.matchMedia("(prefers-color-scheme: dark)").matches,
    background: luminance(background(frame.contentDocument.body, view)),
    faint: faint.filter(({ratio}) => ratio < 4.5).map(({ratio, text}) => ratio.toFixed(1) + " " + text),
    texts: told.length,
  };
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a reader sees.

    Attributes:
        width: of the page, in CSS pixels; more than the window's is scrolled sideways.
        height: of the page, in CSS pixels.
        dark: whether the reader's system is dark.
        background: its relative luminance, from 0 (black) to 1.
        faint: texts with a contrast below 4.5 (WCAG 2.2, success criterion 1.4.3), each with its contrast.
        texts: how many pieces of text there are.
    """

    width: int
    height: int
    dark: bool
    background: float
    faint: list[str]
    texts: int


def look(mail: str, *, width: int, dark: bool, picture: Path | None = None) -> Seen:
    """Open a mail's HTML in a window of some width, in CSS pixels.

    Args:
        picture: where to put a PNG of all of it.
    """
    dom = _chromium(mail, width, 800, "--dump-dom", dark=dark)
    found = re.search(r'data-seen="([^"]*)"', dom)
    assert found, dom[-2000:]
    seen = Seen(**json.loads(html.unescape(found[1])))
    if picture:
        _chromium(mail, width, seen.height, f"--screenshot={picture}", dark=dark)
    return seen


def _chromium(mail: str, width: int, height: int, wish: str, *, dark: bool) -> str:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "frame.html")
        page.write_text(
            FRAME.format(width=width, height=height, mail=html.escape(mail), script=LOOK), encoding="utf-8"
        )
        command = [
            demand("chromium"),
            *QUIET.split(),
            f"--user-data-dir={folder}/profile",
            f"--blink-settings=preferredColorScheme={0 if dark else 1}",
            f"--window-size={width},{height}",
            wish,
            page.as_uri(),
        ]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


if __name__ == "__main__":
    file, wide, scheme, out = sys.argv[1:]
    look(Path(file).read_text("utf-8"), width=int(wide), dark=scheme == "dark", picture=Path(out).absolute())
