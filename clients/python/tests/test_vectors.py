"""The vectors that every client of the API proves."""

from __future__ import annotations

import base64
import hmac
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from conftest import Face, cases, operation_of, vectors

from lastro import LastroError, NetworkError, Originator, WebhookError, verify_webhook
from lastro.errors import error_of


@pytest.mark.parametrize("case", cases("signatures"))
@pytest.mark.parametrize("key", ["privateKey", "privateKeyPkcs1"])
def test_signs_as_the_server_verifies(case: dict[str, Any], key: str) -> None:
    encoded = case.get("bodyBase64")
    body = case.get("body", "").encode() if encoded is None else base64.b64decode(encoded)
    signature = Originator("client", vectors("signatures")[key]).sign(
        case["method"], case["target"], case["timestamp"], body
    )
    assert signature == case["signature"]


@pytest.mark.parametrize("case", cases("webhooks"))
def test_accepts_the_webhooks_that_the_server_signed_and_no_others(case: dict[str, Any]) -> None:
    def verify() -> str:
        return verify_webhook(case["body"].encode(), case["headers"], case["secrets"], now=case["now"]).id

    if "event" in case["expected"]:
        assert verify() == case["expected"]["event"]
        return
    with pytest.raises(WebhookError) as caught:
        verify()
    assert caught.value.reason == case["expected"]["error"]


@pytest.mark.parametrize("secrets", vectors("webhooks")["noSecrets"])
def test_a_secret_that_is_none_accepts_nothing(secrets: list[str]) -> None:
    forged = hmac.digest(b"", b"e.1.{}", "sha256").hex()
    headers = {"x-webhook-id": "e", "x-webhook-timestamp": "1", "x-webhook-signature": forged}
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(b"{}", headers, secrets, now=1)


@pytest.mark.parametrize("case", cases("responses"))
def test_a_response_that_is_no_json_is_an_error(case: dict[str, Any], face: Face) -> None:
    requests: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, headers=case["headers"], content=case["body"].encode())

    with pytest.raises(LastroError) as caught:
        face.run(respond, lambda client: client.patrimony_list())
    assert (caught.value.status, caught.value.code) == (200, "INVALID_RESPONSE")
    assert len(requests) == 1


@pytest.mark.parametrize("case", cases("errors"))
def test_reads_the_error_envelope(case: dict[str, Any]) -> None:
    error = error_of(case["status"], httpx.Headers(case["headers"]), case["body"].encode())
    expected = case["expected"]
    found = {
        "status": error.status,
        "code": error.code,
        "message": expected["message"] and error.message,
        "requestId": error.request_id,
        "retryAfter": error.retry_after,
        "details": [{"path": one.path, "message": one.message} for one in error.details],
    }
    assert found == expected
    assert error.message


@pytest.mark.parametrize("case", cases("pages"))
def test_walks_through_the_pages_of_a_list(case: dict[str, Any], face: Face) -> None:
    exchanges = iter(case["exchanges"])
    seen: list[Any] = []

    def respond(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/auth/login":
            return httpx.Response(200, json={"accessToken": "a", "refreshToken": "r", "expiresIn": 3600})
        exchange = next(exchanges)
        assert request.method == "GET"
        assert request.url.path == case["path"]
        assert dict(request.url.params.multi_items()) == exchange["query"]
        assert len(request.url.params.multi_items()) == len(exchange["query"])
        return httpx.Response(200, json=exchange["response"])

    def read(client: Any) -> Any:
        items = client._raw_items(operation_of(case["operationId"]), case["arguments"])
        return collected(items) if face.kind == "async" else seen.extend(items)

    async def collected(items: AsyncIterator[Any]) -> None:
        async for item in items:
            seen.append(item)

    if case.get("error"):
        with pytest.raises(LastroError) as caught:
            face.run(respond, read)
        assert caught.value.code == "INVALID_RESPONSE"
    else:
        face.run(respond, read)
    assert seen == case["items"]
    assert next(exchanges, None) is None


@pytest.mark.parametrize("case", cases("retries"))
def test_repeats_what_is_safe_to_repeat(case: dict[str, Any], face: Face, waits: list[float]) -> None:
    responses = iter(case["responses"])
    requests: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        response = next(responses)
        if response.get("lost"):
            raise httpx.RemoteProtocolError("lost", request=request)
        headers = {"retry-after": str(response["retryAfter"])} if "retryAfter" in response else {}
        content = b"" if response["status"] == 204 else b"{}"
        return httpx.Response(response["status"], headers=headers, content=content)

    operation = operation_of(case["operationId"])
    arguments = {"id": "0190a000-0000-7000-8000-000000000003", "body": {}, "name": "Ana"}
    expected = case["expected"]
    status: int | None = None
    try:
        status = face.run(respond, lambda client: client._respond(operation, arguments, None)).status_code
    except NetworkError:
        assert expected["network"] is True
    except LastroError as error:
        status = error.status
    assert status == expected.get("status")
    assert len(requests) == expected["requests"]
    assert {request.method for request in requests} == {case["method"]}
    assert sum(waits) >= expected.get("waitSeconds", 0)
    keys = [request.headers.get("x-idempotency-key") for request in requests]
    assert len(set(keys)) == 1
    assert (keys[0] is not None) == case["takesKey"]
