"""The jobs are tested on the stores that the store is tested on."""

from tests.store.conftest import postgres_template, store, store_url

__all__ = ["postgres_template", "store", "store_url"]
