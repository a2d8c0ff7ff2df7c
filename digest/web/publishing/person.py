"""Handlers of the public pages of persons."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fastapi import Request, Response

from digest.core.generation_cache import GenerationCache
from digest.core.publishing.person_addresses import (
    format_name_address,
    format_person_address,
    parse_name_address,
    parse_person_address,
)
from digest.errors import ConfigError
from digest.jobs.people.profiles import find_persons, is_family_name
from digest.jobs.people.public_person import load_public_person
from digest.render.publishing.public_pages.people.names import NamePage, render_name_page
from digest.render.publishing.public_pages.people.person import render_person
from digest.store.database.engine import Store
from digest.web.publishing.public_responder import PublicResponder, get_query, is_at

_MAX_ADDRESSES = 10_000
"""Maximum number of addresses, per generation, of which is known where they lead."""
_MAX_PERSONS = 20
"""Maximum number of persons that are listed for a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRoutes:
    """The handlers of the pages of persons, and of names that several persons share."""

    public: PublicResponder
    _canonical_addresses: GenerationCache[str, tuple[object, str]] = field(
        default_factory=lambda: GenerationCache(_MAX_ADDRESSES), repr=False
    )

    def show(self, reference: str, request: Request) -> Response:
        """Show a person; every other byline and ID of the person redirects to the first byline."""
        address = parse_person_address(reference, get_query(request))
        view = self.public.find_view(address.language)
        address = replace(address, language=view.site.language_parameter)
        version, requested = self.public.read_version(), format_person_address(address)
        known_version, canonical = self._canonical_addresses.get(requested) or (None, "")
        if known_version == version and not is_at(request, canonical):
            return self._redirect(canonical)
        if (cached := self.public.find_page(requested, request, version)) is not None:
            return cached
        try:
            person = load_public_person(self.public.responder.app.store, address.reference, address.page)
        except ConfigError:
            person = None
        if person is None:
            return self.public.make_not_found(request)
        address = replace(address, reference=f"{person.key}#{person.position + 1}")
        canonical = format_person_address(address)
        self._canonical_addresses.put(requested, (version, canonical))
        self.public.opened_persons.note(person)

        def render() -> bytes:
            return render_person(view.bundle.environment, view.bundle.branding, view.site, person)

        page = self.public.make_page(canonical, request, version, render)  # also for who is redirected there
        return page if is_at(request, canonical) else self._redirect(canonical)

    def _redirect(self, address: str) -> Response:
        """Redirect for now, because later papers and corrections can change who that is."""
        return self.public.redirect(address, status=302)

    def show_name(self, request: Request) -> Response:
        """Show the persons with a name."""
        address = parse_name_address(get_query(request))
        view = self.public.find_view(address.language)
        address = replace(address, language=view.site.language_parameter)
        canonical = format_name_address(address)
        if not is_at(request, canonical):
            return self.public.redirect(canonical)
        version = self.public.read_version()
        if (cached := self.public.find_results(canonical, request, version)) is not None:
            return cached
        page = load_name_page(self.public.responder.app.store, address.name)

        def render() -> bytes:
            return render_name_page(view.bundle.environment, view.bundle.branding, view.site, page)

        return self.public.make_page(canonical, request, version, render)


def load_name_page(store: Store, name: str) -> NamePage:
    """Load the persons who sign with a name; nobody for a family name, because thousands can have it."""
    if is_family_name(name):
        return NamePage(name=name, is_family_name=True, persons=(), remaining=0, similar_names=())
    found = find_persons(store, name, _MAX_PERSONS)
    return NamePage(
        name=name,
        is_family_name=False,
        persons=found.profiles,
        remaining=found.remaining,
        similar_names=found.similar_names,
    )
