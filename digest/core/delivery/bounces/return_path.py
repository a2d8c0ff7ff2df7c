"""Return paths (VERP): envelope senders that contain the number of the delivery and a signature.

A bounce to such an address identifies its delivery, and only somebody who received the mail can know the
address. Mail servers may change the case of an address, so the signature is encoded in base 32 (RFC 4648,
section 6).
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field

from digest.core.delivery.tokens import read_token, sign_token

_PURPOSE = "return path"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnPath:
    """Creates and reads envelope senders.

    Attributes:
        address: the address for bounces, without a number: ``bounces@example.org``.
        keys: signing keys: the first one signs, all are accepted.
    """

    address: str
    keys: tuple[bytes, ...] = field(repr=False)

    def make_address(self, delivery: int) -> str:
        """Return the envelope sender of a delivery: ``bounces+123.signature@example.org``."""
        local, _, domain = self.address.rpartition("@")
        number, _, signature = sign_token(_PURPOSE, str(delivery), self.keys).partition(".")
        letters = base64.b32encode(base64.urlsafe_b64decode(signature)).decode().rstrip("=").lower()
        return f"{local}+{number}.{letters}@{domain}"

    def is_return_path(self, address: str) -> bool:
        """Return True if an address has the form of a return path, with any signature."""
        local, separator, domain = address.lower().rpartition("@")
        own_local, _, own_domain = self.address.lower().rpartition("@")
        return bool(separator) and domain == own_domain and local.startswith(f"{own_local}+")

    def read_delivery(self, address: str) -> int | None:
        """Return the delivery of a return path; None if it is none, or its signature is invalid."""
        if not self.is_return_path(address):
            return None
        local = address.lower().rpartition("@")[0]
        match = _TOKEN.fullmatch(local[len(self.address.rpartition("@")[0]) + 1 :])
        if match is None:
            return None
        try:
            raw = base64.b32decode(match[2].upper() + "=" * (-len(match[2]) % 8))
        except binascii.Error:
            return None
        signature = base64.urlsafe_b64encode(raw).decode()
        delivery = read_token(_PURPOSE, f"{match[1]}.{signature}", self.keys)
        return None if delivery is None else int(delivery)


_TOKEN = re.compile(r"([0-9]{1,19})\.([a-z2-7]{29})")
