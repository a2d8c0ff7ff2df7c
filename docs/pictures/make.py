"""Makes the pictures of the README from a mail of the demo: ``make pictures``.

``mail.png`` shows its top in a wide window, light beside dark; ``phone.png`` shows it on a phone. This needs
`digest`, Chromium and Pillow (``pip install pillow``).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

FOLDER = Path(__file__).parent
MAIL = "out/mail/language-models/2026-05-07T0730.html"
COLUMN = (600, 800)
"""Width and height of each half of the wide picture, in CSS pixels."""
PHONE = (360, 740)
"""Width and height of a phone, in CSS pixels."""


def take_picture(page: Path, size: tuple[int, int], *, scale: float, dark: bool = False) -> Image.Image:
    """Return a picture of the top of a page.

    Args:
        page: the HTML file.
        size: width and height of the window, in CSS pixels.
        scale: pixels of the picture per CSS pixel.
        dark: whether the reader prefers dark pages.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        file = Path(name) / "picture.png"
        subprocess.run(
            [
                *(
                    "chromium",
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-quic",
                    "--no-first-run",
                ),
                *("--disable-background-networking", "--hide-scrollbars", f"--user-data-dir={name}/profile"),
                f"--blink-settings=preferredColorScheme={0 if dark else 1}",
                f"--force-device-scale-factor={scale}",
                f"--window-size={size[0]},{size[1]}",
                f"--screenshot={file}",
                page.as_uri(),
            ],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        return Image.open(file).convert("RGB")


def join(pictures: Sequence[Image.Image]) -> Image.Image:
    """Return a picture of pictures of the same height side by side."""
    joined = Image.new("RGB", (sum(picture.width for picture in pictures), pictures[0].height))
    left = 0
    for picture in pictures:
        joined.paste(picture, (left, 0))
        left += picture.width
    return joined


def save(picture: Image.Image, name: str) -> None:
    """Write a picture with at most 256 colours, which makes it a third as large."""
    file = FOLDER / name
    picture.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{file.name}: {picture.width} × {picture.height}, {file.stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Run the demo and write both pictures."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "digest", "demo", folder, "--json"], check=True, stdout=subprocess.DEVNULL
        )
        mail = Path(folder) / MAIL
        save(join([take_picture(mail, COLUMN, scale=1.5, dark=dark) for dark in (False, True)]), "mail.png")
        save(take_picture(mail, PHONE, scale=2), "phone.png")


if __name__ == "__main__":
    main()
