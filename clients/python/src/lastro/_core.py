"""
What both clients share: how a request is made, when it is repeated, and what a response means.

Nothing here waits or sends. A generator yields each request and each wait, and gets the outcome; the executors do them.
"""

from __future__ import annotations

import gzip
import random
import re
import time
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote, urlencode

import httpx

from ._document import Arguments, Operation, operations
from ._live import LiveOptions, LiveSettings
from ._paging import paging_of
from ._receive import Received, Receiver
from ._values import decode, encode, parse_json, to_text, write_json
from .errors import LastroError, NetworkError, error_of, retry_after_of
from .signing import Originator

R = TypeVar("R")

MAX_RETRY_AFTER_SECONDS = 60
"""A longer `Retry-After` is not waited for: the error is raised."""
CSV_READ_SECONDS = 150.0
"""A file in CSV is sent in parts, and its next part may have to wait for the next window of the rate limit."""
_RENEW_BEFORE_SECONDS = 60.0
_HEADER = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_LOGIN, _REFRESH = (
    next(one for one in operations() if one.id == name) for name in ("tradingLogin", "refreshTradingTokens")
)


@dataclass(frozen=True, slots=True)
class Wait:
    """Asks the executor to wait."""

    seconds: float


Outcome: TypeAlias = Received | httpx.RequestError | None
Steps: TypeAlias = Generator[Wait | httpx.Request, Outcome, R]


@dataclass(frozen=True, slots=True)
class TradingKey:
    """The credential of a company that trades; the client logs in with it and renews the access token."""

    api_key: str
    secret_key: str

    def __repr__(self) -> str:
        return f"TradingKey({self.api_key!r})"


