"""The clients against a server that means no good."""

from __future__ import annotations

import gzip
import itertools
import time
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
from conftest import Face

from lastro import Client, LastroError, NetworkError
from lastro._core import Credentials

MEBIBYTE = 1024 * 1024


class Endless(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that does not end."""

    def __iter__(self) -> Iterator[bytes]:
        return itertools.repeat(b" " * 65_536)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part


@pytest.mark.parametrize("status", [200, 500])
def test_a_body_without_an_end_is_read_up_to_the_limit(status: int, face: Face) -> None:
    with pytest.raises(LastroError) as caught:
        face.run(
            lambda request: httpx.Response(status, stream=Endless()),
            lambda client: client.patrimony_list(),
            max_response_bytes=MEBIBYTE,
        )
    assert (caught.value.status, caught.value.code) == (status, "RESPONSE_TOO_LARGE")


def test_a_compressed_body_counts_as_long_as_it_is_decompressed(face: Face) -> None:
    bomb = gzip.compress(b" " * 64 * MEBIBYTE)
    with pytest.raises(LastroError) as caught:
        face.run(
            lambda request: httpx.Response(200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(bomb)),
            lambda client: client.patrimony_list(),
            max_response_bytes=MEBIBYTE,
        )
    assert caught.value.code == "RESPONSE_TOO_LARGE"


@pytest.mark.parametrize("encoding", ["gzip, gzip", "deflate", "br", "zstd"])
def test_a_compression_that_was_not_asked_for_is_not_decompressed(encoding: str, face: Face) -> None:
    body = httpx.ByteStream(gzip.compress(gzip.compress(b"{}")))
    with pytest.raises(LastroError) as caught:
        face.run(
            lambda request: httpx.Response(200, headers={"content-encoding": encoding}, stream=body),
            lambda client: client.patrimony_list(),
        )
    assert caught.value.code == "INVALID_RESPONSE"


def test_a_body_that_comes_part_by_part_ends_with_its_time(face: Face, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0, 10)
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    with pytest.raises(NetworkError, match="in time"):
        face.run(
            lambda request: httpx.Response(200, stream=Endless()),
            lambda client: client.patrimony_list(),
            timeout=30.0,
            max_retries=0,
        )


def test_a_redirect_is_an_error_with_its_status_and_the_other_address_gets_nothing(face: Face) -> None:
    seen: list[httpx.URL] = []

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request.url)
        return httpx.Response(307, headers={"location": "https://other.example.net/"})

    with pytest.raises(LastroError) as caught:
        face.run(respond, lambda client: client.operation_cards())
    assert caught.value.status == 307
    assert [url.host for url in seen] == ["api.example.com"]


@pytest.mark.parametrize("key", ["svcpub_a.top\n", "svcpub_a.top\r\nX-Role: x", "svcpub_a.top\u2013x", "", " svcpub_a"])
def test_a_credential_that_is_no_header_is_refused_without_being_shown(key: str, face: Face) -> None:
    seen: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(500)

    with pytest.raises(ValueError, match="x-api-key") as caught:
        face.run(respond, lambda client: client.operation_cards(), api_key=key)
    assert "svcpub" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert seen == []


def test_credentials_are_not_in_the_text_of_objects() -> None:
    assert "hidden" not in repr(Credentials(api_key="hidden", developer_key="hidden", session_token="hidden"))


def test_a_password_in_the_address_of_a_server_is_refused_without_being_shown() -> None:
    with pytest.raises(ValueError, match="address") as caught:
        Client("https://user:hidden@api.example.com")
    assert "hidden" not in str(caught.value)
