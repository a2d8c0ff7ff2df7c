"""The recorded answers of a service, with what was asked and how it answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from digest.ports import Response


class RecordedAnswer(NamedTuple):
    """One answer.

    Attributes:
        file: below the folder of recordings.
        url: that was asked; "" where the recording does not say.
    """

    file: str
    url: str
    response: Response


def read_recorded_answers(data: Path, folder: str) -> Iterator[RecordedAnswer]:
    """All answers of a folder, as the manifest has them."""
    with (data / "MANIFEST.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            if document["file"].startswith(f"{folder}/"):
                http = document.get("http", {})
                response = Response(
                    status=http.get("status") or 200,
                    headers=tuple(http.get("headers", {}).items()),
                    body=(data / document["file"]).read_bytes(),
                )
                yield RecordedAnswer(document["file"], http.get("url") or "", response)
