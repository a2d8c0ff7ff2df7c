"""What a mail or a page looks like in Chromium, as far as a machine can tell.

python -m tests.system.programs.browser MAIL.html 600 light PICTURE.png
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from tests.system.programs.chromium import Chromium

LOOK = """\
(() => {
// Relative luminance and contrast as WCAG 2.2 defines them (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
function luminance(rgb) {
  const [r, g, b] = rgb.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function colour(text) {
  const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
  return {rgb: [r, g, b], opaque: a > 0};
}
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
function background(element) {
  for (let at = element; at; at = at.parentElement) {
    const found = colour(getComputedStyle(at).backgroundColor);
    if (found.opaque) return found.rgb;
  }
  return dark ? [18, 18, 18] : [255, 255, 255];
}
function contrast(element) {
  const both = [colour(getComputedStyle(element).color).rgb, background(element)].map(luminance);
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
}
// Each line of each text, as high as its letters are rather than as their font makes room for.
function lines(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter(({width, height}) => width > 1 && height > 1).map(at => ({
    node, left: at.left, right: at.right, top: at.top + at.height * 0.25, bottom: at.bottom - at.height * 0.25}));
}
// Whether a line is cut off on purpose, with an ellipsis at its end.
function shortened({node}) {
  for (let at = node.parentElement; at; at = at.parentElement)
    if (getComputedStyle(at).textOverflow === "ellipsis" && at.getBoundingClientRect().right <= innerWidth + 1)
      return true;
  return false;
}
const root = document.documentElement, told = [], boxes = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const node = walk.currentNode, element = node.parentElement;
  // What is for screen readers alone is drawn into a pixel.
  if (!node.data.trim() || !element.checkVisibility() || element.getBoundingClientRect().height <= 1) continue;
  told.push(element);
  boxes.push(...lines(node));
}
const said = ({node}) => node.data.trim().slice(0, 60), overlapping = [];
boxes.sort((a, b) => a.top - b.top);
boxes.forEach((one, place) => {
  for (let other = place + 1; other < boxes.length && boxes[other].top < one.bottom; other++) {
    const two = boxes[other];
    if (two.node !== one.node && Math.min(one.right, two.right) - Math.max(one.left, two.left) > 2)
      overlapping.push(said(one) + " | " + said(two));
  }
});
const faint = [...new Set(told)].map(element => ({ratio: contrast(element), element}));
return {
  width: root.scrollWidth,
  height: root.scrollHeight,
  dark,
  background: luminance(background(document.body)),
  faint: faint.filter(({ratio}) => ratio < 4.5).map(
    ({ratio, element}) => ratio.toFixed(1) + " " + element.textContent.trim().slice(0, 60)),
  // What is wholly to the left waits there for who goes by keyboard, as links past the beginning do.
  outside: boxes.filter(box => (box.right > 0 && box.left < -1 || box.right > innerWidth + 1) && !shortened(box)).map(said),
  overlapping,
  texts: told.length,
};
})()
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAppearance:
    """What a reader sees.

    Attributes:
        width: of the page, in CSS pixels; more than the window's is scrolled sideways.
        height: of the page, in CSS pixels.
        dark: whether the reader's system is dark.
        background: its relative luminance, from 0 (black) to 1.
        faint: texts with a contrast below 4.5 (WCAG 2.2, success criterion 1.4.3), each with its contrast.
        outside: texts of which a part is beyond the window's sides.
        overlapping: pairs of texts that stand on one another.
        texts: how many pieces of text there are.
    """

    width: int
    height: int
    dark: bool
    background: float
    faint: list[str]
    outside: list[str]
    overlapping: list[str]
    texts: int


def measure_appearance(browser: Chromium, *, width: int, dark: bool) -> PageAppearance:
    """See the page that is open in a window of some width, in CSS pixels."""
    browser.resize(width, dark=dark)
    return PageAppearance(**browser.run(LOOK))


if __name__ == "__main__":
    file, wide, scheme, out = sys.argv[1:]
    with Chromium() as chromium:
        chromium.open(Path(file).read_bytes(), width=int(wide), dark=scheme == "dark")
        chromium.photograph(Path(out))
