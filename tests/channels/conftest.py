"""Services in place of those that have one address in the world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import trustme

from tests.channels.http_service import Behaviour, HttpService, RecordedRequest


@pytest.fixture
def start_services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., HttpService]]:
    """Makes services that are asked in place of those that have one address in the world: by a proxy, over TLS."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    for variable in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):  # of Apprise, and of httpx
        monkeypatch.setenv(variable, str(tmp_path / "ca.pem"))
    services: list[HttpService] = []

    def make(say: Callable[[RecordedRequest], Behaviour]) -> HttpService:
        service = HttpService(answer=say, authority=authority).__enter__()
        services.append(service)
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{service.port}")
        return service

    yield make
    for service in services:
        service.__exit__(None, None, None)
