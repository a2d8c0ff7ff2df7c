"""A site that reads public pages from a real replica, which may be behind, hang or die."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from digest.app import open_app
from digest.demo.publisher import Publisher
from digest.jobs.publishing.replica_watch import find_trouble
from digest.jobs.publishing.request_limiter import RequestLimiter
from digest.model import Paper, PaperKey
from digest.store.database import replica as replicas
from digest.store.database.engine import open_store
from digest.store.database.replica import MAX_LAG, Replica
from digest.store.fetching.listings import import_records
from digest.web import site as sites
from digest.web.monitoring.metrics import SiteCollector
from digest.web.protocol.response_cache import ResponseCache
from digest.web.protocol.write_mark import WRITE_COOKIE
from digest.web.server import listen, serve_site
from digest.web.site import make_site
from tests.support.postgres import ReplicatedPostgres
from tests.support.timeouts import PATIENCE
from tests.support.workspace import Workspace, make_config
from tests.web.conftest import ME, MORE, THURSDAY, URL, Site, compose_editions, get_morning, serve_workspace

pytestmark = pytest.mark.long

LATE = PaperKey("arxiv:2605.99999")
LATE_PAGE = "/paper/arxiv:2605.99999"
SEARCH = "/search?q=xylophone"
TITLE = b"A late xylophone"


@pytest.fixture
def site(
    replicated_postgres: ReplicatedPostgres,
    replicated_url: str,
    source: Publisher,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Site]:
    """A site whose replica is used; a replica that failed is tried again soon."""
    monkeypatch.setattr(replicas, "_RETRY_INTERVAL", 0.5)
    monkeypatch.setattr(sites, "_REPLICA_INTERVAL", 0.05)
    source.day = THURSDAY
    workspace = Workspace(tmp_path_factory.mktemp("replicated"))
    text = make_config(source.url, to=f'"{ME}"', store=replicated_url, more=MORE)
    replica_url = replicated_postgres.make_replica_url(replicated_url)
    text = text.replace("[store]", f'[store]\nread_url = "{replica_url}"')
    workspace.write(text.replace("[site]", f'[site]\nurl = "{URL}"'))
    now = get_morning(THURSDAY)
    with open_app(workspace.folder / "digest.toml", now, {}) as app:
        app.apply_config()
    compose_editions(workspace, now)
    with serve_workspace(workspace, source) as site:
        wait_until(lambda: not get_replica(site).trouble)
        yield site


def get_replica(site: Site) -> Replica:
    assert site.app.replica is not None
    return site.app.replica


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def store_late_paper(site: Site) -> None:
    with site.app.store.begin_ingest() as tx:
        import_records(tx, "arxiv", [Paper(key=LATE, title=TITLE.decode(), url="https://example.org/late")])


def post_form(site: Site) -> str:
    """Write something as a browser does; gives the cookie that the browser gets."""
    answer = site.post(site.make_manage_url(), data={"do": "pause-week"})
    assert answer.status_code == 200
    return f"{WRITE_COOKIE}={answer.cookies[WRITE_COOKIE]}"


def wait_for_replay(site: Site) -> None:
    """Wait until the site knows that the replica has everything."""
    position = get_replica(site).read_write_position()
    wait_until(lambda: get_replica(site).has_replayed(position))


def test_public_pages_come_from_the_replica_and_who_has_just_written_sees_the_primary(
    replicated_postgres: ReplicatedPostgres, site: Site
) -> None:
    def finds(cookie: str) -> bool:
        return TITLE in site.get(SEARCH, cookie=cookie).content

    earlier = post_form(site)
    wait_for_replay(site)
    with replicated_postgres.pause_replay():
        store_late_paper(site)
        latest = post_form(site)
        for _ in range(3):  # in turns, so that the cache has the page of the other one
            assert not finds(earlier)
            assert finds(latest)
    wait_until(lambda: finds(earlier))
    assert finds(latest)


def test_an_etag_of_the_replica_is_not_that_of_a_newer_page(
    replicated_postgres: ReplicatedPostgres, site: Site
) -> None:
    earlier = post_form(site)
    wait_for_replay(site)
    with replicated_postgres.pause_replay():
        store_late_paper(site)
        latest = post_form(site)
        old, new = site.get(SEARCH, cookie=earlier), site.get(SEARCH, cookie=latest)

        for tag, cookie, status in (
            (old.headers["etag"], earlier, 304),
            (old.headers["etag"], latest, 200),
            (new.headers["etag"], latest, 304),
            (new.headers["etag"], earlier, 200),
        ):
            assert site.get(SEARCH, cookie=cookie, if_none_match=tag).status_code == status


def test_what_the_replica_does_not_know_yet_is_there(
    replicated_postgres: ReplicatedPostgres, site: Site
) -> None:
    with replicated_postgres.pause_replay():
        store_late_paper(site)

        assert TITLE in site.get(LATE_PAGE).content
        assert site.get(f"/api/v1/papers/{LATE}").json()["paper"]["title"] == TITLE.decode()
        assert site.get("/paper/arxiv:2605.88888").status_code == 404


def test_a_renewed_feed_address_works_at_once_and_the_old_one_ends(
    replicated_postgres: ReplicatedPostgres, site: Site
) -> None:
    old = site.make_feed_url()
    assert site.get(old).status_code == 200
    with replicated_postgres.pause_replay():
        answer = site.post(site.make_manage_url(), data={"do": "renew", "version": "0"})
        cookie = f"{WRITE_COOKIE}={answer.cookies[WRITE_COOKIE]}"
        new = site.pages.make_feed_url(site.get_digest_id(), "systems", "rss", 1)

        assert site.get(new).status_code == 200  # for a feed reader, which has no cookie
        assert site.get(old, cookie=cookie).status_code == 410
        assert site.get(old).status_code == 200
    wait_until(lambda: site.get(old).status_code == 410)


def test_accounts_and_links_in_mails_are_read_from_the_primary(
    replicated_postgres: ReplicatedPostgres, site: Site
) -> None:
    with replicated_postgres.pause_replay():
        post_form(site)

        assert "pause" in site.get(site.make_manage_url()).text
        assert site.get("/readyz").status_code == 200
        assert "/api/v1/me" not in site.get("/api/v1/openapi.json").text


def test_a_replica_can_answer_every_page_that_everybody_can_read(site: Site) -> None:
    for address in (
        "/",
        "/papers",
        f"/papers/{THURSDAY}",
        f"/papers/{THURSDAY}?tab=trending",
        site.find_person_url(),
        "/category/cs.DC",
        "/institution/ETH",
        "/search?q=systems",
        "/people?name=Wei+Wang",
        "/sitemap.xml",
        f"/sitemaps/{THURSDAY:%Y-%m}.xml",
        "/api/v1/days",
        f"/api/v1/days/{THURSDAY}",
        "/api/v1/sources",
        "/api/v1/categories",
        "/api/v1/search?q=systems",
        site.pages.make_edition_url(site.get_edition_id()),
        f"{site.pages.make_edition_url(site.get_edition_id())}.md",
        site.make_feed_url("atom"),
    ):
        assert site.get(address).status_code < 500, address

    assert get_replica(site).failures == 0
    assert not get_replica(site).trouble


@pytest.mark.parametrize("cookie", [f"{WRITE_COOKIE}=999999999999999.forged", f"{WRITE_COOKIE}=", "other=1"])
def test_a_forged_mark_leads_to_the_replica(
    replicated_postgres: ReplicatedPostgres, site: Site, cookie: str
) -> None:
    with replicated_postgres.pause_replay():
        store_late_paper(site)

        assert TITLE not in site.get(SEARCH, cookie=cookie).content


def test_only_a_mark_of_something_new_leads_past_the_cache(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replicas, "_SETTLE_SECONDS", 0.5)
    assert site.app.pages is not None
    made = make_site(site.app, site.app.pages, print)
    with listen("127.0.0.1:0") as door, serve_site(door, made):
        served = replace(site, server_url=f"http://127.0.0.1:{door.getsockname()[1]}")

        def is_cached(cookie: str) -> bool:
            served.get(SEARCH)
            hits = made.response_cache.hits
            served.get(SEARCH, cookie=cookie)
            return made.response_cache.hits > hits

        mark = post_form(site)
        assert not is_cached(mark)
        assert is_cached(f"{mark}x")
        wait_until(lambda: is_cached(mark))


@pytest.mark.parametrize("address", ["/nothing", "/unsubscribe/nothing", "/sign-up/sent"])
def test_a_form_that_is_refused_does_not_reach_the_primary(site: Site, address: str) -> None:
    answer = site.post(address, data={"do": "nothing"})

    assert 400 <= answer.status_code < 500
    assert not answer.cookies


@pytest.mark.parametrize("page", ["/paper/arxiv:2605.88888", "/api/v1/papers/arxiv:2605.88888"])
def test_what_the_replica_does_not_have_counts_once(
    site: Site, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []
    take_page = RequestLimiter.take_page

    def count_page(limiter: RequestLimiter, host: str) -> timedelta | None:
        counted.append(host)
        return take_page(limiter, host)

    monkeypatch.setattr(RequestLimiter, "take_page", count_page)

    assert site.get(page).status_code == 404
    assert len(counted) == 1


def test_a_public_feed_has_no_date_by_which_an_older_one_could_pass_for_newer(site: Site) -> None:
    site.change("[site]", "[site]\npublic_feeds = true")
    with serve_workspace(site.workspace, site.source) as served:
        wait_until(lambda: not get_replica(served).trouble)
        for address in ("/feeds/public/all.atom", "/feeds/public/all.opml"):
            answer = served.get(address)
            assert answer.status_code == 200
            assert "last-modified" not in answer.headers
            assert served.get(address, if_none_match=answer.headers["etag"]).status_code == 304


def test_programs_get_no_cookie(site: Site) -> None:
    assert WRITE_COOKIE not in site.post("/bounces/none", json={}).cookies
    assert not site.get("/papers").cookies


def test_pages_stay_when_the_replica_dies_and_it_is_used_again_when_it_is_back(
    replicated_postgres: ReplicatedPostgres, site: Site
) -> None:
    assert site.get(SEARCH).status_code == 200
    replicated_postgres.crash_replica()
    store_late_paper(site)

    assert TITLE in site.get(SEARCH).content
    wait_until(lambda: bool(get_replica(site).trouble))
    assert site.get(site.make_feed_url()).status_code == 200
    replicated_postgres.start_replica()
    wait_until(lambda: not get_replica(site).trouble)
    assert not any("could not be shown" in message for message in site.operator_messages)


def test_pages_stay_when_the_replica_hangs(
    replicated_postgres: ReplicatedPostgres, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sites, "_REPLICA_TIMEOUT", 0.2)
    with replicated_postgres.freeze_replica():
        assert site.get(SEARCH).status_code == 200
        assert site.get(f"/papers/{THURSDAY}").status_code == 200
        wait_until(lambda: "does not answer" in get_replica(site).trouble)
        assert site.get(site.make_feed_url()).status_code == 200
    wait_until(lambda: not get_replica(site).trouble)


def test_pages_stay_when_reads_hang_and_checks_do_not(
    replicated_postgres: ReplicatedPostgres,
    replicated_url: str,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with replicated_postgres.hold_lock(replicated_url, "events"), ThreadPoolExecutor(20) as clients:
        answers = clients.map(site.get, [f"/papers/{THURSDAY}"] * 20)
        wait_until(lambda: get_replica(site).has_slow_read(0.2))
        # Not before, or a check that is slow keeps the replica from being asked.
        monkeypatch.setattr(sites, "_REPLICA_TIMEOUT", 0.5)

        assert {answer.status_code for answer in answers} == {200}
        assert get_replica(site).failures
        assert site.get("/healthz").status_code == 200


def test_a_replica_that_is_too_far_behind_is_not_asked(
    replicated_postgres: ReplicatedPostgres, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with replicated_postgres.pause_replay():
        store_late_paper(site)
        monkeypatch.setattr(replicas, "MAX_LAG", 0.5)
        wait_until(lambda: "behind" in get_replica(site).trouble)

        assert TITLE in site.get(SEARCH).content


# --- what operators see ---------------------------------------------------------------------------


def test_a_slow_machine_does_not_take_a_replica_for_one_that_is_behind(
    replicated_url: str, replicated_postgres: ReplicatedPostgres
) -> None:
    with closing(open_store(replicated_url, get_morning(THURSDAY))) as primary:
        replica = Replica(replicated_postgres.make_replica_url(replicated_url), primary)
        assert find_trouble(replica, timeout=0.0) == ""
        replica.close()


def test_commands_tell_whether_the_replica_is_used(
    replicated_postgres: ReplicatedPostgres, site: Site
) -> None:
    def find_check() -> tuple[bool, str]:
        entries = site.workspace.run("check", "--json", status=1).json  # nothing takes its mail
        return next((entry["ok"], entry["said"]) for entry in entries if entry["what"] == "replica")

    assert find_check() == (True, "")
    assert site.workspace.run("status", "--json").json["replica"] == {"usable": True, "trouble": ""}
    assert "  up to date" in site.workspace.run("status").plain_output
    replicated_postgres.crash_replica()
    try:
        ok, message = find_check()
        assert not ok
        assert "The primary serves all pages" in message
        assert "The primary serves all pages" in site.workspace.run("status").plain_output
    finally:
        replicated_postgres.start_replica()


def test_metrics_tell_whether_and_how_far_the_replica_is_used(
    replicated_postgres: ReplicatedPostgres, site: Site
) -> None:
    def read() -> dict[str, float]:
        return {
            sample.name: sample.value
            for family in make_collector(site).collect()
            for sample in family.samples
            if "replica" in sample.name
        }

    assert read()["digest_read_replica_up"] == 1
    assert read()["digest_read_replica_failures_total"] == 0
    assert read()["digest_replicas"] == 1
    assert 0 <= read()["digest_read_replica_lag_seconds"] < MAX_LAG
    with replicated_postgres.pause_replay():
        store_late_paper(site)
        wait_until(lambda: read()["digest_read_replica_lag_seconds"] > 1)
    replicated_postgres.crash_replica()
    try:
        wait_until(lambda: not read()["digest_read_replica_up"])
        assert "digest_read_replica_lag_seconds" not in read()
    finally:
        replicated_postgres.start_replica()


def make_collector(site: Site) -> SiteCollector:
    return SiteCollector(
        request_counts={},
        response_cache=ResponseCache(),
        store=site.app.store,
        replica=site.app.replica,
        enrichers={},
        clock=site.app.clock,
    )


def test_requests_that_the_replica_answers_are_counted_by_their_routes(site: Site) -> None:
    assert site.app.pages is not None
    made = make_site(site.app, site.app.pages, print)
    with listen("127.0.0.1:0") as door, serve_site(door, made):
        served = replace(site, server_url=f"http://127.0.0.1:{door.getsockname()[1]}")
        for address in (f"/papers/{THURSDAY}", "/api/v1/days", "/nothing", site.make_manage_url()):
            served.get(address)

    assert dict(made.request_counts) == {
        ("/papers/{day}", "GET", 200): 1,
        ("/api/v1/days", "GET", 200): 1,
        ("", "GET", 404): 1,
        ("/manage/{token}", "GET", 200): 1,
    }
