"""The clients against a server that is a function."""

from __future__ import annotations

import datetime as dt
import gzip
import inspect
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest
from conftest import Face, vectors
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from lastro import Client, LastroError, Originator
from lastro.types import ContractInput, InventoryPage, InventoryUnavailable

BATCH = {
    "id": "0190a000-0000-7000-8000-000000000003",
    "number": 1,
    "sender": "CLIENT",
    "patrimonyId": "0190a000-0000-7000-8000-000000000004",
    "status": "DRAFT",
    "receivableCount": 1,
    "totalFaceValue": "15000.50",
    "totalPurchasePrice": None,
    "mode": "ALL_OR_NOTHING",
    "acceptedCount": None,
    "acceptedFaceValue": None,
    "acceptedPurchasePrice": None,
    "refusedCount": None,
    "refusedFaceValue": None,
    "name": "Lote 1",
    "createdAt": "2026-11-20T15:00:00.123456789Z",
    "submittedAt": None,
    "processedAt": None,
}


def answering(body: Any, seen: list[httpx.Request], status: int = 200) -> Callable[[httpx.Request], httpx.Response]:
    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(status, json=body)

    return respond


def test_amounts_are_sent_as_numbers_with_all_their_digits_and_the_request_is_signed(face: Face) -> None:
    seen: list[httpx.Request] = []
    contract = ContractInput(
        external_id="CCB/1 ção",
        debtor_document="52998224725",
        face_value=Decimal("999999999999.10"),
        due_date=dt.date(2031, 1, 31),
    )
    estate = "0190a000-0000-7000-8000-000000000004"
    batch = face.run(
        answering(BATCH, seen, 201),
        lambda client: client.create_credit_batch(patrimony_id=estate, contracts=[contract], idempotency_key="k-1"),
    )
    [request] = seen
    assert request.content.decode() == (
        f'{{"patrimonyId":"{estate}","contracts":[{{"externalId":"CCB/1 ção","debtorDocument":"52998224725",'
        '"faceValue":999999999999.10,"dueDate":"2031-01-31"}]}'
    )
    assert request.headers["x-idempotency-key"] == "k-1"
    signed = f"POST\n/tidc/v1/credit-batches\n{request.headers['x-timestamp']}\n".encode() + request.content
    verify_signature(request, signed)
    assert batch.total_face_value == Decimal("15000.50")
    assert batch.created_at == dt.datetime(2026, 11, 20, 15, 0, 0, 123456, dt.timezone.utc)


def test_a_cnab_file_is_sent_compressed_and_signed_as_sent(face: Face) -> None:
    seen: list[httpx.Request] = []
    estate = "0190a000-0000-7000-8000-000000000004"
    file = b"01REMESSA\r\n"
    face.run(
        answering(BATCH, seen, 201),
        lambda client: client.create_credit_batch_cnab444(patrimony_id=estate, body=file),
    )
    [request] = seen
    assert gzip.decompress(request.content) == file
    assert request.headers["content-encoding"] == "gzip"
    assert request.headers["content-type"] == "text/plain; profile=cnab444"
    target = f"/tidc/v1/credit-batches?patrimonyId={estate}"
    verify_signature(request, f"POST\n{target}\n{request.headers['x-timestamp']}\n".encode() + request.content)


def verify_signature(request: httpx.Request, signed: bytes) -> None:
    import base64

    key = load_pem_public_key(vectors("signatures")["publicKey"].encode())
    assert isinstance(key, RSAPublicKey)
    key.verify(base64.b64decode(request.headers["x-signature"]), signed, PKCS1v15(), SHA256())


def test_ids_in_paths_cannot_lead_to_another_path(face: Face) -> None:
    seen: list[httpx.Request] = []
    batch = "0190a000-0000-7000-8000-000000000003"
    face.run(answering(BATCH, seen), lambda client: client.remove_contract(batch, "a/../b?c=d#e%"))
    assert seen[0].url.raw_path.decode() == f"/tidc/v1/credit-batches/{batch}/contracts/a%2F..%2Fb%3Fc%3Dd%23e%25"


@pytest.mark.parametrize("text", ["", ".", ".."])
def test_an_id_that_is_no_part_of_a_path_is_not_sent(text: str, face: Face) -> None:
    seen: list[httpx.Request] = []
    with pytest.raises(ValueError, match="externalId"):
        face.run(answering(BATCH, seen), lambda client: client.remove_contract(BATCH["id"], text))
    assert seen == []


def test_a_float_is_no_amount(face: Face) -> None:
    with pytest.raises(TypeError, match="Decimal"):
        face.run(
            answering({}, []),
            lambda client: client.create_order(symbol="BTC/BRL", side="BUY", type="MARKET", amount=0.1),
        )


