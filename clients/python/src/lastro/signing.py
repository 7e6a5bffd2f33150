"""Signatures of originators' requests; needs the extra `signing`."""

from __future__ import annotations

import base64
from typing import Any

__all__ = ["Originator"]


class Originator:
    """
    The client id of an originator and its RSA key, with which requests of credit assignment are signed.

    Args:
        client_id: The id of the client, a UUID.
        private_key: The private key as PEM, PKCS #8 or PKCS #1, without a password.

    Raises ImportError where `cryptography` is not installed, and ValueError for a key that is not RSA.
    """

    def __init__(self, client_id: str, private_key: str | bytes) -> None:
        try:
            from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
            from cryptography.hazmat.primitives.serialization import load_pem_private_key
        except ImportError as error:
            raise ImportError("Signing needs cryptography: pip install 'lastro[signing]'") from error
        pem = private_key.encode() if isinstance(private_key, str) else private_key
        key: Any = load_pem_private_key(pem, password=None)
        if not isinstance(key, RSAPrivateKey):
            raise ValueError("The key of an originator is an RSA key")
        self.client_id = client_id
        self._key = key

    def sign(self, method: str, target: str, timestamp: int, body: bytes = b"") -> str:
        """
        Returns the value of `X-Signature`: RSA-SHA256 in Base64.

        Args:
            method: The HTTP method.
            target: The path with its query, exactly as it is sent.
            timestamp: The value of `X-Timestamp`, in Unix seconds.
            body: The bytes that are sent.
        """
        from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
        from cryptography.hazmat.primitives.hashes import SHA256

        signed = f"{method.upper()}\n{target}\n{timestamp}\n".encode() + body
        return base64.b64encode(self._key.sign(signed, PKCS1v15(), SHA256())).decode()

    def __repr__(self) -> str:
        return f"Originator({self.client_id!r})"
