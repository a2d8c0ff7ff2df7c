"""Mask the secrets that a host was given in what it returns about papers and persons: some hosts repeat them."""

from __future__ import annotations

from dataclasses import replace

from digest.config.file.secret_texts import collect_service_secrets
from digest.core.fetching.public_addresses import extract_credentials
from digest.ports import Enricher, EnricherPage, Page, Response, Source
from digest.redaction import list_tokens, redact_received, select_uncommon


def redact_page(page: Page, source: Source, response: Response) -> Page:
    """Mask secrets in the content of a page; its next request and cursor stay as they are.

    Args:
        page: what the source has read.
        source: the source, whose host was given its secrets.
        response: the response; a redirect may have added secrets to its address.
    """
    received = (page.announced, page.records, page.signals, page.unread)
    announced, records, signals, unread = redact_received(received, _collect_secrets(source, response))
    return replace(page, announced=announced, records=records, signals=signals, unread=unread)


def redact_findings(findings: EnricherPage, enricher: Enricher, response: Response) -> EnricherPage:
    """Mask secrets in the content of an enricher's answer; the keys of the requested subjects stay as they are.

    Args:
        findings: what the enricher has read.
        enricher: the enricher, whose host was given its secrets.
        response: as for ``redact_page``.
    """
    received = (
        findings.records,
        findings.signals,
        findings.same_person_ids,
        findings.person_papers,
        findings.unread,
    )
    records, signals, same_person_ids, person_papers, unread = redact_received(
        received, _collect_secrets(enricher, response)
    )
    return replace(
        findings,
        records=records,
        signals=signals,
        same_person_ids=same_person_ids,
        person_papers=person_papers,
        unread=unread,
    )


def _collect_secrets(service: Source | Enricher, response: Response) -> frozenset[str]:
    secrets = collect_service_secrets(service)
    if getattr(service, "secrets", None) is None:
        secrets |= select_uncommon({*extract_credentials(response.url), *list_tokens()})
    return secrets
