"""Lists as frames."""

from __future__ import annotations

import datetime as dt
import importlib
from decimal import Decimal
from typing import Any

import httpx
import pytest
from conftest import Face

PRICES = [
    {
        "date": f"2026-03-0{day}",
        "unitPrice": f"1000.4504504{day}",
        "nominalValue": "1000.00000000",
        "interestJ": "0.45045045",
        "amortization": "0.000000000",
        "payment": "0.000000000",
        "version": 1,
        "calculatedAt": "2026-03-03T03:00:07.000Z",
        "projected": False,
        "overdueValue": "0.00000000",
    }
    for day in (3, 4)
]
SCHEDULE = [
    {
        "installmentNumber": 1,
        "dueDate": "2026-03-03",
        "status": "PAID",
        "projected": False,
        "openValue": "0.00",
        "totalValue": "10.50",
    },
    {"installmentNumber": 2, "dueDate": "2026-04-03", "status": "PENDING", "projected": True},
]
MOVEMENT = {
    "journalId": "0190a000-0000-7000-8000-000000000003",
    "postedAt": "2026-03-03T03:00:07.123Z",
    "available": "-10.00",
    "locked": "10.00",
    "cause": "order",
    "causeId": "x",
    "orderId": None,
    **dict.fromkeys(["reason", "market", "network", "address", "transaction", "fee"]),
    "balance": {"available": "90.00", "locked": "10.00", "total": "100.00"},
}


def serving(items: list[dict[str, Any]], name: str = "items") -> Any:
    def respond(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/auth/login":
            return httpx.Response(200, json={"accessToken": "a", "refreshToken": "r", "expiresIn": 3600})
        info = {"hasNextPage": False, "endCursor": None}
        return httpx.Response(200, json={name: items, "count": len(items), "pageInfo": info})

    return respond


def test_prices_as_a_frame_of_pandas(face: Face) -> None:
    frame = face.run(serving(PRICES), lambda client: client.price_history("X", frame="pandas"))
    assert list(frame["unit_price"]) == [Decimal("1000.45045043"), Decimal("1000.45045044")]
    assert list(frame["date"]) == [dt.date(2026, 3, 3), dt.date(2026, 3, 4)]
    assert frame["unit_price"].sum() == Decimal("2000.90090087")
    assert str(frame["version"].dtype) == "Int64"
    assert str(frame["calculated_at"].dtype) == "datetime64[us, UTC]"


def test_prices_as_a_frame_of_polars(face: Face) -> None:
    polars = importlib.import_module("polars")
    frame = face.run(serving(PRICES), lambda client: client.price_history("X", frame="polars"))
    assert frame["unit_price"].to_list() == [Decimal("1000.45045043"), Decimal("1000.45045044")]
    assert frame.schema["unit_price"] == polars.Decimal(38, 8)
    assert frame.schema["date"] == polars.Date
    assert frame.schema["calculated_at"] == polars.Datetime("us", "UTC")


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_what_is_not_known_is_missing_in_the_frame(kind: str, face: Face) -> None:
    frame = face.run(serving(SCHEDULE), lambda client: client.schedule("X", frame=kind))
    values = list(frame["total_value"])
    assert values[0] == Decimal("10.50")
    assert values[1] is None
    assert list(frame["projected"]) == [False, True]


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_an_empty_list_has_the_columns_and_types_of_a_full_one(kind: str, face: Face) -> None:
    full, empty = (
        face.run(serving(items), lambda client: client.price_history("X", frame=kind)) for items in (PRICES, [])
    )
    assert list(full.columns) == list(empty.columns)
    assert len(empty) == 0
    if kind == "pandas":
        assert list(full.dtypes) == list(empty.dtypes)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_objects_within_an_item_become_columns(kind: str, face: Face) -> None:
    since = dt.datetime(2026, 1, 1, tzinfo=dt.timezone.utc)
    frame = face.run(
        serving([MOVEMENT], "movements"), lambda client: client.statement(currency="BRL", from_=since, frame=kind)
    )
    assert list(frame["balance_total"]) == [Decimal("100.00")]
    assert list(frame["available"]) == [Decimal("-10.00")]


def test_a_missing_package_is_named_before_anything_is_requested(face: Face, monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200)

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r"pip install 'lastro\[polars\]'"):
        face.run(respond, lambda client: client.price_history("X", frame="polars"))
    assert requests == []
