"""A library that answers as Zotero's web API does (https://www.zotero.org/support/dev/web_api/v3/write_requests)."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import Any, Self

from digest.testing.http_host import CannedResponse, HostRequest, ScriptedHost

USER, KEY, READING_KEY = "4711", "P9NiFoyLeZu2bZNvvuQPDWsd", "readonlyreadonlyreadonly"


class ZoteroLibrary(AbstractContextManager["ZoteroLibrary"]):
    """The library of one user, on loopback.

    Attributes:
        items: the items, by key.
        refused: titles that are not accepted.
        host: the server.
    """

    def __init__(self) -> None:
        self.items: dict[str, dict[str, Any]] = {}
        self.refused: set[str] = set()
        self.host = ScriptedHost()
        self.host.answers[f"/users/{USER}/items"] = self._add_items

    def __enter__(self) -> Self:
        self.host.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.host.__exit__(*exc)

    @property
    def titles(self) -> list[str]:
        """The titles of the items, in order of their addition."""
        return [item["title"] for item in self.items.values()]

    def _add_items(self, asked: HostRequest) -> CannedResponse:
        key = asked.headers.get("zotero-api-key", "")
        if key == READING_KEY:
            return CannedResponse(b"Write access denied", 403)
        if key != KEY:
            return CannedResponse(b"Invalid key", 403)
        assert asked.headers["content-type"] == "application/json"
        items = json.loads(asked.body)
        if len(items) > 50:
            return CannedResponse(b"Cannot add more than 50 items at a time", 413)
        success, failed = {}, {}
        for index, item in enumerate(items):
            if item["key"] in self.items:
                failed[str(index)] = {"key": item["key"], "code": 412, "message": "Item has been modified"}
            elif item["title"] in self.refused:
                failed[str(index)] = {"code": 413, "message": "Title is too long"}
            else:
                assert item["version"] == 0
                self.items[item["key"]] = item
                success[str(index)] = item["key"]
        answer = {"successful": {}, "success": success, "unchanged": [], "failed": failed or []}
        return CannedResponse(json.dumps(answer).encode(), 200, {"Content-Type": "application/json"})
