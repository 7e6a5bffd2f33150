"""Values on the wire: what is written is read again, and nothing is rounded."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro._values import decode, encode, parse_json, parse_moment, write_json
from lastro.types import SettlementInput

amounts = st.decimals(allow_nan=False, allow_infinity=False)


@given(amounts)
def test_a_decimal_is_read_as_it_was_written(amount: Decimal) -> None:
    text = encode(amount)
    assert decode(Decimal, text) == amount
    assert "E" not in text


@given(amounts)
def test_an_amount_in_a_body_is_a_number_with_all_digits(amount: Decimal) -> None:
    settlement = SettlementInput(contract_id="x", settled_amount=amount, settled_date=dt.date(2026, 1, 2))
    written = write_json(encode([settlement])).encode()
    assert Decimal(json.loads(written, parse_float=Decimal)[0]["settledAmount"]) == amount


@given(st.datetimes(timezones=st.timezones(), min_value=dt.datetime(1902, 1, 1), max_value=dt.datetime(9998, 1, 1)))
def test_a_moment_is_read_as_it_was_written(moment: dt.datetime) -> None:
    assert parse_moment(encode(moment)) == moment.astimezone(dt.timezone.utc)


@given(st.dates(min_value=dt.date(1000, 1, 1)))
def test_a_day_is_read_as_it_was_written(day: dt.date) -> None:
    assert decode(dt.date, encode(day)) == day


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
def test_json_is_read_as_it_was_written(value: object) -> None:
    assert parse_json(write_json(encode(value)).encode(errors="surrogatepass")) == value


@given(st.binary() | st.text().map(str.encode))
def test_bytes_that_are_no_json_are_a_value_error(content: bytes) -> None:
    try:
        parse_json(content)
    except ValueError:
        return


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "[" * 100_000])
def test_what_only_python_reads_is_no_json(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON"):
        parse_json(text.encode())


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("Infinity")])
def test_what_is_no_number_is_no_amount(value: Decimal) -> None:
    with pytest.raises(ValueError, match="no amount"):
        encode(value)


@pytest.mark.parametrize("text", ["", "1,5", "1e5", "٣", "NaN", "0x1", " 1", "1.", None, True, []])
def test_other_text_is_no_decimal(text: object) -> None:
    with pytest.raises(ValueError, match="not a decimal"):
        decode(Decimal, text)
