"""The configuration file: ``digest.toml`` and the environment become frozen ``Settings``.

All mistakes of a file are reported at once, each with file, line, key and what to write instead.
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
    LibrarySettings,
    OperatorSettings,
    ProviderSettings,
    PublicDigestSettings,
    PublicFeedSettings,
    RelaySettings,
    SendmailSettings,
    Settings,
    SignupSettings,
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
    "LibrarySettings",
    "OperatorSettings",
    "ProviderSettings",
    "PublicDigestSettings",
    "PublicFeedSettings",
    "RelaySettings",
    "SendmailSettings",
    "Settings",
    "SignupSettings",
    "SiteSettings",
    "SmtpSettings",
    "SourceSettings",
    "find_config",
    "read_service_tables",
    "read_settings",
]