def test_a_moment_without_a_time_zone_is_refused(face: Face) -> None:
    with pytest.raises(ValueError, match="time zone"):
        face.run(
            answering({}, []),
            lambda client: client.fetch_statement(currency="BRL", from_=dt.datetime(2026, 1, 1)),
        )


def test_a_call_without_its_credential_says_which_one_it_needs() -> None:
    with Client("https://api.example.com") as client, pytest.raises(ValueError, match="api_key"):
        client.operation_cards()


def test_public_calls_send_no_credential(face: Face) -> None:
    seen: list[httpx.Request] = []
    face.run(answering({"items": [], "count": 0}, seen), lambda client: client.tranche_list())
    assert {"x-api-key", "authorization", "x-signature"}.isdisjoint(seen[0].headers)


def test_the_form_of_a_response_decides_its_class(face: Face) -> None:
    page = {"available": True, "page": 1, "limit": 20, "total": 0, "items": []}
    unavailable = {"available": False, "reason": "too many", "resumo": None}
    found = [face.run(answering(body, []), lambda client: client.inventory("X")) for body in (page, unavailable)]
    assert [type(one) for one in found] == [InventoryPage, InventoryUnavailable]


@pytest.mark.parametrize(
    "body",
    [
        [],
        None,
        {"count": 0},
        {"items": {}, "count": 0},
        {"items": [], "count": 1.5},
        {"items": [], "count": True},
        {"items": [{}], "count": 1},
    ],
)
def test_a_response_of_another_form_is_an_error_that_says_where(body: Any, face: Face) -> None:
    with pytest.raises(LastroError, match="cannot be read"):
        face.run(answering(body, []), lambda client: client.unit_price_list("X"))


def test_fields_and_enum_values_of_a_later_server_are_no_error(face: Face) -> None:
    body = {**BATCH, "status": "ARCHIVED", "later": {"x": 1}}
    batch = face.run(answering(body, []), lambda client: client.submit_credit_batch(BATCH["id"]))
    assert batch.status == "ARCHIVED"


def test_numbers_of_a_response_become_decimals_without_a_float_between(face: Face) -> None:
    by_type = {name: {"count": 0, "totalValue": 0} for name in ("CCB", "CRI", "CRA", "DEBENTURE", "PRECATORIO")}
    totals = dict.fromkeys(("totalAssets", "activeAssets", "settledAssets", "defaultedAssets"), 1)
    values = '"totalOriginalValue":123456789012345678.91,"totalCurrentBalance":0,"totalReceivedPayments":0'
    values += ',"totalSurplus":0,"totalAbated":0,"defaultRate":1.79'
    text = json.dumps({**totals, "byType": by_type})[:-1] + "," + values + "}"
    summary = face.run(
        lambda request: httpx.Response(200, content=text.encode()), lambda client: client.asset_summary()
    )
    assert summary.total_original_value == Decimal("123456789012345678.91")
    assert summary.by_type.ccb.total_value == Decimal(0)


def test_csv_is_text(face: Face) -> None:
    seen: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content="date,unitPrice\r\n".encode("utf-8-sig"))

    text = face.run(respond, lambda client: client.unit_price_list_csv("X", separator=","))
    assert text == "date,unitPrice\r\n"
    assert seen[0].headers["accept"] == "text/csv"
    assert seen[0].url.query == b"separator=%2C"


def test_a_file_is_bytes(face: Face) -> None:
    body = face.run(lambda request: httpx.Response(200, content=b"%PDF\xe7"), lambda client: client.credit_batch_term("X"))
    assert body == b"%PDF\xe7"


def test_csv_that_is_not_utf8_is_an_error(face: Face) -> None:
    with pytest.raises(LastroError, match="cannot be read"):
        face.run(lambda request: httpx.Response(200, content=b"\xe7"), lambda client: client.unit_price_list_csv("X"))


def test_an_empty_page_is_the_last_whatever_the_total_says(face: Face) -> None:
    seen: list[httpx.Request] = []

    def read(client: Any) -> Any:
        items = client.iter_asset_list()
        return items if face.kind == "async" else list(items)

    body = {"data": [], "page": 1, "limit": 100, "total": 500, "totalPages": 5}
    assert face.run(answering(body, seen), read) == []
    assert len(seen) == 1


def test_true_is_no_catalogue_code(face: Face) -> None:
    with pytest.raises(LastroError) as caught:
        face.run(answering({"message": "x", "code": True}, [], 400), lambda client: client.tranche_list())
    assert caught.value.code is None


