"""Public feeds, as the file declares them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from digest.config import values
from digest.config.context import Table
from digest.config.follow_values import FollowQuery, read_query_by
from digest.config.settings import PublicFeedSettings
from digest.config.values import read_by


class PublicFeedTable(Table):
    """A query whose papers everybody can read as a feed."""

    name: Annotated[str, read_by(values.read_name)] = Field(
        description="part of its address", examples=["kv-cache"]
    )
    title: str = Field(default="", description="name that readers see; by default `name`")
    query: Annotated[FollowQuery, read_query_by(str)] = Field(
        description="in the follow language", examples=['"KV cache" (compression OR quantization)']
    )

    def to_settings(self) -> PublicFeedSettings:
        """Convert the table to settings."""
        return PublicFeedSettings(
            name=self.name, title=self.title or self.name, text=self.query.text, query=self.query.query
        )