@dataclass(frozen=True, slots=True)
class Credentials:
    """What the caller may use."""

    api_key: str | None = field(default=None, repr=False)
    developer_key: str | None = field(default=None, repr=False)
    session_token: str | None = field(default=None, repr=False)
    trading: TradingKey | None = None
    originator: Originator | None = None

    def choose(self, operation: Operation) -> str | None:
        """Returns the credential to use for an operation; None where it is public. Raises ValueError without one."""
        arguments = {"access_token": "trading", "signature": "originator"}
        names = {kind: arguments.get(kind, kind) for kind in operation.credentials}
        for kind, name in names.items():
            if getattr(self, name) is not None:
                return kind
        if names:
            wanted = " or ".join(f"{name}=…" for name in names.values())
            raise ValueError(f"{operation.id} needs a credential: make the client with {wanted}")
        return None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request without the headers that are new for each attempt."""

    operation: Operation
    credential: str | None
    target: str
    headers: Mapping[str, str]
    content: bytes = field(repr=False)

    @property
    def is_repeatable(self) -> bool:
        """Whether sending it twice does the work once: reads, and writes under an idempotency key."""
        return self.operation.method == "GET" or self.operation.takes_key


class Core:
    """Makes requests and reads responses. One core belongs to one client."""

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        defaults: Arguments,
        max_retries: int,
        timeout: float,
        max_response_bytes: int,
    ) -> None:
        url = httpx.URL(base_url)
        if url.scheme not in ("http", "https") or not url.host or url.query or url.fragment or url.userinfo:
            # Not with the address itself: it may have a password.
            raise ValueError("base_url is not the address of a server, such as https://api.example.com")
        self._origin = str(url).rstrip("/")
        self._credentials = credentials
        self._defaults = defaults
        self._max_retries = max_retries
        self._timeout = timeout
        self._max_response_bytes = max_response_bytes
        self._tokens: Any = None
        self._renew_at = 0.0

    def prepare(self, operation: Operation, arguments: Arguments, key: str | None = None) -> Prepared:
        """Makes a request of the arguments. Raises ValueError or TypeError where they cannot be sent."""
        credential = self._credentials.choose(operation)
        headers = {"accept": operation.accept, "accept-encoding": "gzip", "user-agent": "lastro-python"}
        for name in operation.headers:
            value = arguments.get(name)
            value = self._defaults.get(name) if value is None else value
            if value is not None:
                headers[name.lower()] = to_text(value)
        if operation.takes_key:
            headers["x-idempotency-key"] = key or str(uuid.uuid4())
        if operation.media_type is not None:
            headers["content-type"] = operation.media_type
        if operation.media_type not in (None, "application/json"):
            headers["content-encoding"] = "gzip"
        return Prepared(operation, credential, _target(operation, arguments), headers, _content(operation, arguments))

    def send(self, prepared: Prepared, token: str | None) -> Steps[Received]:
        """Sends a request, again where that is safe and may help. Raises LastroError unless it succeeds."""
        attempt = 0
        while True:
            outcome = yield self._request(prepared, token)
            wait = self._wait_after(prepared, outcome, attempt)
            if wait is None:
                break
            yield Wait(wait)
            attempt += 1
        if isinstance(outcome, Received):
            if outcome.is_success:
                return outcome
            raise error_of(outcome.status_code, outcome.headers, outcome.content)
        raise NetworkError(f"No response: {outcome or type(outcome).__name__}") from outcome

    def live_options(self, options: LiveOptions) -> LiveOptions:
        """Returns the options of live updates with the settings of the client where they say nothing."""
        profile_id, synthetic = self._defaults.get("X-Profile-Id"), self._defaults.get("X-Synthetic")
        return replace(
            options,
            profile_id=profile_id if options.profile_id is None else options.profile_id,
            synthetic=synthetic if options.synthetic is None else options.synthetic,
        )

    def live_settings(self) -> LiveSettings:
        """Returns what the socket of live updates needs. Raises ValueError without a credential."""
        if self._credentials.trading is None:
            raise ValueError("Live updates need a credential: make the client with trading=…")
        # http becomes ws, and https wss.
        url = f"ws{self._origin.removeprefix('http')}/ws"
        return LiveSettings(url=url, timeout=self._timeout, max_bytes=self._max_response_bytes)

    def receiver(self, response: httpx.Response) -> Receiver:
        """Returns what collects the body of a response within the limits of this client."""
        is_csv = response.request.headers["accept"] == "text/csv"
        return Receiver(response, self._max_response_bytes, None if is_csv else self._timeout)

    def access_token(self, rejected: str | None = None) -> Steps[str]:
        """Returns a valid access token: the one it has, else a refreshed one, else one of a new login."""
        tokens = self._tokens
        if tokens is not None and tokens.access_token != rejected and time.monotonic() < self._renew_at:
            return str(tokens.access_token)
        begun = time.monotonic()
        renewed = None if tokens is None else (yield from self._refreshed(tokens))
        if renewed is None:
            renewed = yield from self._logged_in()
        self._tokens = renewed
        self._renew_at = begun + max(renewed.expires_in - _RENEW_BEFORE_SECONDS, 0.0)
        return str(renewed.access_token)

    def _refreshed(self, tokens: Any) -> Steps[Any]:
        arguments = {"refreshToken": tokens.refresh_token}
        try:
            response = yield from self.send(self.prepare(_REFRESH, arguments), None)
        except LastroError as error:
            if error.status != 401:
                raise
            # The refresh token has expired, or was used by someone else: only a new login helps.
            return None
        return result_of(_REFRESH, response)

    def _logged_in(self) -> Steps[Any]:
        key = self._credentials.trading
        if key is None:
            raise ValueError("Trading needs trading=…")
        arguments = {"apiKey": key.api_key, "secretKey": key.secret_key}
        response = yield from self.send(self.prepare(_LOGIN, arguments), None)
        return result_of(_LOGIN, response)

    def _request(self, prepared: Prepared, token: str | None) -> httpx.Request:
        operation = prepared.operation
        read = max(self._timeout, CSV_READ_SECONDS) if operation.accept == "text/csv" else self._timeout
        timeout = httpx.Timeout(self._timeout, read=read)
        request = httpx.Request(
            operation.method,
            self._origin + prepared.target,
            headers=_checked(prepared.headers),
            content=prepared.content or None,
            extensions={"timeout": timeout.as_dict()},
        )
        target = request.url.raw_path.decode("ascii")
        request.headers.update(_checked(self._credential_headers(prepared, token, target)))
        return request

    def _credential_headers(self, prepared: Prepared, token: str | None, target: str) -> dict[str, str]:
        known = self._credentials
        if prepared.credential == "api_key":
            return {"x-api-key": known.api_key or ""}
        if prepared.credential == "developer_key":
            return {"x-api-key": known.developer_key or ""}
        if prepared.credential == "session_token":
            return {"authorization": f"Bearer {known.session_token}"}
        if prepared.credential == "access_token":
            return {"authorization": f"Bearer {token}"}
        if prepared.credential == "signature" and known.originator is not None:
            # Each attempt is signed anew: a timestamp is valid for five minutes, and waits may be longer.
            timestamp = int(time.time())
            signature = known.originator.sign(prepared.operation.method, target, timestamp, prepared.content)
            return {
                "x-client-id": known.originator.client_id,
                "x-timestamp": str(timestamp),
                "x-signature": signature,
            }
        return {}

    def _wait_after(self, prepared: Prepared, outcome: Outcome, attempt: int) -> float | None:
        """Returns the seconds until the next attempt; None where there is none."""
        if attempt >= self._max_retries or not prepared.is_repeatable:
            return None
        # From half a second to four, partly at random, so that clients that failed together do not return together.
        backoff = 0.5 * 2.0**attempt * random.uniform(0.5, 1.0)
        if not isinstance(outcome, Received):
            return backoff
        seconds = retry_after_of(outcome.headers)
        still_running = outcome.status_code == 409 and seconds is not None and prepared.operation.takes_key
        if outcome.status_code not in (429, 502, 503, 504) and not still_running:
            return None
        if seconds is None:
            return backoff
        return None if seconds > MAX_RETRY_AFTER_SECONDS else float(seconds)


def is_rejected_token(error: LastroError) -> bool:
    """Whether a new access token may help: this one has expired or was revoked."""
    return error.status == 401 and error.code == "CAAS_AUTH_001"


def body_of(response: Received) -> Any:
    """Reads the JSON of a successful response; None without a body."""
    try:
        return None if response.status_code in (202, 204) and not response.content else parse_json(response.content)
    except ValueError as error:
        raise _unreadable(response, error) from error


def result_of(operation: Operation, response: Received) -> Any:
    """Makes the result of a call from a successful response."""
    if operation.result is bytes:
        return response.content
    is_text = operation.accept == "text/csv"
    try:
        value = response.content.decode("utf-8-sig") if is_text else body_of(response)
        return decode(operation.result, value)
    except ValueError as error:
        raise _unreadable(response, error) from error


def item_of(operation: Operation, item: Any) -> Any:
    """Makes an item of a list from JSON."""
    try:
        return decode(paging_of(operation).item, item)
    except ValueError as error:
        raise LastroError(f"An item of {operation.id} cannot be read: {error}", code="INVALID_RESPONSE") from error


def _unreadable(response: Received, error: ValueError) -> LastroError:
    request_id = response.headers.get("x-request-id")
    message = f"The response cannot be read: {error}"
    return LastroError(message, status=response.status_code, code="INVALID_RESPONSE", request_id=request_id)


def _checked(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Raises ValueError, without the value, for a header that cannot be sent; httpx's error would quote it."""
    for name, value in headers.items():
        if not _HEADER.fullmatch(value):
            raise ValueError(f"{name} must be printable ASCII, without line breaks, and without spaces at its ends")
    return headers


def _target(operation: Operation, arguments: Arguments) -> str:
    path = operation.path
    for part in operation.path.split("/"):
        if part.startswith("{"):
            name = part[1:-1]
            text = to_text(arguments[name])
            if text in ("", ".", ".."):
                raise ValueError(f"{name} cannot be {text!r}")
            path = path.replace(part, quote(text, safe=""))
    pairs = [(name, to_text(arguments[name])) for name in operation.query if arguments.get(name) is not None]
    return path + ("?" + urlencode(pairs, quote_via=quote, safe="") if pairs else "")


def _content(operation: Operation, arguments: Arguments) -> bytes:
    if operation.media_type is None:
        return b""
    if operation.media_type != "application/json":
        # Without the time, so that the same file is the same body under an idempotency key.
        return gzip.compress(arguments["body"], mtime=0)
    if operation.whole_body:
        return write_json(encode(arguments["body"])).encode()
    fields = {name: encode(arguments[name]) for name in operation.body if arguments.get(name) is not None}
    return write_json(fields).encode()
