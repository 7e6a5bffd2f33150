"""Verification of webhook deliveries."""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import hmac
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ._values import decode, parse_json, parse_moment
from .events import EVENT_TYPES, EventData

__all__ = ["WebhookError", "WebhookEvent", "verify_webhook"]

_PREFIX = "whsec_"
_SECRET = re.compile(r"whsec_[A-Za-z0-9+/]+=*")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


class WebhookError(Exception):
    """A delivery that is not accepted: respond with 401, or with 400 where the reason is `body`."""

    def __init__(self, reason: Literal["headers", "timestamp", "signature", "body"], message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """An event whose signature is right."""

    type: str
    """The name of the event, such as `payment.completed`."""
    id: str
    """The id of the event, the same in every delivery of it: remember it, since an event may come more than once."""
    created_at: dt.datetime
    """When the event happened."""
    data: dict[str, Any]
    """The data as JSON: decimals and days are text."""

    def decoded(self) -> EventData:
        """
        Returns the data as a class of `lastro.events`: decimals are `Decimal`, days are days.

        Raises ValueError for an event that this version of the package does not know, or data of another form.
        """
        kind = EVENT_TYPES.get(self.type)
        if kind is None:
            raise ValueError(f"{self.type} is not known")
        data: EventData = decode(kind, self.data)
        return data


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secrets: str | Sequence[str],
    *,
    tolerance_seconds: int = 300,
    now: float | None = None,
) -> WebhookEvent:
    """
    Returns the event of a delivery whose signature is by one of the secrets.

    Args:
        body: The bytes of the body as they were received, before any parsing.
        headers: The headers of the request, in any case.
        secrets: The secret of the webhook, or two during a rotation.
        tolerance_seconds: How far the timestamp may be from now.
        now: The current time in Unix seconds. Omitted: the clock of the machine.

    Raises WebhookError where the delivery is not accepted, and ValueError for a secret that is none.
    """
    known = [secrets] if isinstance(secrets, str) else list(secrets)
    if not known or not all(_SECRET.fullmatch(secret) for secret in known):
        # With an empty secret, as of an unset variable, everyone can sign.
        raise ValueError("A secret of a webhook begins with whsec_, and at least one is needed")
    lowered = {name.lower(): value for name, value in headers.items()}
    moment = time.time() if now is None else now
    error: WebhookError | None = None
    for prefix in ("x-webhook", "webhook"):
        parts = [lowered.get(f"{prefix}-{part}") for part in ("id", "timestamp", "signature")]
        event_id, timestamp, signature = parts
        if event_id is None or timestamp is None or signature is None:
            continue
        if not _TIMESTAMP.fullmatch(timestamp) or abs(int(timestamp) - moment) > tolerance_seconds:
            message = "The timestamp is not within the tolerance of the current time"
            error = error or WebhookError("timestamp", message)
            continue
        signed = f"{event_id}.{timestamp}.".encode(errors="replace") + body
        right = _documented if prefix == "x-webhook" else _standard
        if any(right(secret, signed, signature) for secret in known):
            return _event_of(body)
        error = error or WebhookError("signature", "No signature is by a known secret")
    raise error or WebhookError("headers", "The headers of a webhook delivery are missing")


def _documented(secret: str, signed: bytes, signature: str) -> bool:
    expected = hmac.digest(secret.encode(), signed, "sha256").hex()
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))


def _standard(secret: str, signed: bytes, signatures: str) -> bool:
    try:
        key = base64.b64decode(secret[len(_PREFIX) :], validate=True)
    except binascii.Error:
        return False
    expected = b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))
    return any(hmac.compare_digest(expected, one.encode(errors="replace")) for one in signatures.split(" "))


def _event_of(body: bytes) -> WebhookEvent:
    try:
        value = parse_json(body)
        created_at = parse_moment(value["createdAt"])
        kind, event_id, data = value["type"], value["id"], value["data"]
    except (ValueError, TypeError, KeyError) as error:
        raise WebhookError("body", "The body is not an event") from error
    if not isinstance(kind, str) or not isinstance(event_id, str) or not isinstance(data, dict):
        raise WebhookError("body", "The body is not an event")
    return WebhookEvent(kind, event_id, created_at, data)
