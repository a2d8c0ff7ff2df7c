"""The configuration file: ``digest.toml`` and the environment in, frozen ``Settings`` out.

Every mistake is told with file, line, key and what would be right, all of a file at once.
"""

from digest.config.file.load import find_config, read_service_tables, read_settings
from digest.config.settings import (
    BouncesSettings,
    DeliverySettings,
    Destination,
    DigestSettings,
    DkimSettings,
    EnricherSettings,
    FollowSettings,
    ImapSettings,
    LibrarySettings,
    OperatorSettings,
    ProviderSettings,
    PublicFeedSettings,
    RelaySettings,
    SendmailSettings,
    Settings,
    SiteSettings,
    SmtpSettings,
    SourceSettings,
)

__all__ = [
    "BouncesSettings",
    "DeliverySettings",
    "Destination",
    "DigestSettings",
    "DkimSettings",
    "EnricherSettings",
    "FollowSettings",
    "ImapSettings",
    "LibrarySettings",
    "OperatorSettings",
    "ProviderSettings",
    "PublicFeedSettings",
    "RelaySettings",
    "SendmailSettings",
    "Settings",
    "SiteSettings",
    "SmtpSettings",
    "SourceSettings",
    "find_config",
    "read_service_tables",
    "read_settings",
]
