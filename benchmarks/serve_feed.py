"""A feed of 60 KB from `digest serve`, asked for by who has it and by who has not, against nginx and a file."""

from __future__ import annotations

import os
import random
import shutil
import string
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from time import sleep
from urllib.parse import urlsplit

from benchmarks.http_load import CONNECTIONS, Server, get_answer, measure_beside_nginx, serve_digest
from benchmarks.measure import Result
from digest.app import open_app
from digest.demo.publisher import NEW_YORK, AnnouncedPaper, Publisher
from digest.store.publishing.web_queries import load_web_digest

SIZE = 60_000
CONFIG = """
[site]
url = "http://127.0.0.1"

[[source]]
use = "arxiv"
routes = ["rss"]
categories = ["cs.DC", "cs.LG", "cs.CL"]
url = "{url}/rss/"
pace = 0

[[digest]]
name = "papers"
schedule = "daily 00:00"
categories = ["cs.*"]
limit = 50
feed = true
"""


def run(*, small: bool) -> Result:
    """Measure 304, the whole feed, and the whole feed compressed."""
    title = f"a feed of {SIZE // 1000} KB over {CONNECTIONS} connections that stay; CPU of the server"
    if shutil.which("nginx") is None:
        return Result(title=f"{title}: not run, nginx is not here (apt-get install nginx-light)")
    with tempfile.TemporaryDirectory() as name, _serve(Path(name)) as ours:
        size = len(get_answer(ours, ours.make_request())[1])
        assert abs(size - SIZE) < SIZE / 5, f"the feed has {size:,} bytes"
        return Result(title=title, rows=tuple(measure_beside_nginx(ours, Path(name), small=small)))


def _papers(day: date) -> list[AnnouncedPaper]:
    """As many as make a feed of that size, of words put together by chance, which compress as little as prose does."""
    chance = random.Random(1)
    words = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 11))) for _ in range(2000)]
    return [
        AnnouncedPaper(
            id=f"{day:%y%m}.{number:05}",
            title=" ".join(chance.choices(words, k=9)).capitalize(),
            day=day,
            abstract=" ".join(chance.choices(words, k=150)).capitalize() + ".",
            authors=("Ada Lovelace", "Charles Babbage"),
            categories=("cs.DC",),
        )
        for number in range(1, 28)
    ]


@contextmanager
def _serve(folder: Path) -> Iterator[Server]:
    """``digest serve`` when its first cycle is over."""
    day = datetime.now(NEW_YORK).date()
    config = folder / "digest.toml"
    with Publisher(_papers(day), day=day) as publisher:
        config.write_text(CONFIG.format(url=publisher.url), encoding="utf-8")
        with serve_digest(config) as (process, port):
            yield Server(process=process, port=port, path=_feed_path(config))


def _feed_path(config: Path) -> str:
    """Where the feed is, as soon as there is an edition in it."""
    with open_app(config, None, os.environ) as app:
        assert app.pages is not None
        while True:
            with app.store.begin_read() as tx:
                found = load_web_digest(tx, 1)
            if found is not None and found.newest:
                return urlsplit(app.pages.make_feed_url(found.id, found.name, "rss")).path
            sleep(0.05)
