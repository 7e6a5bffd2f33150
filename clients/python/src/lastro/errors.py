"""What goes wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ErrorDetail", "LastroError", "NetworkError"]


@dataclass(frozen=True, slots=True)
class ErrorDetail:
    """An error of an input: where it is, and what is wrong."""

    path: str
    """Field or parameter, such as `contracts[17].debtorDocument`; empty for the input as a whole."""
    message: str
    """What is wrong with it."""


class LastroError(Exception):
    """An error that the server returned, or a response that cannot be read."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: int | str | None = None,
        details: tuple[ErrorDetail, ...] = (),
        request_id: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        """The message, in English."""
        self.status = status
        """The HTTP status; None without a response."""
        self.code = code
        """The catalogue code, such as `2002` or `"CAAS_ORD_001"`, where there is one."""
        self.details = details
        """All errors of the input."""
        self.request_id = request_id
        """The id of the request, for the logs on both sides."""
        self.retry_after = retry_after
        """Seconds to wait before the request is sent again, where the server names them."""

    def __str__(self) -> str:
        parts = [self.message]
        parts += [f"{detail.path}: {detail.message}" if detail.path else detail.message for detail in self.details]
        known = {"status": self.status, "code": self.code, "request": self.request_id}
        facts = ", ".join(f"{name} {value}" for name, value in known.items() if value is not None)
        return "; ".join(parts) + (f" ({facts})" if facts else "")


class NetworkError(LastroError):
    """No response came: the server could not be reached, or the connection was lost. The cause says why."""


def retry_after_of(headers: Mapping[str, str]) -> int | None:
    """Returns the seconds of `Retry-After`; None without the header, or where it is a date."""
    text = headers.get("retry-after", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 15 else None


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> LastroError:
    """Reads the error envelope of a response. What is missing in it, or has another type, is left out."""
    envelope = _object_of(body)
    message, code, request_id = envelope.get("message"), envelope.get("code"), envelope.get("requestId")
    return LastroError(
        message if isinstance(message, str) else f"The server responded with {status} and no message",
        status=status,
        code=code if isinstance(code, (int, str)) and not isinstance(code, bool) else None,
        details=_details_of(envelope.get("details")),
        request_id=request_id if isinstance(request_id, str) else headers.get("x-request-id"),
        retry_after=retry_after_of(headers),
    )


def error_of_frame(frame: Mapping[str, object]) -> LastroError:
    """Reads an error frame of the socket, which has the form of the envelope."""
    status, message, code, request_id = (frame.get(name) for name in ("statusCode", "message", "code", "requestId"))
    return LastroError(
        message if isinstance(message, str) else "The server rejected a frame, with no message",
        status=status if isinstance(status, int) and not isinstance(status, bool) else None,
        code=code if isinstance(code, (int, str)) and not isinstance(code, bool) else None,
        details=_details_of(frame.get("details")),
        request_id=request_id if isinstance(request_id, str) else None,
    )


def _object_of(body: bytes) -> Mapping[str, object]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _details_of(value: object) -> tuple[ErrorDetail, ...]:
    entries = value if isinstance(value, list) else []
    texts = [(entry.get("path"), entry.get("message")) for entry in entries if isinstance(entry, dict)]
    return tuple(
        ErrorDetail(path, message) for path, message in texts if isinstance(path, str) and isinstance(message, str)
    )