class Tokens:
    """A trading server that issues tokens, and lists which requests came."""

    def __init__(self, expires_in: int = 3600) -> None:
        self.expires_in = expires_in
        self.issued = 0
        self.valid: set[str] = set()
        self.refreshable: set[str] = set()
        self.paths: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        self.paths.append(path.rsplit("/", 1)[-1])
        if path == "/v1/auth/refresh":
            if json.loads(request.content)["refreshToken"] not in self.refreshable:
                return httpx.Response(401, json={"message": "The refresh token is not valid", "code": "CAAS_AUTH_001"})
            return self.issue()
        if path == "/v1/auth/login":
            assert json.loads(request.content) == {"apiKey": "key", "secretKey": "secret"}
            return self.issue()
        if request.headers["authorization"].removeprefix("Bearer ") not in self.valid:
            return httpx.Response(401, json={"message": "The access token has expired", "code": "CAAS_AUTH_001"})
        return httpx.Response(200, json={"wallets": []})

    def issue(self) -> httpx.Response:
        self.issued += 1
        self.valid, self.refreshable = {f"a{self.issued}"}, {f"r{self.issued}"}
        tokens = {"accessToken": f"a{self.issued}", "refreshToken": f"r{self.issued}", "expiresIn": self.expires_in}
        return httpx.Response(200, json=tokens)


def balances(times: int, between: Callable[[], None] = lambda: None) -> Callable[[Any], Any]:
    """Reads the balance several times."""

    async def read(client: Any) -> None:
        for _ in range(times):
            await client.fetch_balance()
            between()

    def read_at_once(client: Any) -> Any:
        if not isinstance(client, Client):
            return read(client)
        for _ in range(times):
            client.fetch_balance()
            between()
        return None

    return read_at_once


def test_one_login_serves_many_calls(face: Face) -> None:
    server = Tokens()
    face.run(server, balances(3))
    assert server.paths == ["login", "fetchBalance", "fetchBalance", "fetchBalance"]


def test_a_token_about_to_expire_is_refreshed(face: Face) -> None:
    server = Tokens(expires_in=30)
    face.run(server, balances(2))
    assert server.paths == ["login", "fetchBalance", "refresh", "fetchBalance"]


def test_a_rejected_token_is_refreshed_once(face: Face) -> None:
    server = Tokens()
    face.run(server, balances(2, lambda: server.valid.clear()))
    assert server.paths == ["login", "fetchBalance", "fetchBalance", "refresh", "fetchBalance"]


def test_where_the_refresh_token_is_no_longer_valid_the_client_logs_in_again(face: Face) -> None:
    server = Tokens()

    def forget() -> None:
        server.valid.clear()
        server.refreshable.clear()

    face.run(server, balances(2, forget))
    assert server.paths == ["login", "fetchBalance", "fetchBalance", "refresh", "login", "fetchBalance"]


def test_profile_and_simulation_of_the_client_are_those_of_each_call_that_names_none(face: Face) -> None:
    seen: list[httpx.Request] = []
    tokens = Tokens()

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return tokens(request)

    face.run(respond, balances(1), profile_id="p1", synthetic=True)
    assert seen[-1].headers["x-profile-id"] == "p1"
    assert seen[-1].headers["x-synthetic"] == "true"
    assert "x-synthetic" not in seen[0].headers


def test_methods_have_the_names_arguments_and_texts_of_the_document() -> None:
    with Client("https://api.example.com") as client:
        method = client.unit_price_list
    assert method.__name__ == "unit_price_list"
    assert str(inspect.signature(method)).startswith("(ticker: str, *, from_: datetime.date | None = None, ")
    assert method.__doc__.startswith("List the unit prices")
    assert "next_token:" in method.__doc__


@pytest.mark.parametrize("arguments", [{}, {"ticker": "X", "unknown": 1}])
def test_wrong_arguments_are_a_type_error(arguments: dict[str, Any], face: Face) -> None:
    seen: list[httpx.Request] = []
    with pytest.raises(TypeError, match=r"ticker|unknown"):
        face.run(answering({}, seen), lambda client: client.unit_price_list(**arguments))
    assert seen == []


def test_a_key_that_is_not_rsa_is_refused() -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with pytest.raises(ValueError, match="RSA"):
        Originator("client", key)


def test_secrets_are_not_in_the_text_of_objects() -> None:
    from lastro import TradingKey

    assert "secret" not in repr(TradingKey("key", "secret"))
    assert "PRIVATE" not in repr(Originator("client", vectors("signatures")["privateKey"]))


@pytest.mark.parametrize("address", ["", "api.example.com", "ftp://api.example.com", "https://api.example.com/?a=b"])
def test_the_address_of_a_server_is_checked(address: str) -> None:
    with pytest.raises(ValueError, match="address"):
        Client(address)
