"""An RSA key for tests: to make one takes a tenth of a second, so no module does it when it is imported."""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key


@cache
def make_rsa_key() -> RSAPrivateKey:
    """One of 2048 bits, the same for all tests of a process."""
    return generate_private_key(65537, 2048)


def encode_pem(key: RSAPrivateKey | Ed25519PrivateKey) -> str:
    """A key as people keep it."""
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
