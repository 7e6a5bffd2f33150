"""Reads responses within limits: a server, or a proxy before it, may send without an end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

import httpx

from .errors import LastroError


@dataclass(frozen=True, slots=True)
class Received:
    """A response that was read to its end."""

    status_code: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status is one of success."""
        return 200 <= self.status_code < 300


class Receiver:
    """Collects the body of a response."""

    def __init__(self, response: httpx.Response, max_bytes: int, seconds: float | None) -> None:
        encoding = response.headers.get("content-encoding", "identity")
        if encoding.lower() not in ("gzip", "identity"):
            # Of encodings within each other a few bytes become gigabytes in one part.
            raise self._error(
                response, "INVALID_RESPONSE", "The response is compressed in a form that was not asked for"
            )
        self._response = response
        self._max_bytes = max_bytes
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._content = bytearray()

    def add(self, part: bytes) -> None:
        """Takes a part. Raises LastroError beyond the longest body, and httpx's ReadTimeout beyond the time."""
        self._content += part
        if len(self._content) > self._max_bytes:
            message = f"The response is longer than {self._max_bytes} bytes"
            raise self._error(self._response, "RESPONSE_TOO_LARGE", message)
        if self._ends is not None and time.monotonic() > self._ends:
            raise httpx.ReadTimeout("The response was not complete in time", request=self._response.request)

    def received(self) -> Received:
        """Returns the response."""
        return Received(self._response.status_code, self._response.headers, bytes(self._content))

    @staticmethod
    def _error(response: httpx.Response, code: str, message: str) -> LastroError:
        request_id = response.headers.get("x-request-id")
        return LastroError(message, status=response.status_code, code=code, request_id=request_id)
