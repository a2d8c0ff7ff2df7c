"""Help for tests of plug-ins: samples, servers on loopback, and checks that hold for every plug-in of a kind.

The module ``digest.testing.mail_server`` has a mail server, and ``digest.testing.http_host`` an HTTP server
whose responses a test defines. Both listen on loopback only. The mail server needs the packages of
``digest[test]``.
"""

from digest.testing.checks import check_channel, check_enricher, check_source
from digest.testing.samples import make_messages, make_subjects

__all__ = ["check_channel", "check_enricher", "check_source", "make_messages", "make_subjects"]
