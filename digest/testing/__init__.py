"""For tests of plug-ins: samples, servers on loopback, and checks that hold for every plug-in of a kind.

``digest.testing.mail_server`` has a mail server, and ``digest.testing.http_host`` a host that answers as a test says. Both
listen on loopback only. The mail server needs the packages of ``digest[test]``.
"""

from digest.testing.checks import check_channel, check_enricher, check_source
from digest.testing.samples import make_messages, make_subjects

__all__ = ["check_channel", "check_enricher", "check_source", "make_messages", "make_subjects"]
