"""What a reader saved and said is exported and imported again, as far as its papers and digests are here."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from digest.core.subscribers.opinions import Opinion
from digest.core.subscribers.own_digest import OwnFollow
from digest.core.subscribers.transfer.archive import DIGESTS_FILE, ArchivedDigest, read_digests
from digest.core.subscribers.transfer.archive_file import read_archived_texts
from digest.core.subscribers.transfer.archived_records import (
    OPINIONS_FILE,
    SAVED_FILE,
    ArchivedAnswer,
    ArchivedOpinion,
    ArchivedRecords,
    RecordOutcome,
    read_records,
)
from digest.core.times.schedule import parse_schedule
from digest.jobs.subscribers.own_digests import OwnDigestEditor
from digest.jobs.subscribers.transfer import restore_records
from digest.jobs.subscribers.transfer.account_archive import load_account_archive
from digest.jobs.subscribers.transfer.restore_records import RecordRestorer
from digest.model import DigestOptions, PaperKey
from digest.render.languages.locales import ENGLISH
from digest.render.publishing.account_pages.archive import render_archive
from digest.store.database.engine import Store
from digest.store.database.tables.digests import follows, opinions
from digest.store.subscribers.own_digests import list_names
from tests.jobs.subscribers.transfer.test_restore import make_account, make_restorer
from tests.store.factories import NOW, announce, harvest, make_article, make_new_listing

QUERIES = ("caches", "tables")
AUTHORS = ("Ada Lovelace", "Wei Wang", "Wei Wang")
PAPERS = [PaperKey(f"arxiv:2606.{number:05}") for number in (1, 2, 3)]
OUTCOMES = RecordOutcome


@dataclass(frozen=True)
class Account:
    """A reader with two digests."""

    store: Store
    number: int
    address: str

    @property
    def restorer(self) -> RecordRestorer:
        return RecordRestorer(store=self.store, subscriber=self.number, now=NOW)

    def restore(self, *records: ArchivedOpinion | ArchivedAnswer) -> None:
        self.restorer.restore(collect(records))

    def plan(self, *records: ArchivedOpinion | ArchivedAnswer) -> dict[RecordOutcome, int]:
        return {
            outcome: len(found.all) for outcome, found in self.restorer.plan(collect(records), ()).items()
        }

    def export(self) -> bytes:
        return render_archive(load_account_archive(self.store, self.number), ENGLISH)

    def import_archive(self, content: bytes) -> Counter[RecordOutcome]:
        """Import an archive as the site does; the numbers of records that the first step shows."""
        texts = read_archived_texts(content, [DIGESTS_FILE, SAVED_FILE, OPINIONS_FILE])
        digests = read_digests(texts[DIGESTS_FILE]).digests
        records = read_records([texts[SAVED_FILE], texts[OPINIONS_FILE]])
        restorer = make_restorer(self.store, (self.number, self.address))
        plan = self.restorer.plan(records, [digest.name for digest in restorer.plan(digests).added])
        added = plan.get(OUTCOMES.ADDED, ArchivedRecords())
        restorer.restore(digests)
        self.restorer.restore(added)
        return Counter({outcome: len(found.all) for outcome, found in plan.items()})

    def load_learned(self) -> list[tuple[str, float]]:
        with self.store.begin_read() as tx:
            is_own = follows.c.digest_id.in_(list(list_names(tx, self.number))) & follows.c.ended_at.is_(None)
            rows = tx.execute(select(follows.c.text, follows.c.learned).where(is_own).order_by(follows.c.id))
            return [(row.text, row.learned) for row in rows]

    def end(self, name: str) -> None:
        with self.store.begin_read() as tx:
            numbers = {digest: number for number, digest in list_names(tx, self.number).items()}
        OwnDigestEditor(store=self.store, subscriber=self.number, now=NOW).end(numbers[name])


def collect(records: tuple[ArchivedOpinion | ArchivedAnswer, ...]) -> ArchivedRecords:
    return ArchivedRecords(
        opinions=tuple(record for record in records if isinstance(record, ArchivedOpinion)),
        answers=tuple(record for record in records if isinstance(record, ArchivedAnswer)),
    )


def make_reader(store: Store, *names: str) -> Account:
    number, address = make_account(store)
    digests = [
        ArchivedDigest(
            name=name,
            title=name.title(),
            schedule=parse_schedule("every 2 hours", zone="UTC"),
            options=DigestOptions(),
            follows=tuple(OwnFollow(text=query, query=query) for query in QUERIES),
        )
        for name in names
    ]
    make_restorer(store, (number, address)).restore(digests)
    return Account(store, number, address)


@pytest.fixture
def world(store: Store) -> Store:
    """A database with three papers."""
    announce(store, *(make_new_listing(number, authors=AUTHORS) for number in (1, 2, 3)))
    return store


@pytest.fixture
def ada(world: Store) -> Account:
    return make_reader(world, "one", "two")


def rate(
    opinion: Opinion = Opinion.MORE,
    paper: PaperKey = PAPERS[0],
    digest: str = "one",
    at: datetime = NOW,
    follows: tuple[str, ...] = QUERIES[:1],
) -> ArchivedOpinion:
    return ArchivedOpinion(digest, paper, "A title", opinion, at, follows)


def answer(
    name: str = AUTHORS[0], position: int = 0, paper: PaperKey = PAPERS[0], *, is_person: bool = False
) -> ArchivedAnswer:
    return ArchivedAnswer("one", paper, "A title", position, name, is_person, NOW)


INSTANTS = st.integers(0, 5_000_000).map(lambda steps: NOW - timedelta(milliseconds=100 * steps))
OPINIONS = st.builds(
    rate,
    st.sampled_from(Opinion),
    st.sampled_from(PAPERS),
    st.sampled_from(["one", "two"]),
    INSTANTS,
    st.sets(st.sampled_from(QUERIES)).map(lambda texts: tuple(sorted(texts))),
)
ANSWERS = st.builds(
    lambda place, *more: ArchivedAnswer("two", more[0], "", place, AUTHORS[place], *more[1:]),
    st.integers(0, 2),
    st.sampled_from(PAPERS),
    st.booleans(),
    INSTANTS,
)


# --- again ----------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(OPINIONS, max_size=8), st.lists(ANSWERS, max_size=4))
def test_what_one_account_exports_another_imports_and_exports_the_same(
    world: Store, rated: list[ArchivedOpinion], answers: list[ArchivedAnswer]
) -> None:
    first, second = make_reader(world, "one", "two"), make_reader(world)
    first.restore(*rated, *answers)
    exported = first.export()
    count = len(json.loads(read_archived_texts(exported, [SAVED_FILE])[SAVED_FILE])["papers"])
    assert count == len({(entry.digest, entry.paper) for entry in rated if entry.opinion is Opinion.SAVED})
    outcomes = second.import_archive(exported)
    assert outcomes.keys() <= {OUTCOMES.ADDED}
    assert second.export() == exported
    assert second.load_learned() == first.load_learned()
    assert second.import_archive(exported) == Counter(
        {OUTCOMES.PRESENT: outcomes.total()} if outcomes else {}
    )
    assert second.export() == exported


def test_what_was_learned_from_ratings_is_there_again(ada: Account) -> None:
    ada.restore(rate(Opinion.MORE), rate(Opinion.LESS, PAPERS[1], follows=QUERIES[1:]))
    assert ada.load_learned()[:2] == [("caches", 1.1), ("tables", 0.9)]
    bob = make_reader(ada.store)
    bob.import_archive(ada.export())
    assert bob.load_learned() == ada.load_learned()


def test_what_is_said_here_stays_as_it_is(ada: Account) -> None:
    ada.restore(rate(Opinion.LESS), answer(is_person=True), rate(Opinion.SAVED, at=NOW - timedelta(days=9)))
    before = ada.export()
    records = rate(Opinion.MORE), answer(is_person=False), rate(Opinion.SAVED)
    assert ada.plan(*records) == {OUTCOMES.PRESENT: 3}
    ada.restore(*records)
    assert ada.export() == before


def test_the_last_of_several_opinions_about_what_is_one_paper_here_counts(ada: Account) -> None:
    harvest(ada.store, make_article("10.1000/one", ids=(("arxiv", PAPERS[0].partition(":")[2]),)))
    ada.restore(
        rate(Opinion.MORE, at=NOW - timedelta(days=2)),
        rate(Opinion.LESS, PaperKey("doi:10.1000/one"), at=NOW - timedelta(days=1)),
    )
    archive = load_account_archive(ada.store, ada.number)
    assert [(entry.paper, entry.opinion) for entry in archive.opinions] == [(PAPERS[0], Opinion.LESS)]


def test_a_paper_is_found_by_an_id_that_it_only_claims_here(ada: Account) -> None:
    announce(ada.store, make_new_listing(7, doi="10.1000/seven"))
    unknown = rate(paper=PaperKey("doi:10.1000/eight"))
    assert ada.plan(rate(paper=PaperKey("doi:10.1000/seven")), unknown) == {
        OUTCOMES.ADDED: 1,
        OUTCOMES.UNKNOWN_PAPER: 1,
    }


def test_of_two_authors_with_one_name_the_right_one_is_meant(ada: Account) -> None:
    ada.restore(answer(AUTHORS[2], 2))
    (archived,) = load_account_archive(ada.store, ada.number).answers
    assert (archived.name, archived.position, archived.is_person) == ("Wei Wang", 2, False)


def test_instants_that_are_still_to_come_are_now(ada: Account) -> None:
    ada.restore(rate(at=NOW + timedelta(days=900)), answer()._replace(at=NOW + timedelta(days=900)))
    archive = load_account_archive(ada.store, ada.number)
    assert [*(entry.at for entry in archive.opinions), *(entry.at for entry in archive.answers)] == [NOW, NOW]


# --- what cannot be -------------------------------------------------------------------------------


def test_what_cannot_be_restored_is_counted_by_its_reason_and_changes_nothing(ada: Account) -> None:
    ada.end("two")
    records = (
        rate(paper=PaperKey("arxiv:9912.99999")),
        answer(paper=PaperKey("x" * 400)),
        answer("Nobody At All"),
        rate(digest="two"),
        rate(digest="three"),
    )
    before = ada.export()
    assert ada.plan(*records) == {
        OUTCOMES.UNKNOWN_PAPER: 2,
        OUTCOMES.UNKNOWN_AUTHOR: 1,
        OUTCOMES.NO_DIGEST: 2,
    }
    ada.restore(*records)
    assert ada.export() == before


def test_a_paper_that_comes_later_is_added_by_a_later_import_of_the_same_file(ada: Account) -> None:
    missing = rate(Opinion.SAVED, PaperKey("arxiv:2606.00009"))
    ada.restore(missing, rate(Opinion.SAVED))
    announce(ada.store, make_new_listing(9))
    assert ada.plan(missing, rate(Opinion.SAVED)) == {OUTCOMES.ADDED: 1, OUTCOMES.PRESENT: 1}
    ada.restore(missing, rate(Opinion.SAVED))
    assert len(load_account_archive(ada.store, ada.number).opinions) == 2


def test_a_digest_that_begins_again_still_has_what_was_said_of_it(ada: Account) -> None:
    ada.restore(rate(Opinion.SAVED, digest="two", follows=()))
    exported = ada.export()
    ada.end("two")
    assert ada.import_archive(exported) == Counter({OUTCOMES.PRESENT: 1})
    assert len(load_account_archive(ada.store, ada.number).opinions) == 1


def test_an_import_brings_an_account_to_its_limits_and_no_further(
    ada: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restore_records, "MAX_OPINIONS", 2)
    monkeypatch.setattr(restore_records, "MAX_ANSWERS", 1)
    ada.restore(rate(Opinion.SAVED))
    records = rate(), rate(paper=PAPERS[1]), answer(), answer(AUTHORS[1], 1)
    assert ada.plan(*records) == {OUTCOMES.ADDED: 2, OUTCOMES.NO_ROOM: 2}
    ada.restore(*records)
    archive = load_account_archive(ada.store, ada.number)
    assert (len(archive.opinions), len(archive.answers)) == (2, 1)


def test_nobody_elses_account_changes(ada: Account) -> None:
    bob = make_reader(ada.store, "one")
    before = bob.export()
    ada.restore(rate(), rate(Opinion.SAVED), answer())
    assert bob.export() == before


def test_queries_that_nobody_here_follows_are_not_stored(ada: Account) -> None:
    ada.restore(rate(follows=("caches", "xylophones", "title:(")))
    with ada.store.begin_read() as tx:
        (queries,) = tx.execute(select(opinions.c.queries)).scalars()
    assert len(queries) == 1


def test_an_import_and_an_export_do_not_tell_which_queries_others_follow(world: Store, ada: Account) -> None:
    eve = make_reader(world, "one")
    with world.begin_read() as tx:
        digest = next(number for number, name in list_names(tx, eve.number).items() if name == "one")
    editor = OwnDigestEditor(store=world, subscriber=eve.number, now=NOW)
    editor.add_follow(digest, OwnFollow(text="rare disease", query="(rare AND disease)"))

    ada.restore(rate(follows=("(rare AND disease)", "(common AND disease)", QUERIES[0])))

    (record,) = read_records([read_archived_texts(ada.export(), [OPINIONS_FILE])[OPINIONS_FILE]]).opinions
    assert record.follows == QUERIES[:1]
