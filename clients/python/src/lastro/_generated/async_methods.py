"""The methods of the client.

Generated from `rest/openapi.json` by `npm run generate`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncIterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, overload

from .._async import AsyncExecutor
from .._frames import FrameKind
from . import operations as ops
from . import types as t

if TYPE_CHECKING:
    import pandas
    import polars


class AsyncMethods(AsyncExecutor):
    """A method for each operation."""

    async def register(
        self,
        *,
        name: str,
        email: str,
        password: str,
        company: str,
        idempotency_key: str | None = None,
    ) -> t.Message:
        """Register an account.

        Creates an unconfirmed account and mails a confirmation link that is valid for 24 hours. An e-mail that
        already has a confirmed account gets the same response, and its owner is notified by mail: the response
        never reveals which e-mails are registered. While an e-mail has several registrations and none is confirmed,
        each one is confirmed by its own link only, and only the first one can log in. An e-mail gets at most 7
        messages an hour about registrations, 2 where it has an account, whose links to reset the password have a
        limit of their own; a registration beyond that is not stored, and one that is not confirmed within 8 days of
        its last message is deleted.

        Args:
            name: Name of the person who will use the API, 1 to 200 characters, none of them a control character or
                invisible.
            email: E-mail address, at most 254 characters of ASCII. Compared without regard to case and surrounding
                spaces.
            password: 8 to 128 characters, with at least one letter and one number; other characters are allowed.
                One of the most common passwords is rejected with 422, whatever the case of its letters.
            company: Company or institution, 1 to 200 characters, none of them a control character or invisible.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.REGISTER,
            {
                "name": name,
                "email": email,
                "password": password,
                "company": company,
            },
            idempotency_key,
        )

    async def verify_email(
        self,
        *,
        token: str,
        idempotency_key: str | None = None,
    ) -> t.Session:
        """Confirm an e-mail address.

        Confirms the registration of the link, with the name, company and password given in it, and returns a
        session. Other registrations of the e-mail are deleted, with their links and sessions.

        Args:
            token: The token of the confirmation link, which works once.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.VERIFY_EMAIL,
            {
                "token": token,
            },
            idempotency_key,
        )

    async def resend_verification(
        self,
        *,
        email: str,
        idempotency_key: str | None = None,
    ) -> t.Message:
        """Send the confirmation link again.

        Mails a new confirmation link if the e-mail has an unconfirmed account; the response is the same if it has
        none. While the e-mail has several registrations, the mail asks to register again instead, because the owner
        of the link is unknown.

        Args:
            email: E-mail address, at most 254 characters of ASCII. Compared without regard to case and surrounding
                spaces.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.RESEND_VERIFICATION,
            {
                "email": email,
            },
            idempotency_key,
        )

    async def login(
        self,
        *,
        email: str,
        password: str,
        idempotency_key: str | None = None,
    ) -> t.Session:
        """Log in.

        Accepts accounts created here and accounts of the issuer's portal, with the password of the portal. The
        session is a JWT that is valid for 12 hours. An account whose e-mail is not confirmed may log in, but its
        session can only read `me` and log out (403 elsewhere); of several registrations of one e-mail, only the
        first may log in. An account has at most 50 open sessions: one more ends the oldest. The owner is notified
        by mail of a session from a network from which the account was not used before.

        Args:
            email: E-mail address, at most 254 characters of ASCII. Compared without regard to case and surrounding
                spaces.
            password: The password, at most 1024 characters.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.LOGIN,
            {
                "email": email,
                "password": password,
            },
            idempotency_key,
        )

    async def forgot_password(
        self,
        *,
        email: str,
        idempotency_key: str | None = None,
    ) -> t.Message:
        """Request a password reset link.

        Mails a reset link that is valid for 1 hour if the e-mail has an account created here; the response is the
        same if it has none. Users of the issuer's portal reset their password in the portal. While the e-mail has
        several registrations and none is confirmed, the mail asks to register again instead.

        Args:
            email: E-mail address, at most 254 characters of ASCII. Compared without regard to case and surrounding
                spaces.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.FORGOT_PASSWORD,
            {
                "email": email,
            },
            idempotency_key,
        )

    async def reset_password(
        self,
        *,
        token: str,
        password: str,
        revoke_keys: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.Message:
        """Set a new password.

        Sets a new password with the token of the reset link. All sessions of the account end, its other reset links
        become invalid, and its owner is notified by mail. API keys keep working unless `revokeKeys` is true. If the
        password is rejected, the link stays valid.

        Args:
            token: The token of the reset link, which works once.
            password: 8 to 128 characters, with at least one letter and one number; other characters are allowed.
                One of the most common passwords is rejected with 422, whatever the case of its letters.
            revoke_keys: Whether all API keys and developer keys of the account are revoked too, permanently.
                `false` when omitted.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.RESET_PASSWORD,
            {
                "token": token,
                "password": password,
                "revokeKeys": revoke_keys,
            },
            idempotency_key,
        )

    async def logout(
        self,
        *,
        idempotency_key: str | None = None,
    ) -> None:
        """Log out.

        Ends the session, whether or not the account is confirmed: within a second every request with it gets 401,
        and within ten seconds its WebSockets are closed. Other sessions of the account continue.

        Args:
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(ops.LOGOUT, {}, idempotency_key)

    async def me(self) -> t.SessionUser:
        """Get the account of the session.

        The user to whom the session belongs.
        """
        return await self._call(ops.ME, {})

    async def api_keys(self) -> list[t.ApiKey]:
        """List API keys.

        The keys of the account, at most 200: first the ones that are not revoked, newest first. The secret of a key
        is never shown again. An expired key has `status: ACTIVE` with a past `expiresAt`.
        """
        return await self._call(ops.API_KEYS, {})

    async def create_api_key(
        self,
        *,
        name: str,
        idempotency_key: str | None = None,
    ) -> t.CreatedApiKey:
        """Create an API key.

        Creates a key, notifies the owner of the account by mail, and returns the key. It is valid for 365 days, for
        `rateLimit` requests a minute: 60, unless the server is configured with another number
        (`RATE_LIMIT_API_KEY`). The complete key is shown in this response only. An account has at most 5 keys that
        are ACTIVE and not expired.

        Args:
            name: Label of the key, chosen by the user, 1 to 200 characters, none of them a control character or
                invisible.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_API_KEY,
            {
                "name": name,
            },
            idempotency_key,
        )

    async def revoke_api_key(
        self,
        id: str,
    ) -> None:
        """Revoke an API key.

        Revokes a key permanently: within a second every request with it gets 401. Revoking it again returns 204
        again.

        Args:
            id: Id of the key.
        """
        return await self._call(
            ops.REVOKE_API_KEY,
            {
                "id": id,
            },
        )

    async def operation_cards(self) -> t.OperationCardList:
        """List operations.

        All public operations as cards, with totals. `kpis` are always Volume, Remuneração, Vencimento, in this
        order.
        """
        return await self._call(ops.OPERATION_CARDS, {})

    async def operation_detail(
        self,
        ticker: str,
    ) -> t.OperationDetail:
        """Get an operation.

        All public data of an operation: series, prices, guarantees, documents, payments, obligations, participants,
        assemblies, communications and on-chain data.

        Args:
            ticker: Ticker of the operation, as in the address of its page on the website, or the slug of its
                estate. Case does not matter.
        """
        return await self._call(
            ops.OPERATION_DETAIL,
            {
                "ticker": ticker,
            },
        )

    async def operation_detail_csv(
        self,
        ticker: str,
        *,
        separator: Literal[";", ","] | None = None,
    ) -> str:
        """Get an operation.

        All public data of an operation: series, prices, guarantees, documents, payments, obligations, participants,
        assemblies, communications and on-chain data.

        As CSV: the whole list.

        Args:
            ticker: Ticker of the operation, as in the address of its page on the website, or the slug of its
                estate. Case does not matter.
            separator: The separator of the cells of CSV; `;` when omitted. Same as `separador`.
        """
        return await self._call(
            ops.OPERATION_DETAIL_CSV,
            {
                "ticker": ticker,
                "separator": separator,
            },
        )

    async def report_months(
        self,
        ticker: str,
    ) -> t.ReportMonths:
        """List the months of the management report.

        The months that have a management report, newest first. `details` has, for each month, whether the report is
        `preliminar` (the positions are not complete, and the report changes with the data) or `final`, its version,
        and whether data of the month was published after that version (`dataChanged`).

        Args:
            ticker: Ticker of the operation, as in the address of its page on the website, or the slug of its
                estate. Case does not matter.
        """
        return await self._call(
            ops.REPORT_MONTHS,
            {
                "ticker": ticker,
            },
        )

    async def management_report(
        self,
        ticker: str,
        *,
        month: str | None = None,
        versao: int | None = None,
    ) -> t.ManagementReport:
        """Get the management report.

        The public part of the management report: concentration, aging, provisioning, LTV, prepayment and covenants.
        The report of a month is `preliminar` and changes with the data until the positions of the month are
        complete; then it is `final`, and stored. A final report with errors is reissued as a new version; earlier
        versions remain available. Without `month` the report is computed from today’s position, and `month` is null
        in the response.

        Args:
            ticker: Ticker of the operation, as in the address of its page on the website, or the slug of its
                estate. Case does not matter.
            month: The month, as `YYYY-MM`. Omitted: today’s position.
            versao: A version of the final report of `month`, from 1. Omitted: the newest version, or the
                preliminary report.
        """
        return await self._call(
            ops.MANAGEMENT_REPORT,
            {
                "ticker": ticker,
                "month": month,
                "versao": versao,
            },
        )

    async def inventory(
        self,
        ticker: str,
        *,
        page: int | None = None,
        limit: int | None = None,
    ) -> t.Inventory:
        """List the inventory of credits.

        The credits behind the operation, one by one, without names, tax ids or external ids. The values of a credit
        are those of a group with the credits of at least 5 debtors, which all show the same values: amounts and
        rates are ranges (`R$ 400.000,00 a R$ 500.000,00`), dates are months, half-years or years, and a value that
        the group does not have in common is null. If there are too many contracts to list, `available` is false and
        `resumo` is an aggregated summary; if there are fewer than 5 debtors, `available` is false and `resumo` is
        null.

        Args:
            ticker: Ticker of the operation, as in the address of its page on the website, or the slug of its
                estate. Case does not matter.
            page: Page, from 1 to 1,000,000; 1 when omitted. A page after the last has no items.
            limit: Credits per page, 1 to 100; 20 when omitted.
        """
        return await self._call(
            ops.INVENTORY,
            {
                "ticker": ticker,
                "page": page,
                "limit": limit,
            },
        )

    def iter_inventory(
        self,
        ticker: str,
        *,
        page: int | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[t.InventoryItem]:
        """List the inventory of credits: all items, page by page.

        The credits behind the operation, one by one, without names, tax ids or external ids. The values of a credit
        are those of a group with the credits of at least 5 debtors, which all show the same values: amounts and
        rates are ranges (`R$ 400.000,00 a R$ 500.000,00`), dates are months, half-years or years, and a value that
        the group does not have in common is null. If there are too many contracts to list, `available` is false and
        `resumo` is an aggregated summary; if there are fewer than 5 debtors, `available` is false and `resumo` is
        null.

        There are no items where they are not published: `inventory` says why.

        Args:
            ticker: Ticker of the operation, as in the address of its page on the website, or the slug of its
                estate. Case does not matter.
            page: Page, from 1 to 1,000,000; 1 when omitted. A page after the last has no items.
            limit: Items per page; omitted: 100, the most that a page has.
        """
        return self._iterate(
            ops.INVENTORY,
            {
                "ticker": ticker,
                "page": page,
                "limit": limit,
            },
        )

    @overload
    async def inventory_credits(
        self,
        ticker: str,
        *,
        frame: Literal["pandas"] = "pandas",
    ) -> pandas.DataFrame: ...

    @overload
    async def inventory_credits(
        self,
        ticker: str,
        *,
        frame: Literal["polars"],
    ) -> polars.DataFrame: ...

    async def inventory_credits(
        self,
        ticker: str,
        *,
        frame: FrameKind = "pandas",
    ) -> Any:
        """List the inventory of credits: all items as a frame.

        The credits behind the operation, one by one, without names, tax ids or external ids. The values of a credit
        are those of a group with the credits of at least 5 debtors, which all show the same values: amounts and
        rates are ranges (`R$ 400.000,00 a R$ 500.000,00`), dates are months, half-years or years, and a value that
        the group does not have in common is null. If there are too many contracts to list, `available` is false and
        `resumo` is an aggregated summary; if there are fewer than 5 debtors, `available` is false and `resumo` is
        null.

        There are no items where they are not published: `inventory` says why.

        Decimals stay `Decimal` and days stay days. Raises ImportError where the package of the frame is not
        installed.

        Args:
            ticker: Ticker of the operation, as in the address of its page on the website, or the slug of its
                estate. Case does not matter.
            frame: The kind of the frame: `pandas` or `polars`.
        """
        return await self._frame(
            ops.INVENTORY,
            {
                "ticker": ticker,
            },
            frame,
        )

    async def inventory_csv(
        self,
        ticker: str,
        *,
        separator: Literal[";", ","] | None = None,
    ) -> str:
        """List the inventory of credits.

        The credits behind the operation, one by one, without names, tax ids or external ids. The values of a credit
        are those of a group with the credits of at least 5 debtors, which all show the same values: amounts and
        rates are ranges (`R$ 400.000,00 a R$ 500.000,00`), dates are months, half-years or years, and a value that
        the group does not have in common is null. If there are too many contracts to list, `available` is false and
        `resumo` is an aggregated summary; if there are fewer than 5 debtors, `available` is false and `resumo` is
        null.

        As CSV: the whole list.

        Args:
            ticker: Ticker of the operation, as in the address of its page on the website, or the slug of its
                estate. Case does not matter.
            separator: The separator of the cells of CSV; `;` when omitted. Same as `separador`.
        """
        return await self._call(
            ops.INVENTORY_CSV,
            {
                "ticker": ticker,
                "separator": separator,
            },
        )

    async def tranche_list(
        self,
        *,
        status: Literal["DRAFT", "ACTIVE", "FUNDRAISING", "CLOSED"] | None = None,
        patrimony_ticker: str | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.TrancheList:
        """List series.

        The series of all estates, by ticker, with their current prices.

        Args:
            status: Only series with this status.
            patrimony_ticker: Only series of the estate with this ticker; case does not matter. An unknown estate
                has no series.
            limit: Items per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page, with the same filter. Omitted: the first page.
        """
        return await self._call(
            ops.TRANCHE_LIST,
            {
                "status": status,
                "patrimonyTicker": patrimony_ticker,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_tranche_list(
        self,
        *,
        status: Literal["DRAFT", "ACTIVE", "FUNDRAISING", "CLOSED"] | None = None,
        patrimony_ticker: str | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.TrancheItem]:
        """List series: all items, page by page.

        The series of all estates, by ticker, with their current prices.

        Args:
            status: Only series with this status.
            patrimony_ticker: Only series of the estate with this ticker; case does not matter. An unknown estate
                has no series.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page, with the same filter. Omitted: the first page.
        """
        return self._iterate(
            ops.TRANCHE_LIST,
            {
                "status": status,
                "patrimonyTicker": patrimony_ticker,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def tranche_list_csv(
        self,
        *,
        status: Literal["DRAFT", "ACTIVE", "FUNDRAISING", "CLOSED"] | None = None,
        patrimony_ticker: str | None = None,
        separator: Literal[";", ","] | None = None,
    ) -> str:
        """List series.

        The series of all estates, by ticker, with their current prices.

        As CSV: the whole list.

        Args:
            status: Only series with this status.
            patrimony_ticker: Only series of the estate with this ticker; case does not matter. An unknown estate
                has no series.
            separator: The separator of the cells of CSV; `;` when omitted. Same as `separador`.
        """
        return await self._call(
            ops.TRANCHE_LIST_CSV,
            {
                "status": status,
                "patrimonyTicker": patrimony_ticker,
                "separator": separator,
            },
        )

    async def tranche_details(
        self,
        ticker: str,
    ) -> t.TrancheDetails:
        """Get a series.

        A series with its prices, its totals and its estate.

        Args:
            ticker: Ticker of the series. Case does not matter.
        """
        return await self._call(
            ops.TRANCHE_DETAILS,
            {
                "ticker": ticker,
            },
        )

    async def unit_price_list(
        self,
        ticker: str,
        *,
        from_: dt.date | None = None,
        to: dt.date | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.UnitPriceList:
        """List the unit prices of a series.

        The unit price of each priced day, oldest first. A corrected price is shown in its newest version.

        Args:
            ticker: Ticker of the series. Case does not matter.
            from_: First day. Omitted: the day of the oldest price.
            to: Last day, not before `from`. Omitted: the day of the newest price.
            limit: Items per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page, with the same period. Omitted: the first page.
        """
        return await self._call(
            ops.UNIT_PRICE_LIST,
            {
                "ticker": ticker,
                "from": from_,
                "to": to,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_unit_price_list(
        self,
        ticker: str,
        *,
        from_: dt.date | None = None,
        to: dt.date | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.UnitPriceItem]:
        """List the unit prices of a series: all items, page by page.

        The unit price of each priced day, oldest first. A corrected price is shown in its newest version.

        Args:
            ticker: Ticker of the series. Case does not matter.
            from_: First day. Omitted: the day of the oldest price.
            to: Last day, not before `from`. Omitted: the day of the newest price.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page, with the same period. Omitted: the first page.
        """
        return self._iterate(
            ops.UNIT_PRICE_LIST,
            {
                "ticker": ticker,
                "from": from_,
                "to": to,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    @overload
    async def price_history(
        self,
        ticker: str,
        *,
        from_: dt.date | None = None,
        to: dt.date | None = None,
        frame: Literal["pandas"] = "pandas",
    ) -> pandas.DataFrame: ...

    @overload
    async def price_history(
        self,
        ticker: str,
        *,
        from_: dt.date | None = None,
        to: dt.date | None = None,
        frame: Literal["polars"],
    ) -> polars.DataFrame: ...

    async def price_history(
        self,
        ticker: str,
        *,
        from_: dt.date | None = None,
        to: dt.date | None = None,
        frame: FrameKind = "pandas",
    ) -> Any:
        """List the unit prices of a series: all items as a frame.

        The unit price of each priced day, oldest first. A corrected price is shown in its newest version.

        Decimals stay `Decimal` and days stay days. Raises ImportError where the package of the frame is not
        installed.

        Args:
            ticker: Ticker of the series. Case does not matter.
            from_: First day. Omitted: the day of the oldest price.
            to: Last day, not before `from`. Omitted: the day of the newest price.
            frame: The kind of the frame: `pandas` or `polars`.
        """
        return await self._frame(
            ops.UNIT_PRICE_LIST,
            {
                "ticker": ticker,
                "from": from_,
                "to": to,
            },
            frame,
        )

    async def unit_price_list_csv(
        self,
        ticker: str,
        *,
        from_: dt.date | None = None,
        to: dt.date | None = None,
        separator: Literal[";", ","] | None = None,
    ) -> str:
        """List the unit prices of a series.

        The unit price of each priced day, oldest first. A corrected price is shown in its newest version.

        As CSV: the whole list.

        Args:
            ticker: Ticker of the series. Case does not matter.
            from_: First day. Omitted: the day of the oldest price.
            to: Last day, not before `from`. Omitted: the day of the newest price.
            separator: The separator of the cells of CSV; `;` when omitted. Same as `separador`.
        """
        return await self._call(
            ops.UNIT_PRICE_LIST_CSV,
            {
                "ticker": ticker,
                "from": from_,
                "to": to,
                "separator": separator,
            },
        )

    async def payment_schedule(
        self,
        ticker: str,
    ) -> t.PaymentSchedule:
        """Get the payment schedule of a series.

        All instalments of a series, paid and future, by number. Values are for all tokens of the series. The values
        of instalments whose day is not priced yet are projections: exact for a fixed rate; for a series with an
        index, computed with its newest rate or index number for all future days.

        Args:
            ticker: Ticker of the series. Case does not matter.
        """
        return await self._call(
            ops.PAYMENT_SCHEDULE,
            {
                "ticker": ticker,
            },
        )

    @overload
    async def schedule(
        self,
        ticker: str,
        *,
        frame: Literal["pandas"] = "pandas",
    ) -> pandas.DataFrame: ...

    @overload
    async def schedule(
        self,
        ticker: str,
        *,
        frame: Literal["polars"],
    ) -> polars.DataFrame: ...

    async def schedule(
        self,
        ticker: str,
        *,
        frame: FrameKind = "pandas",
    ) -> Any:
        """Get the payment schedule of a series: all items as a frame.

        All instalments of a series, paid and future, by number. Values are for all tokens of the series. The values
        of instalments whose day is not priced yet are projections: exact for a fixed rate; for a series with an
        index, computed with its newest rate or index number for all future days.

        Decimals stay `Decimal` and days stay days. Raises ImportError where the package of the frame is not
        installed.

        Args:
            ticker: Ticker of the series. Case does not matter.
            frame: The kind of the frame: `pandas` or `polars`.
        """
        return await self._frame(
            ops.PAYMENT_SCHEDULE,
            {
                "ticker": ticker,
            },
            frame,
        )

    async def payment_schedule_csv(
        self,
        ticker: str,
        *,
        separator: Literal[";", ","] | None = None,
    ) -> str:
        """Get the payment schedule of a series.

        All instalments of a series, paid and future, by number. Values are for all tokens of the series. The values
        of instalments whose day is not priced yet are projections: exact for a fixed rate; for a series with an
        index, computed with its newest rate or index number for all future days.

        As CSV: the whole list.

        Args:
            ticker: Ticker of the series. Case does not matter.
            separator: The separator of the cells of CSV; `;` when omitted. Same as `separador`.
        """
        return await self._call(
            ops.PAYMENT_SCHEDULE_CSV,
            {
                "ticker": ticker,
                "separator": separator,
            },
        )

    async def patrimony_list(
        self,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.PatrimonyList:
        """List estates.

        The estates, by ticker, with the number of their series and assets and the amount issued.

        Args:
            limit: Items per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page, with the same filter. Omitted: the first page.
        """
        return await self._call(
            ops.PATRIMONY_LIST,
            {
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_patrimony_list(
        self,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.PatrimonyItem]:
        """List estates: all items, page by page.

        The estates, by ticker, with the number of their series and assets and the amount issued.

        Args:
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page, with the same filter. Omitted: the first page.
        """
        return self._iterate(
            ops.PATRIMONY_LIST,
            {
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def asset_list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        patrimony_id: str | None = None,
        status: Literal["ACTIVE", "SETTLED", "DEFAULTED", "WRITTEN_OFF"] | None = None,
        type: Literal["CCB", "CRI", "CRA", "DEBENTURE", "PRECATORIO"] | None = None,
        search: str | None = None,
    ) -> t.AssetPage:
        """List assets.

        The credit rights behind the series, in the order in which they were registered. An asset must match all
        filters. For a debtor that is a natural person (CPF, or an individual entrepreneur by the registered name)
        `debtorName` has the initials, `L. D. O.`; for a legal person it is the full name. The tax id of the debtor,
        and any other CPF, within `externalId` is masked.

        Args:
            page: Page, from 1; 1 when omitted. A page after the last has no assets.
            limit: Items per page, 1 to 100; 10 when omitted.
            patrimony_id: Only assets of the estate with this id. An unknown estate has no assets.
            status: Only assets with this status.
            type: Only assets of this type.
            search: Words to search, at most 10: only assets for which every word is part of the external id or of
                the name of a debtor that is a legal person. Case and accents are ignored; names of natural persons
        and tax
                ids within external ids are not searched. A word without a letter or digit, such as `%`, is 400.
        """
        return await self._call(
            ops.ASSET_LIST,
            {
                "page": page,
                "limit": limit,
                "patrimonyId": patrimony_id,
                "status": status,
                "type": type,
                "search": search,
            },
        )

    def iter_asset_list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        patrimony_id: str | None = None,
        status: Literal["ACTIVE", "SETTLED", "DEFAULTED", "WRITTEN_OFF"] | None = None,
        type: Literal["CCB", "CRI", "CRA", "DEBENTURE", "PRECATORIO"] | None = None,
        search: str | None = None,
    ) -> AsyncIterator[t.AssetItem]:
        """List assets: all items, page by page.

        The credit rights behind the series, in the order in which they were registered. An asset must match all
        filters. For a debtor that is a natural person (CPF, or an individual entrepreneur by the registered name)
        `debtorName` has the initials, `L. D. O.`; for a legal person it is the full name. The tax id of the debtor,
        and any other CPF, within `externalId` is masked.

        Args:
            page: Page, from 1; 1 when omitted. A page after the last has no assets.
            limit: Items per page; omitted: 100, the most that a page has.
            patrimony_id: Only assets of the estate with this id. An unknown estate has no assets.
            status: Only assets with this status.
            type: Only assets of this type.
            search: Words to search, at most 10: only assets for which every word is part of the external id or of
                the name of a debtor that is a legal person. Case and accents are ignored; names of natural persons
        and tax
                ids within external ids are not searched. A word without a letter or digit, such as `%`, is 400.
        """
        return self._iterate(
            ops.ASSET_LIST,
            {
                "page": page,
                "limit": limit,
                "patrimonyId": patrimony_id,
                "status": status,
                "type": type,
                "search": search,
            },
        )

    @overload
    async def assets(
        self,
        *,
        patrimony_id: str | None = None,
        status: Literal["ACTIVE", "SETTLED", "DEFAULTED", "WRITTEN_OFF"] | None = None,
        type: Literal["CCB", "CRI", "CRA", "DEBENTURE", "PRECATORIO"] | None = None,
        search: str | None = None,
        frame: Literal["pandas"] = "pandas",
    ) -> pandas.DataFrame: ...

    @overload
    async def assets(
        self,
        *,
        patrimony_id: str | None = None,
        status: Literal["ACTIVE", "SETTLED", "DEFAULTED", "WRITTEN_OFF"] | None = None,
        type: Literal["CCB", "CRI", "CRA", "DEBENTURE", "PRECATORIO"] | None = None,
        search: str | None = None,
        frame: Literal["polars"],
    ) -> polars.DataFrame: ...

    async def assets(
        self,
        *,
        patrimony_id: str | None = None,
        status: Literal["ACTIVE", "SETTLED", "DEFAULTED", "WRITTEN_OFF"] | None = None,
        type: Literal["CCB", "CRI", "CRA", "DEBENTURE", "PRECATORIO"] | None = None,
        search: str | None = None,
        frame: FrameKind = "pandas",
    ) -> Any:
        """List assets: all items as a frame.

        The credit rights behind the series, in the order in which they were registered. An asset must match all
        filters. For a debtor that is a natural person (CPF, or an individual entrepreneur by the registered name)
        `debtorName` has the initials, `L. D. O.`; for a legal person it is the full name. The tax id of the debtor,
        and any other CPF, within `externalId` is masked.

        Decimals stay `Decimal` and days stay days. Raises ImportError where the package of the frame is not
        installed.

        Args:
            patrimony_id: Only assets of the estate with this id. An unknown estate has no assets.
            status: Only assets with this status.
            type: Only assets of this type.
            search: Words to search, at most 10: only assets for which every word is part of the external id or of
                the name of a debtor that is a legal person. Case and accents are ignored; names of natural persons
        and tax
                ids within external ids are not searched. A word without a letter or digit, such as `%`, is 400.
            frame: The kind of the frame: `pandas` or `polars`.
        """
        return await self._frame(
            ops.ASSET_LIST,
            {
                "patrimonyId": patrimony_id,
                "status": status,
                "type": type,
                "search": search,
            },
            frame,
        )

    async def asset_list_csv(
        self,
        *,
        patrimony_id: str | None = None,
        status: Literal["ACTIVE", "SETTLED", "DEFAULTED", "WRITTEN_OFF"] | None = None,
        type: Literal["CCB", "CRI", "CRA", "DEBENTURE", "PRECATORIO"] | None = None,
        search: str | None = None,
        separator: Literal[";", ","] | None = None,
    ) -> str:
        """List assets.

        The credit rights behind the series, in the order in which they were registered. An asset must match all
        filters. For a debtor that is a natural person (CPF, or an individual entrepreneur by the registered name)
        `debtorName` has the initials, `L. D. O.`; for a legal person it is the full name. The tax id of the debtor,
        and any other CPF, within `externalId` is masked.

        As CSV: the whole list.

        Args:
            patrimony_id: Only assets of the estate with this id. An unknown estate has no assets.
            status: Only assets with this status.
            type: Only assets of this type.
            search: Words to search, at most 10: only assets for which every word is part of the external id or of
                the name of a debtor that is a legal person. Case and accents are ignored; names of natural persons
        and tax
                ids within external ids are not searched. A word without a letter or digit, such as `%`, is 400.
            separator: The separator of the cells of CSV; `;` when omitted. Same as `separador`.
        """
        return await self._call(
            ops.ASSET_LIST_CSV,
            {
                "patrimonyId": patrimony_id,
                "status": status,
                "type": type,
                "search": search,
                "separator": separator,
            },
        )

    async def asset_summary(
        self,
        *,
        patrimony_id: str | None = None,
    ) -> t.AssetSummary:
        """Get the summary of assets.

        Totals of the assets of one estate, or of all estates. The summary is cached for five minutes. `defaultRate`
        is `defaultedAssets` divided by `totalAssets`, in percent; `totalValue` of a type is the original value of
        its assets.

        Args:
            patrimony_id: Id of an estate. Omitted: all estates.
        """
        return await self._call(
            ops.ASSET_SUMMARY,
            {
                "patrimonyId": patrimony_id,
            },
        )

    async def asset_detail(
        self,
        id: str,
    ) -> t.AssetDetail:
        """Get an asset.

        An asset with its estate, its credit batch, and all instalments, paid and pending.

        Args:
            id: Id of the asset.
        """
        return await self._call(
            ops.ASSET_DETAIL,
            {
                "id": id,
            },
        )

    async def asset_detail_csv(
        self,
        id: str,
        *,
        separator: Literal[";", ","] | None = None,
    ) -> str:
        """Get an asset.

        An asset with its estate, its credit batch, and all instalments, paid and pending.

        As CSV: the whole list.

        Args:
            id: Id of the asset.
            separator: The separator of the cells of CSV; `;` when omitted. Same as `separador`.
        """
        return await self._call(
            ops.ASSET_DETAIL_CSV,
            {
                "id": id,
                "separator": separator,
            },
        )

    async def developer_contracts(
        self,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.DeveloperContractList:
        """List token contracts.

        The contracts whose tokens are the units of series, by ticker of the series. `readAt` is the time at which
        the data of a contract was last read from the chain. Needs the scope `contracts:read`.

        Args:
            limit: Contracts per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return await self._call(
            ops.DEVELOPER_CONTRACTS,
            {
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_developer_contracts(
        self,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.DeveloperContract]:
        """List token contracts: all items, page by page.

        The contracts whose tokens are the units of series, by ticker of the series. `readAt` is the time at which
        the data of a contract was last read from the chain. Needs the scope `contracts:read`.

        Args:
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return self._iterate(
            ops.DEVELOPER_CONTRACTS,
            {
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def developer_contract(
        self,
        address: str,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.DeveloperContractDetails:
        """Get a token contract.

        A contract with the events of its tokens, newest first. Tokens that were transferred together are one event;
        `tokenIds` has the first 100 of them. Until an event is `final`, a reorganization of the chain can undo it.
        Needs the scope `contracts:read`.

        Args:
            address: Address of the contract; case does not matter.
            limit: Events per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page. Omitted: the newest events.
        """
        return await self._call(
            ops.DEVELOPER_CONTRACT,
            {
                "address": address,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_developer_contract(
        self,
        address: str,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.DeveloperContractEvent]:
        """Get a token contract: all items, page by page.

        A contract with the events of its tokens, newest first. Tokens that were transferred together are one event;
        `tokenIds` has the first 100 of them. Until an event is `final`, a reorganization of the chain can undo it.
        Needs the scope `contracts:read`.

        Args:
            address: Address of the contract; case does not matter.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page. Omitted: the newest events.
        """
        return self._iterate(
            ops.DEVELOPER_CONTRACT,
            {
                "address": address,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def webhooks(self) -> t.Webhooks:
        """List webhooks.

        The webhooks of the account, oldest first, at most 100. Needs the scope `webhooks:read`.
        """
        return await self._call(ops.WEBHOOKS, {})

    async def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[t.EventName],
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.WebhookWithSecret:
        """Create a webhook.

        Subscribes a receiver to events, and informs the owner of the account by mail. The secret is shown in this
        response only. See Webhooks for the deliveries and their signatures. Needs the scope `webhooks:write`.

        Args:
            url: Address to which deliveries are sent: `https`, without user, password, fragment or spaces, at most
                2048 characters. It is stored in its normal form: lower-case host, percent-encoded. Its host must be
        on the
                public internet, now and at every connection.
            events: Names of the events to receive, at least one. The GraphQL query `webhookEvents` returns the
                schema of the data of each.
            description: Purpose of the webhook, at most 500 characters. Empty: no description.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_WEBHOOK,
            {
                "url": url,
                "events": events,
                "description": description,
            },
            idempotency_key,
        )

    async def webhook(
        self,
        id: str,
    ) -> t.Webhook:
        """Get a webhook.

        A webhook of the account. Needs the scope `webhooks:read`.

        Args:
            id: Id of the webhook.
        """
        return await self._call(
            ops.WEBHOOK,
            {
                "id": id,
            },
        )

    async def update_webhook(
        self,
        id: str,
        *,
        url: str | None = None,
        events: Sequence[t.EventName] | None = None,
        description: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Webhook:
        """Change a webhook.

        Changes the given fields and keeps the others; no field may be null. An empty description removes the
        description. Pending deliveries go to the new address, about which the owner of the account is informed by
        mail. `status` cannot be changed here and gets 400: `POST /developer/webhooks/{id}/activate` activates a
        webhook. Needs the scope `webhooks:write`.

        Args:
            id: Id of the webhook.
            url: Address to which deliveries are sent: `https`, without user, password, fragment or spaces, at most
                2048 characters. It is stored in its normal form: lower-case host, percent-encoded. Its host must be
        on the
                public internet, now and at every connection.
            events: Names of the events to receive, at least one. The GraphQL query `webhookEvents` returns the
                schema of the data of each.
            description: Purpose of the webhook, at most 500 characters. Empty: no description.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.UPDATE_WEBHOOK,
            {
                "id": id,
                "url": url,
                "events": events,
                "description": description,
            },
            idempotency_key,
        )

    async def delete_webhook(
        self,
        id: str,
    ) -> None:
        """Delete a webhook.

        Deletes a webhook permanently. Needs the scope `webhooks:write`.

        Args:
            id: Id of the webhook.
        """
        return await self._call(
            ops.DELETE_WEBHOOK,
            {
                "id": id,
            },
        )

    async def rotate_webhook_secret(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.WebhookWithSecret:
        """Rotate the secret of a webhook.

        Creates a new secret, shown in this response only. For 24 hours deliveries are signed with the old one too:
        see Webhooks. Needs the scope `webhooks:write`.

        Args:
            id: Id of the webhook.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.ROTATE_WEBHOOK_SECRET,
            {
                "id": id,
            },
            idempotency_key,
        )

    async def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.WebhookDelivery:
        """Send a test event.

        Sends an event of the type `webhook.test`, signed and retried like any other. The response does not wait for
        it: see the deliveries. Needs the scope `webhooks:write`.

        Args:
            id: Id of the webhook.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.TEST_WEBHOOK,
            {
                "id": id,
            },
            idempotency_key,
        )

    async def activate_webhook(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.Webhook:
        """Activate a webhook.

        Resumes deliveries to a deactivated webhook. Events that were skipped meanwhile are sent by a replay. Needs
        the scope `webhooks:write`.

        Args:
            id: Id of the webhook.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.ACTIVATE_WEBHOOK,
            {
                "id": id,
            },
            idempotency_key,
        )

    async def webhook_deliveries(
        self,
        id: str,
        *,
        status: Literal["pending", "delivered", "failed", "skipped"] | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.WebhookDeliveries:
        """List deliveries.

        The deliveries, sent and pending, with all their attempts, newest event first; they are kept for 30 days and
        deleted within the eight days after. Needs the scope `webhooks:read`.

        Args:
            id: Id of the webhook.
            status: Only deliveries with this status. Omitted: all.
            limit: Deliveries per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page, which must have been requested with the same status.
                Omitted: the first page.
        """
        return await self._call(
            ops.WEBHOOK_DELIVERIES,
            {
                "id": id,
                "status": status,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_webhook_deliveries(
        self,
        id: str,
        *,
        status: Literal["pending", "delivered", "failed", "skipped"] | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.WebhookDelivery]:
        """List deliveries: all items, page by page.

        The deliveries, sent and pending, with all their attempts, newest event first; they are kept for 30 days and
        deleted within the eight days after. Needs the scope `webhooks:read`.

        Args:
            id: Id of the webhook.
            status: Only deliveries with this status. Omitted: all.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page, which must have been requested with the same status.
                Omitted: the first page.
        """
        return self._iterate(
            ops.WEBHOOK_DELIVERIES,
            {
                "id": id,
                "status": status,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def redeliver_webhook(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.WebhookDelivery:
        """Send a delivery again.

        Sends a delivery again immediately, with the complete schedule of retries, whatever its status. Needs the
        scope `webhooks:write`.

        Args:
            id: Id of the webhook.
            delivery_id: Id of the delivery, which is the id of its event. The id that the graph gives a delivery is
                accepted too.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.REDELIVER_WEBHOOK,
            {
                "id": id,
                "deliveryId": delivery_id,
            },
            idempotency_key,
        )

    async def replay_webhook(
        self,
        id: str,
        *,
        since: dt.datetime,
        idempotency_key: str | None = None,
    ) -> t.WebhookReplay:
        """Replay missed events.

        Sends all failed and skipped deliveries again, of events since a moment within the last 30 days, for which
        deliveries are kept. The first thousand are due immediately, the others follow. Needs the scope
        `webhooks:write`.

        Args:
            id: Id of the webhook.
            since: Events from this moment on (RFC 3339).
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.REPLAY_WEBHOOK,
            {
                "id": id,
                "since": since,
            },
            idempotency_key,
        )

    async def create_credit_batch(
        self,
        *,
        patrimony_id: str,
        contracts: Sequence[t.ContractInput],
        idempotency_key: str | None = None,
    ) -> t.CreditBatchItem:
        """Create a credit batch.

        Creates a batch in DRAFT. Processing checks whether its contracts are eligible and not assigned elsewhere.
        Send an idempotency key.

        Args:
            patrimony_id: Id of the estate to which the credits are assigned.
            contracts: The contracts, 1 to 50,000.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_CREDIT_BATCH,
            {
                "patrimonyId": patrimony_id,
                "contracts": contracts,
            },
            idempotency_key,
        )

    async def create_credit_batch_cnab444(
        self,
        *,
        patrimony_id: str,
        body: bytes,
        idempotency_key: str | None = None,
    ) -> t.CreditBatchItem:
        """Create a credit batch.

        Creates a batch in DRAFT. Processing checks whether its contracts are eligible and not assigned elsewhere.
        Send an idempotency key.

        From a CNAB 444 file, which is sent compressed.

        Args:
            patrimony_id: Only for a body of text. Id of the estate to which the credits are assigned.
            body: The file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_CREDIT_BATCH_CNAB444,
            {
                "patrimonyId": patrimony_id,
                "body": body,
            },
            idempotency_key,
        )

    async def credit_batch_list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: t.BatchStatus | None = None,
        patrimony_id: str | None = None,
        from_: dt.date | None = None,
        to: dt.date | None = None,
    ) -> t.CreditBatchPage:
        """List credit batches.

        The client's own credit batches, newest first.

        Args:
            page: Page, from 1; 1 when omitted. A page after the last has no batches.
            limit: Batches per page, 1 to 100; 20 when omitted.
            status: Only batches with this status.
            patrimony_id: Only batches for the estate with this id.
            from_: Created on this day or later, in São Paulo.
            to: Created on this day or earlier, in São Paulo.
        """
        return await self._call(
            ops.CREDIT_BATCH_LIST,
            {
                "page": page,
                "limit": limit,
                "status": status,
                "patrimonyId": patrimony_id,
                "from": from_,
                "to": to,
            },
        )

    def iter_credit_batch_list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: t.BatchStatus | None = None,
        patrimony_id: str | None = None,
        from_: dt.date | None = None,
        to: dt.date | None = None,
    ) -> AsyncIterator[t.CreditBatchItem]:
        """List credit batches: all items, page by page.

        The client's own credit batches, newest first.

        Args:
            page: Page, from 1; 1 when omitted. A page after the last has no batches.
            limit: Items per page; omitted: 100, the most that a page has.
            status: Only batches with this status.
            patrimony_id: Only batches for the estate with this id.
            from_: Created on this day or later, in São Paulo.
            to: Created on this day or earlier, in São Paulo.
        """
        return self._iterate(
            ops.CREDIT_BATCH_LIST,
            {
                "page": page,
                "limit": limit,
                "status": status,
                "patrimonyId": patrimony_id,
                "from": from_,
                "to": to,
            },
        )

    async def credit_batch_detail(
        self,
        id: str,
        *,
        contracts: bool | None = None,
    ) -> t.CreditBatchDetail:
        """Get a credit batch.

        A batch with all its contracts and, if it was rejected, the first 1,000 errors. `contracts=false` omits the
        contracts: 50,000 of them are 10 MB. Two such requests of a client are served at a time, and up to 32 wait:
        more are 429. A response counts as one request for each MiB begun, at most half of the limit.

        Args:
            id: Id of the credit batch.
            contracts: Whether the response has the contracts; `true` when omitted.
        """
        return await self._call(
            ops.CREDIT_BATCH_DETAIL,
            {
                "id": id,
                "contracts": contracts,
            },
        )

    async def credit_batch_check(
        self,
        id: str,
    ) -> t.CreditBatchCheck:
        """Check a credit batch before it is submitted.

        A dry run: the result that processing a batch in DRAFT or SUBMITTED would have now, with the same messages:
        check digits, due dates, the eligibility criteria of the estate, its status, the permit of the client, and
        contracts that are assigned in another batch. Nothing is written. Two such requests of a client are served
        at a time, and up to 32 wait: more are 429. A response counts as one request for each MiB begun, at most
        half of the limit.

        Args:
            id: Id of the credit batch.
        """
        return await self._call(
            ops.CREDIT_BATCH_CHECK,
            {
                "id": id,
            },
        )

    async def add_contracts(
        self,
        id: str,
        *,
        contracts: Sequence[t.ContractInput],
        idempotency_key: str | None = None,
    ) -> t.CreditBatchItem:
        """Add contracts to a credit batch.

        Appends contracts to a batch in DRAFT; a batch can have 50,000 contracts.

        Args:
            id: Id of the credit batch.
            contracts: The contracts, 1 to 50,000.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.ADD_CONTRACTS,
            {
                "id": id,
                "contracts": contracts,
            },
            idempotency_key,
        )

    async def replace_contracts(
        self,
        id: str,
        *,
        contracts: Sequence[t.ContractInput],
        idempotency_key: str | None = None,
    ) -> t.CreditBatchItem:
        """Replace the contracts of a credit batch.

        Replaces all contracts of a batch in DRAFT. The contracts get new ids.

        Args:
            id: Id of the credit batch.
            contracts: The contracts, 1 to 50,000.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.REPLACE_CONTRACTS,
            {
                "id": id,
                "contracts": contracts,
            },
            idempotency_key,
        )

    async def remove_contract(
        self,
        id: str,
        external_id: str,
    ) -> t.CreditBatchItem:
        """Remove a contract of a credit batch.

        Removes one contract of a batch in DRAFT; the following ones move up. A batch has at least one contract.

        Args:
            id: Id of the credit batch.
            external_id: Id of the contract in the originator's system, percent-encoded.
        """
        return await self._call(
            ops.REMOVE_CONTRACT,
            {
                "id": id,
                "externalId": external_id,
            },
        )

    async def submit_credit_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.CreditBatchItem:
        """Submit a credit batch.

        Moves a batch from DRAFT to SUBMITTED. It can be cancelled for some seconds; then it is processed as a
        whole, and becomes PROCESSED or REJECTED.

        Args:
            id: Id of the credit batch.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.SUBMIT_CREDIT_BATCH,
            {
                "id": id,
            },
            idempotency_key,
        )

    async def cancel_credit_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.CreditBatchItem:
        """Cancel a credit batch.

        Cancels a batch in DRAFT or SUBMITTED, permanently.

        Args:
            id: Id of the credit batch.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CANCEL_CREDIT_BATCH,
            {
                "id": id,
            },
            idempotency_key,
        )

    async def receivable_list(
        self,
        id: str,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.ReceivableList:
        """List the receivables of a credit batch.

        The contracts of a batch in the order in which they were sent, page by page, with their open balances.

        Args:
            id: Id of the credit batch.
            limit: Items per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return await self._call(
            ops.RECEIVABLE_LIST,
            {
                "id": id,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_receivable_list(
        self,
        id: str,
        *,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.ReceivableItem]:
        """List the receivables of a credit batch: all items, page by page.

        The contracts of a batch in the order in which they were sent, page by page, with their open balances.

        Args:
            id: Id of the credit batch.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return self._iterate(
            ops.RECEIVABLE_LIST,
            {
                "id": id,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def receivable_lookup(
        self,
        *,
        external_id: str,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.ReceivableList:
        """Find receivables by their external id.

        The client's contracts with an external id, in all batches, newest first.

        Args:
            external_id: Id of the contract in the originator's system.
            limit: Items per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return await self._call(
            ops.RECEIVABLE_LOOKUP,
            {
                "externalId": external_id,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_receivable_lookup(
        self,
        *,
        external_id: str,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.ReceivableItem]:
        """Find receivables by their external id: all items, page by page.

        The client's contracts with an external id, in all batches, newest first.

        Args:
            external_id: Id of the contract in the originator's system.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return self._iterate(
            ops.RECEIVABLE_LOOKUP,
            {
                "externalId": external_id,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def receivable_detail(
        self,
        id: str,
    ) -> t.ReceivableItem:
        """Get a receivable.

        A contract of one of the batches, with its open balance.

        Args:
            id: Id of the receivable.
        """
        return await self._call(
            ops.RECEIVABLE_DETAIL,
            {
                "id": id,
            },
        )

    async def create_settlement_batch(
        self,
        *,
        credit_batch_id: str,
        settlements: Sequence[t.SettlementInput],
        draft: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.SettlementBatchItem:
        """Create a settlement batch.

        Registers payments of debtors for assigned contracts. With `draft: true`, and from a text body, the batch
        stays in DRAFT until it is submitted; otherwise it is SUBMITTED at once, can be cancelled for some seconds,
        and is then processed as a whole: PROCESSED or REJECTED. It is PROCESSED once the balances of the assets are
        updated; the receivables, the payment histories of the assets and the summary are updated too. Send an
        idempotency key.

        Args:
            credit_batch_id: Id of the PROCESSED credit batch that assigned the contracts.
            settlements: The payments, 1 to 50,000. Several payments of one contract are partial payments, applied
                in their order.
            draft: Whether the batch stays a DRAFT until it is submitted; when omitted, it is SUBMITTED immediately.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_SETTLEMENT_BATCH,
            {
                "creditBatchId": credit_batch_id,
                "settlements": settlements,
                "draft": draft,
            },
            idempotency_key,
        )

    async def create_settlement_batch_cnab444(
        self,
        *,
        credit_batch_id: str,
        body: bytes,
        idempotency_key: str | None = None,
    ) -> t.SettlementBatchItem:
        """Create a settlement batch.

        Registers payments of debtors for assigned contracts. With `draft: true`, and from a text body, the batch
        stays in DRAFT until it is submitted; otherwise it is SUBMITTED at once, can be cancelled for some seconds,
        and is then processed as a whole: PROCESSED or REJECTED. It is PROCESSED once the balances of the assets are
        updated; the receivables, the payment histories of the assets and the summary are updated too. Send an
        idempotency key.

        From a CNAB 444 file, which is sent compressed.

        Args:
            credit_batch_id: Only for a body of text. Id of the PROCESSED credit batch that assigned the contracts.
            body: The file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_SETTLEMENT_BATCH_CNAB444,
            {
                "creditBatchId": credit_batch_id,
                "body": body,
            },
            idempotency_key,
        )

    async def settlement_batch_list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: t.BatchStatus | None = None,
        credit_batch_id: str | None = None,
        patrimony_id: str | None = None,
        from_: dt.date | None = None,
        to: dt.date | None = None,
    ) -> t.SettlementBatchPage:
        """List settlement batches.

        The client's own settlement batches, newest first.

        Args:
            page: Page, from 1; 1 when omitted. A page after the last has no batches.
            limit: Batches per page, 1 to 100; 20 when omitted.
            status: Only batches with this status.
            credit_batch_id: Only batches of the credit batch with this id.
            patrimony_id: Only batches of the estate with this id.
            from_: Created on this day or later, in São Paulo.
            to: Created on this day or earlier, in São Paulo.
        """
        return await self._call(
            ops.SETTLEMENT_BATCH_LIST,
            {
                "page": page,
                "limit": limit,
                "status": status,
                "creditBatchId": credit_batch_id,
                "patrimonyId": patrimony_id,
                "from": from_,
                "to": to,
            },
        )

    def iter_settlement_batch_list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: t.BatchStatus | None = None,
        credit_batch_id: str | None = None,
        patrimony_id: str | None = None,
        from_: dt.date | None = None,
        to: dt.date | None = None,
    ) -> AsyncIterator[t.SettlementBatchItem]:
        """List settlement batches: all items, page by page.

        The client's own settlement batches, newest first.

        Args:
            page: Page, from 1; 1 when omitted. A page after the last has no batches.
            limit: Items per page; omitted: 100, the most that a page has.
            status: Only batches with this status.
            credit_batch_id: Only batches of the credit batch with this id.
            patrimony_id: Only batches of the estate with this id.
            from_: Created on this day or later, in São Paulo.
            to: Created on this day or earlier, in São Paulo.
        """
        return self._iterate(
            ops.SETTLEMENT_BATCH_LIST,
            {
                "page": page,
                "limit": limit,
                "status": status,
                "creditBatchId": credit_batch_id,
                "patrimonyId": patrimony_id,
                "from": from_,
                "to": to,
            },
        )

    async def settlement_batch_detail(
        self,
        id: str,
        *,
        settlements: bool | None = None,
    ) -> t.SettlementBatchDetail:
        """Get a settlement batch.

        A batch with all its payments and, if it was rejected, the first 1,000 errors. `settlements=false` omits the
        payments. Two such requests of a client are served at a time, and up to 32 wait: more are 429. A response
        counts as one request for each MiB begun, at most half of the limit.

        Args:
            id: Id of the settlement batch.
            settlements: Whether the response has the payments; `true` when omitted.
        """
        return await self._call(
            ops.SETTLEMENT_BATCH_DETAIL,
            {
                "id": id,
                "settlements": settlements,
            },
        )

    async def submit_settlement_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.SettlementBatchItem:
        """Submit a settlement batch.

        Moves a batch from DRAFT to SUBMITTED. It can be cancelled for some seconds; then it is processed as a
        whole, and becomes PROCESSED or REJECTED.

        Args:
            id: Id of the settlement batch.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.SUBMIT_SETTLEMENT_BATCH,
            {
                "id": id,
            },
            idempotency_key,
        )

    async def cancel_settlement_batch(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> t.SettlementBatchItem:
        """Cancel a settlement batch.

        Cancels a batch in DRAFT or SUBMITTED, permanently.

        Args:
            id: Id of the settlement batch.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CANCEL_SETTLEMENT_BATCH,
            {
                "id": id,
            },
            idempotency_key,
        )

    async def check_assignment_file(
        self,
        *,
        patrimony_id: str,
        format: Literal["CNAB444", "CSV"],
        file: str,
        originator_id: str | None = None,
        error_file: bool | None = None,
        language: Literal["PT_BR", "EN"] | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchFileCheck:
        """Check an assignment file before it is sent.

        Lists everything that is wrong with a file, by line, column, field, value and rule, and says which status
        sending it would have, and whether its batch would be processed as things are now. Writes nothing. What is
        wrong with the file is part of the response, which is 200.

        Args:
            patrimony_id: Id of the estate to which the credits are assigned.
            format: `CNAB444`, or `CSV`: a header, and a line for each record, separated by `;` or by `,` (RFC 4180
                without line breaks in cells).
            file: The file, at most 100,000 characters: a longer one is sent as text. A CSV file has the columns
                `externalId`, `debtorDocument`, `faceValue` and `dueDate`; others are ignored. Amounts have a
        decimal point
                or comma (1500.50, 1500,50 or 1.500,50), days are YYYY-MM-DD or DD/MM/YYYY.
            originator_id: Id of the client. A client can omit it, and so can the account of only one client; any
                other client is 404.
            error_file: Whether the response has the file with a column for the errors of each line.
            language: Language of the errors in that file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CHECK_ASSIGNMENT_FILE,
            {
                "patrimonyId": patrimony_id,
                "format": format,
                "file": file,
                "originatorId": originator_id,
                "errorFile": error_file,
                "language": language,
            },
            idempotency_key,
        )

    async def check_assignment_file_file(
        self,
        *,
        patrimony_id: str,
        format: Literal["CNAB444", "CSV"],
        body: bytes,
        originator_id: str | None = None,
        error_file: bool | None = None,
        language: Literal["PT_BR", "EN"] | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchFileCheck:
        """Check an assignment file before it is sent.

        Lists everything that is wrong with a file, by line, column, field, value and rule, and says which status
        sending it would have, and whether its batch would be processed as things are now. Writes nothing. What is
        wrong with the file is part of the response, which is 200.

        From a file in CNAB 444 or CSV, which is sent compressed.

        Args:
            patrimony_id: Only for a body of text. Id of the estate to which the credits are assigned.
            format: Only for a body of text. `CNAB444`, or `CSV`: a header, and a line for each record, separated by
                `;` or by `,` (RFC 4180 without line breaks in cells).
            body: The file.
            originator_id: Only for a body of text. Id of the client. A client can omit it, and so can the account
                of only one client; any other client is 404.
            error_file: Only for a body of text. Whether the response has the file with a column for the errors of
                each line.
            language: Only for a body of text. Language of the errors in that file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CHECK_ASSIGNMENT_FILE_FILE,
            {
                "patrimonyId": patrimony_id,
                "format": format,
                "body": body,
                "originatorId": originator_id,
                "errorFile": error_file,
                "language": language,
            },
            idempotency_key,
        )

    async def check_settlement_file(
        self,
        *,
        credit_batch_id: str,
        format: Literal["CNAB444", "CSV"],
        file: str,
        originator_id: str | None = None,
        error_file: bool | None = None,
        language: Literal["PT_BR", "EN"] | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchFileCheck:
        """Check a settlement file before it is sent.

        Lists everything that is wrong with a file, by line, column, field, value and rule, and says which status
        sending it would have, and whether its batch would be processed as things are now. Writes nothing. What is
        wrong with the file is part of the response, which is 200.

        Args:
            credit_batch_id: Id of the PROCESSED credit batch that assigned the contracts.
            format: `CNAB444`, or `CSV`: a header, and a line for each record, separated by `;` or by `,` (RFC 4180
                without line breaks in cells).
            file: The file, at most 100,000 characters: a longer one is sent as text. A CSV file has the columns
                `externalId`, `settledAmount`, `settledDate`, and optionally `paymentReference`; others are ignored.
        Amounts
                have a decimal point or comma (1500.50, 1500,50 or 1.500,50), days are YYYY-MM-DD or DD/MM/YYYY.
            originator_id: Id of the client. A client can omit it, and so can the account of only one client; any
                other client is 404.
            error_file: Whether the response has the file with a column for the errors of each line.
            language: Language of the errors in that file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CHECK_SETTLEMENT_FILE,
            {
                "creditBatchId": credit_batch_id,
                "format": format,
                "file": file,
                "originatorId": originator_id,
                "errorFile": error_file,
                "language": language,
            },
            idempotency_key,
        )

    async def check_settlement_file_file(
        self,
        *,
        credit_batch_id: str,
        format: Literal["CNAB444", "CSV"],
        body: bytes,
        originator_id: str | None = None,
        error_file: bool | None = None,
        language: Literal["PT_BR", "EN"] | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchFileCheck:
        """Check a settlement file before it is sent.

        Lists everything that is wrong with a file, by line, column, field, value and rule, and says which status
        sending it would have, and whether its batch would be processed as things are now. Writes nothing. What is
        wrong with the file is part of the response, which is 200.

        From a file in CNAB 444 or CSV, which is sent compressed.

        Args:
            credit_batch_id: Only for a body of text. Id of the PROCESSED credit batch that assigned the contracts.
            format: Only for a body of text. `CNAB444`, or `CSV`: a header, and a line for each record, separated by
                `;` or by `,` (RFC 4180 without line breaks in cells).
            body: The file.
            originator_id: Only for a body of text. Id of the client. A client can omit it, and so can the account
                of only one client; any other client is 404.
            error_file: Only for a body of text. Whether the response has the file with a column for the errors of
                each line.
            language: Only for a body of text. Language of the errors in that file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CHECK_SETTLEMENT_FILE_FILE,
            {
                "creditBatchId": credit_batch_id,
                "format": format,
                "body": body,
                "originatorId": originator_id,
                "errorFile": error_file,
                "language": language,
            },
            idempotency_key,
        )

    async def check_assignment_file_as_person(
        self,
        *,
        patrimony_id: str,
        format: Literal["CNAB444", "CSV"],
        file: str,
        originator_id: str | None = None,
        error_file: bool | None = None,
        language: Literal["PT_BR", "EN"] | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchFileCheck:
        """Check an assignment file before it is sent.

        Lists everything that is wrong with a file, by line, column, field, value and rule, and says which status
        sending it would have, and whether its batch would be processed as things are now. Writes nothing. What is
        wrong with the file is part of the response, which is 200.

        Args:
            patrimony_id: Id of the estate to which the credits are assigned.
            format: `CNAB444`, or `CSV`: a header, and a line for each record, separated by `;` or by `,` (RFC 4180
                without line breaks in cells).
            file: The file, at most 100,000 characters: a longer one is sent as text. A CSV file has the columns
                `externalId`, `debtorDocument`, `faceValue` and `dueDate`; others are ignored. Amounts have a
        decimal point
                or comma (1500.50, 1500,50 or 1.500,50), days are YYYY-MM-DD or DD/MM/YYYY.
            originator_id: Id of the client. A client can omit it, and so can the account of only one client; any
                other client is 404.
            error_file: Whether the response has the file with a column for the errors of each line.
            language: Language of the errors in that file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CHECK_ASSIGNMENT_FILE_AS_PERSON,
            {
                "patrimonyId": patrimony_id,
                "format": format,
                "file": file,
                "originatorId": originator_id,
                "errorFile": error_file,
                "language": language,
            },
            idempotency_key,
        )

    async def check_assignment_file_as_person_file(
        self,
        *,
        patrimony_id: str,
        format: Literal["CNAB444", "CSV"],
        body: bytes,
        originator_id: str | None = None,
        error_file: bool | None = None,
        language: Literal["PT_BR", "EN"] | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchFileCheck:
        """Check an assignment file before it is sent.

        Lists everything that is wrong with a file, by line, column, field, value and rule, and says which status
        sending it would have, and whether its batch would be processed as things are now. Writes nothing. What is
        wrong with the file is part of the response, which is 200.

        From a file in CNAB 444 or CSV, which is sent compressed.

        Args:
            patrimony_id: Only for a body of text. Id of the estate to which the credits are assigned.
            format: Only for a body of text. `CNAB444`, or `CSV`: a header, and a line for each record, separated by
                `;` or by `,` (RFC 4180 without line breaks in cells).
            body: The file.
            originator_id: Only for a body of text. Id of the client. A client can omit it, and so can the account
                of only one client; any other client is 404.
            error_file: Only for a body of text. Whether the response has the file with a column for the errors of
                each line.
            language: Only for a body of text. Language of the errors in that file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CHECK_ASSIGNMENT_FILE_AS_PERSON_FILE,
            {
                "patrimonyId": patrimony_id,
                "format": format,
                "body": body,
                "originatorId": originator_id,
                "errorFile": error_file,
                "language": language,
            },
            idempotency_key,
        )

    async def check_settlement_file_as_person(
        self,
        *,
        credit_batch_id: str,
        format: Literal["CNAB444", "CSV"],
        file: str,
        originator_id: str | None = None,
        error_file: bool | None = None,
        language: Literal["PT_BR", "EN"] | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchFileCheck:
        """Check a settlement file before it is sent.

        Lists everything that is wrong with a file, by line, column, field, value and rule, and says which status
        sending it would have, and whether its batch would be processed as things are now. Writes nothing. What is
        wrong with the file is part of the response, which is 200.

        Args:
            credit_batch_id: Id of the PROCESSED credit batch that assigned the contracts.
            format: `CNAB444`, or `CSV`: a header, and a line for each record, separated by `;` or by `,` (RFC 4180
                without line breaks in cells).
            file: The file, at most 100,000 characters: a longer one is sent as text. A CSV file has the columns
                `externalId`, `settledAmount`, `settledDate`, and optionally `paymentReference`; others are ignored.
        Amounts
                have a decimal point or comma (1500.50, 1500,50 or 1.500,50), days are YYYY-MM-DD or DD/MM/YYYY.
            originator_id: Id of the client. A client can omit it, and so can the account of only one client; any
                other client is 404.
            error_file: Whether the response has the file with a column for the errors of each line.
            language: Language of the errors in that file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CHECK_SETTLEMENT_FILE_AS_PERSON,
            {
                "creditBatchId": credit_batch_id,
                "format": format,
                "file": file,
                "originatorId": originator_id,
                "errorFile": error_file,
                "language": language,
            },
            idempotency_key,
        )

    async def check_settlement_file_as_person_file(
        self,
        *,
        credit_batch_id: str,
        format: Literal["CNAB444", "CSV"],
        body: bytes,
        originator_id: str | None = None,
        error_file: bool | None = None,
        language: Literal["PT_BR", "EN"] | None = None,
        idempotency_key: str | None = None,
    ) -> t.BatchFileCheck:
        """Check a settlement file before it is sent.

        Lists everything that is wrong with a file, by line, column, field, value and rule, and says which status
        sending it would have, and whether its batch would be processed as things are now. Writes nothing. What is
        wrong with the file is part of the response, which is 200.

        From a file in CNAB 444 or CSV, which is sent compressed.

        Args:
            credit_batch_id: Only for a body of text. Id of the PROCESSED credit batch that assigned the contracts.
            format: Only for a body of text. `CNAB444`, or `CSV`: a header, and a line for each record, separated by
                `;` or by `,` (RFC 4180 without line breaks in cells).
            body: The file.
            originator_id: Only for a body of text. Id of the client. A client can omit it, and so can the account
                of only one client; any other client is 404.
            error_file: Only for a body of text. Whether the response has the file with a column for the errors of
                each line.
            language: Only for a body of text. Language of the errors in that file.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CHECK_SETTLEMENT_FILE_AS_PERSON_FILE,
            {
                "creditBatchId": credit_batch_id,
                "format": format,
                "body": body,
                "originatorId": originator_id,
                "errorFile": error_file,
                "language": language,
            },
            idempotency_key,
        )

    async def trading_login(
        self,
        *,
        api_key: str,
        secret_key: str,
        idempotency_key: str | None = None,
    ) -> t.TradingTokens:
        """Log in a company.

        Logs in with the pair of a credential, as issued at onboarding. The access token is valid for 1 hour, the
        refresh token for 7 days and one use. A credential has at most 100 logins: one more ends the login that was
        not refreshed for the longest time.

        Args:
            api_key: The public key of the credential, `svc_trd_…`.
            secret_key: The secret of the credential, `svc_trd_secret_…`.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.TRADING_LOGIN,
            {
                "apiKey": api_key,
                "secretKey": secret_key,
            },
            idempotency_key,
        )

    async def refresh_trading_tokens(
        self,
        *,
        refresh_token: str,
        idempotency_key: str | None = None,
    ) -> t.TradingTokens:
        """Refresh the tokens.

        Exchanges a refresh token for new tokens, without another login. A refresh token can be used once: a second
        use ends the login: within 1 second none of its access tokens is valid, and its sockets close within ten
        seconds. Within ten seconds of the first use, the same client (`User-Agent`) at the same address gets the
        same tokens again, and the login continues; with `X-Idempotency-Key` the same request does so for 24 hours.

        Args:
            refresh_token: The refresh token of the last login or refresh, a JWT.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.REFRESH_TRADING_TOKENS,
            {
                "refreshToken": refresh_token,
            },
            idempotency_key,
        )

    async def create_profile(
        self,
        *,
        name: str,
        document: str,
        document_type: Literal["CPF", "CNPJ"],
        email: str,
        synthetic: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.Profile:
        """Open a profile.

        Opens a profile for a client of the company, with a real and a synthetic wallet. A company has at most one
        profile for a person; other companies may have profiles for the same person.

        Args:
            name: Name of the client, 1 to 200 characters.
            document: CPF (11 digits) or CNPJ (14 digits, or digits and capital letters), without punctuation.
            document_type: The type of the document, CPF or CNPJ.
            email: E-mail address of the client, at most 254 ASCII characters.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_PROFILE,
            {
                "name": name,
                "document": document,
                "documentType": document_type,
                "email": email,
                "X-Synthetic": synthetic,
            },
            idempotency_key,
        )

    async def fetch_profiles(
        self,
        *,
        synthetic: bool | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.ProfileList:
        """List profiles.

        The profiles of the company, oldest first. They are the same for real and synthetic calls, except for
        `walletId`.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            limit: Items per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return await self._call(
            ops.FETCH_PROFILES,
            {
                "X-Synthetic": synthetic,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_fetch_profiles(
        self,
        *,
        synthetic: bool | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.Profile]:
        """List profiles: all items, page by page.

        The profiles of the company, oldest first. They are the same for real and synthetic calls, except for
        `walletId`.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return self._iterate(
            ops.FETCH_PROFILES,
            {
                "X-Synthetic": synthetic,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def fetch_profiles_unversioned(
        self,
        *,
        synthetic: bool | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.ProfileList:
        """List profiles.

        The profiles of the company, oldest first. They are the same for real and synthetic calls, except for
        `walletId`.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            limit: Items per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return await self._call(
            ops.FETCH_PROFILES_UNVERSIONED,
            {
                "X-Synthetic": synthetic,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_fetch_profiles_unversioned(
        self,
        *,
        synthetic: bool | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.Profile]:
        """List profiles: all items, page by page.

        The profiles of the company, oldest first. They are the same for real and synthetic calls, except for
        `walletId`.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page. Omitted: the first page.
        """
        return self._iterate(
            ops.FETCH_PROFILES_UNVERSIONED,
            {
                "X-Synthetic": synthetic,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def fetch_deposits(
        self,
        *,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.DepositList:
        """List deposits.

        The deposits of the wallet, newest first. Only a `CONFIRMED` deposit is credited.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            limit: Items per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page, of the same wallet. Omitted: the first page.
        """
        return await self._call(
            ops.FETCH_DEPOSITS,
            {
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_fetch_deposits(
        self,
        *,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.DepositItem]:
        """List deposits: all items, page by page.

        The deposits of the wallet, newest first. Only a `CONFIRMED` deposit is credited.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page, of the same wallet. Omitted: the first page.
        """
        return self._iterate(
            ops.FETCH_DEPOSITS,
            {
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def fetch_withdrawals(
        self,
        *,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.WithdrawalList:
        """List withdrawals.

        The withdrawals of the wallet, newest first.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            limit: Items per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page, of the same wallet. Omitted: the first page.
        """
        return await self._call(
            ops.FETCH_WITHDRAWALS,
            {
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_fetch_withdrawals(
        self,
        *,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.WithdrawalItem]:
        """List withdrawals: all items, page by page.

        The withdrawals of the wallet, newest first.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page, of the same wallet. Omitted: the first page.
        """
        return self._iterate(
            ops.FETCH_WITHDRAWALS,
            {
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def fetch_deposit_address(
        self,
        *,
        currency: str,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        network: str | None = None,
    ) -> t.DepositAddresses:
        """Get deposit addresses.

        The addresses for deposits of a currency into the wallet: one for each network, the default network first.
        They never change. BRL is deposited to a PIX key, or by TED to a bank account (bank/branch/account). A
        deposit is credited after its confirmations, and the event `deposit.confirmed` is sent; if its network
        reverses it later, `deposit.reversed` is.

        Args:
            currency: The code of a currency that can be deposited and withdrawn: BRL, BTC, ETH or USDT. Other
                currencies that fetchBalance lists can only be traded and held.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            network: One network of the currency: pix, ted, bitcoin, ethereum or polygon. Omitted: all networks.
        """
        return await self._call(
            ops.FETCH_DEPOSIT_ADDRESS,
            {
                "currency": currency,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "network": network,
            },
        )

    async def withdraw(
        self,
        *,
        asset: str,
        amount: Decimal,
        address: str,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        network: str | None = None,
        beneficiary_name: str | None = None,
        beneficiary_tax_id: str | None = None,
        self_custody: bool | None = None,
        idempotency_key: str | None = None,
    ) -> t.WithdrawalItem:
        """Withdraw funds.

        Holds amount and fee, and sends the amount, after approval if one is needed; the event
        `withdrawal.completed` is sent when the amount has arrived. If the withdrawal fails, amount and fee become
        available again. Send an idempotency key.

        Args:
            asset: The code of a currency that can be deposited and withdrawn: BRL, BTC, ETH or USDT. Other
                currencies that fetchBalance lists can only be traded and held.
            amount: Amount that the recipient gets, as a decimal string with at most the decimals of the currency.
                The fee is added.
            address: Destination: an address with a correct checksum; for pix a CPF, CNPJ, e-mail, phone with its
                country (+5511912345678) or random key; for ted bank/branch/account.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            network: The network. Omitted: pix for BRL (also ted), bitcoin for BTC, ethereum for ETH, ethereum for
                USDT (also polygon).
            beneficiary_name: Name of the recipient. Where the operator applies the travel rule, required with the
                two fields below for a withdrawal to a chain above a configured amount in BRL, and while no price is
        known,
                unless the address is on the company’s list.
            beneficiary_tax_id: CPF or CNPJ of the recipient, without punctuation.
            self_custody: Whether the recipient holds the keys of the address.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.WITHDRAW,
            {
                "asset": asset,
                "amount": amount,
                "address": address,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "network": network,
                "beneficiaryName": beneficiary_name,
                "beneficiaryTaxId": beneficiary_tax_id,
                "selfCustody": self_custody,
            },
            idempotency_key,
        )

    async def fetch_balance(
        self,
        *,
        synthetic: bool | None = None,
        profile_id: str | None = None,
    ) -> t.WalletBalances:
        """Get the balances of a wallet.

        The balances of the wallet in all currencies, by code, with the decimals of the currency. `locked` is the
        amount held for open orders and withdrawals.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
        """
        return await self._call(
            ops.FETCH_BALANCE,
            {
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
            },
        )

    async def fetch_statement(
        self,
        *,
        currency: str,
        from_: dt.datetime,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        to: dt.datetime | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.WalletStatement:
        """Get the statement of a wallet.

        The movements of the wallet in one currency in a period: the opening balance, every movement with its cause,
        oldest first, and the closing balance. A period without `to` ends at the moment of the first page, for all
        pages. `Accept: text/csv` returns the complete period as a file; a company can receive two files at once.
        Every 100 movements count as a request; when half of the limit of a window is used, by files or by other
        requests, the file continues in the next window. A file that is not received within 10 minutes is aborted.

        Args:
            currency: The code of a currency that fetchBalance lists, such as `BTC`.
            from_: Beginning of the period, inclusive: an instant (RFC 3339).
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            to: End of the period, exclusive: an instant (RFC 3339). Omitted: now.
            limit: Movements per page, 1 to 100; 20 when omitted.
            next_token: `nextToken` of the previous page, with the same currency and period. Omitted: the first
                page.
        """
        return await self._call(
            ops.FETCH_STATEMENT,
            {
                "currency": currency,
                "from": from_,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "to": to,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_fetch_statement(
        self,
        *,
        currency: str,
        from_: dt.datetime,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        to: dt.datetime | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.WalletMovement]:
        """Get the statement of a wallet: all items, page by page.

        The movements of the wallet in one currency in a period: the opening balance, every movement with its cause,
        oldest first, and the closing balance. A period without `to` ends at the moment of the first page, for all
        pages. `Accept: text/csv` returns the complete period as a file; a company can receive two files at once.
        Every 100 movements count as a request; when half of the limit of a window is used, by files or by other
        requests, the file continues in the next window. A file that is not received within 10 minutes is aborted.

        Args:
            currency: The code of a currency that fetchBalance lists, such as `BTC`.
            from_: Beginning of the period, inclusive: an instant (RFC 3339).
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            to: End of the period, exclusive: an instant (RFC 3339). Omitted: now.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page, with the same currency and period. Omitted: the first
                page.
        """
        return self._iterate(
            ops.FETCH_STATEMENT,
            {
                "currency": currency,
                "from": from_,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "to": to,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    @overload
    async def statement(
        self,
        *,
        currency: str,
        from_: dt.datetime,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        to: dt.datetime | None = None,
        frame: Literal["pandas"] = "pandas",
    ) -> pandas.DataFrame: ...

    @overload
    async def statement(
        self,
        *,
        currency: str,
        from_: dt.datetime,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        to: dt.datetime | None = None,
        frame: Literal["polars"],
    ) -> polars.DataFrame: ...

    async def statement(
        self,
        *,
        currency: str,
        from_: dt.datetime,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        to: dt.datetime | None = None,
        frame: FrameKind = "pandas",
    ) -> Any:
        """Get the statement of a wallet: all items as a frame.

        The movements of the wallet in one currency in a period: the opening balance, every movement with its cause,
        oldest first, and the closing balance. A period without `to` ends at the moment of the first page, for all
        pages. `Accept: text/csv` returns the complete period as a file; a company can receive two files at once.
        Every 100 movements count as a request; when half of the limit of a window is used, by files or by other
        requests, the file continues in the next window. A file that is not received within 10 minutes is aborted.

        Decimals stay `Decimal` and days stay days. Raises ImportError where the package of the frame is not
        installed.

        Args:
            currency: The code of a currency that fetchBalance lists, such as `BTC`.
            from_: Beginning of the period, inclusive: an instant (RFC 3339).
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            to: End of the period, exclusive: an instant (RFC 3339). Omitted: now.
            frame: The kind of the frame: `pandas` or `polars`.
        """
        return await self._frame(
            ops.FETCH_STATEMENT,
            {
                "currency": currency,
                "from": from_,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "to": to,
            },
            frame,
        )

    async def fetch_statement_csv(
        self,
        *,
        currency: str,
        from_: dt.datetime,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        to: dt.datetime | None = None,
        separator: Literal[";", ","] | None = None,
    ) -> str:
        """Get the statement of a wallet.

        The movements of the wallet in one currency in a period: the opening balance, every movement with its cause,
        oldest first, and the closing balance. A period without `to` ends at the moment of the first page, for all
        pages. `Accept: text/csv` returns the complete period as a file; a company can receive two files at once.
        Every 100 movements count as a request; when half of the limit of a window is used, by files or by other
        requests, the file continues in the next window. A file that is not received within 10 minutes is aborted.

        As CSV: the whole list.

        Args:
            currency: The code of a currency that fetchBalance lists, such as `BTC`.
            from_: Beginning of the period, inclusive: an instant (RFC 3339).
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            to: End of the period, exclusive: an instant (RFC 3339). Omitted: now.
            separator: The separator of the cells of CSV; `;` when omitted. Same as `separador`.
        """
        return await self._call(
            ops.FETCH_STATEMENT_CSV,
            {
                "currency": currency,
                "from": from_,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "to": to,
                "separator": separator,
            },
        )

    async def fetch_markets(
        self,
        *,
        synthetic: bool | None = None,
    ) -> t.MarketList:
        """List markets.

        The pairs that can be traded, by symbol. An order has at least `minOrderSize` of the base currency, and at
        most `priceDecimals` and `amountDecimals` decimals: orders with more are rejected. `makerFeePercent` and
        `takerFeePercent` are the fees of the calling company. A `HALTED` market accepts no new orders.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
        """
        return await self._call(
            ops.FETCH_MARKETS,
            {
                "X-Synthetic": synthetic,
            },
        )

    async def fetch_ticker(
        self,
        *,
        symbol: str,
        synthetic: bool | None = None,
    ) -> t.Ticker:
        """Get a ticker.

        The best prices and the last trade of a market, over all exchanges in use, with the volume and the change of
        the last 24 hours.

        Args:
            symbol: The market, such as `BTC/BRL`.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
        """
        return await self._call(
            ops.FETCH_TICKER,
            {
                "symbol": symbol,
                "X-Synthetic": synthetic,
            },
        )

    async def fetch_historical_prices(
        self,
        *,
        symbol: str,
        synthetic: bool | None = None,
        interval: str | None = None,
        limit: int | None = None,
    ) -> t.HistoricalPrices:
        """List candles.

        The last candles of a market, oldest first; the last one is incomplete. Intervals are in UTC, weeks begin on
        Mondays. An interval without trades has the mid prices and a volume of 0.

        Args:
            symbol: The market, such as `BTC/BRL`.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            interval: Length of a candle: `1h`, `4h`, `1d` or `1w`; `1d` when omitted.
            limit: Number of candles, 1 to 1000; 30 when omitted.
        """
        return await self._call(
            ops.FETCH_HISTORICAL_PRICES,
            {
                "symbol": symbol,
                "X-Synthetic": synthetic,
                "interval": interval,
                "limit": limit,
            },
        )

    async def pools_balances(
        self,
        *,
        synthetic: bool | None = None,
    ) -> t.PoolList:
        """Get the pools at exchanges.

        Balances of the operator of this service at the connected exchanges, by name. An exchange that does not
        respond within 2 seconds is `UNAVAILABLE`, with its last known balances; the request does not fail.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
        """
        return await self._call(
            ops.POOLS_BALANCES,
            {
                "X-Synthetic": synthetic,
            },
        )

    async def pools_balances_unversioned(
        self,
        *,
        synthetic: bool | None = None,
    ) -> t.PoolList:
        """Get the pools at exchanges.

        Balances of the operator of this service at the connected exchanges, by name. An exchange that does not
        respond within 2 seconds is `UNAVAILABLE`, with its last known balances; the request does not fail.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
        """
        return await self._call(
            ops.POOLS_BALANCES_UNVERSIONED,
            {
                "X-Synthetic": synthetic,
            },
        )

    async def create_order(
        self,
        *,
        symbol: str,
        side: Literal["BUY", "SELL"],
        type: Literal["MARKET", "LIMIT"],
        synthetic: bool | None = None,
        profile_id: str | None = None,
        amount: Decimal | None = None,
        quote_amount: Decimal | None = None,
        price: Decimal | None = None,
        client_order_id: str | None = None,
        time_in_force: Literal["GTC", "IOC", "FOK", "GTD"] | None = None,
        post_only: bool | None = None,
        expires_at: dt.datetime | None = None,
        idempotency_key: str | None = None,
    ) -> t.Order:
        """Place an order.

        Places an order, and returns it once the exchanges have responded: a `MARKET` order is usually `FILLED` by
        then. The size is `amount` or, for a `BUY`, `quoteAmount`: exactly one of them.

        A `MARKET` order trades within the collar of its market (`collarPercent`, see fetchMarkets); the part that
        is not filled within the collar is cancelled. What an `IOC` order has left because books have moved on its
        way is sent again, at most twice, at prices up to 0.5 % beyond the books of its creation. Values with more
        decimals than the market has are rejected, never rounded. The funds, including the fee, are held before any
        order is sent.

        An order whose outcome at an exchange is unknown stays `PENDING` with its funds held until the exchange
        reports it, or an operator settles it; it is never sent again. Send `X-Idempotency-Key` or a
        `clientOrderId`, so that a repeated request cannot place a second order.

        Args:
            symbol: The market, such as `BTC/BRL`.
            side: Side of the order: `BUY` or `SELL` of the base currency.
            type: `MARKET`: executed immediately. `LIMIT`: executed at `price` or better.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            amount: Amount in the base currency, above 0; fees come on top. Either this or `quoteAmount`.
            quote_amount: For a `BUY`: the most that the wallet spends in all, in the quote currency, the fee within
                it. Either this or `amount`.
            price: Limit price, in the quote currency. Required for `LIMIT`, not allowed for `MARKET`.
            client_order_id: Your own id of the order, 1 to 64 letters, digits, `-` and `_`. Unique in the wallet.
            time_in_force: `GTC`: open until it is filled or cancelled; the default for `LIMIT`. `IOC`: the part
                that is not filled immediately is cancelled; the default for `MARKET`. `FOK`: filled completely and
                immediately, or not at all. `GTD`: open until `expiresAt`.
            post_only: `true`: the order is rejected if it would be filled immediately. Only for orders that stay
                open (`GTC`, `GTD`).
            expires_at: Expiry of a `GTD` order, within 366 days: an instant (RFC 3339).
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_ORDER,
            {
                "symbol": symbol,
                "side": side,
                "type": type,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "amount": amount,
                "quoteAmount": quote_amount,
                "price": price,
                "clientOrderId": client_order_id,
                "timeInForce": time_in_force,
                "postOnly": post_only,
                "expiresAt": expires_at,
            },
            idempotency_key,
        )

    async def fetch_order(
        self,
        *,
        order_id: str,
        synthetic: bool | None = None,
        profile_id: str | None = None,
    ) -> t.Order:
        """Get an order.

        An order of the wallet in its current state.

        Args:
            order_id: Id of the order.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
        """
        return await self._call(
            ops.FETCH_ORDER,
            {
                "orderId": order_id,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
            },
        )

    async def fetch_orders(
        self,
        *,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        symbol: str | None = None,
        status: t.OrderStatusFilter | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> t.OrderList:
        """List orders.

        The orders of the wallet, newest first. No order is skipped or repeated when others are placed meanwhile.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            symbol: Only orders of this market, as `BTC/BRL`.
            status: Only orders with this status; `OPEN` means `PENDING` or `PARTIALLY_FILLED`.
            limit: Orders per page, 1 to 100; 50 when omitted.
            next_token: `nextToken` of the previous page, with the same filter. Omitted: the first page.
        """
        return await self._call(
            ops.FETCH_ORDERS,
            {
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "symbol": symbol,
                "status": status,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    def iter_fetch_orders(
        self,
        *,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        symbol: str | None = None,
        status: t.OrderStatusFilter | None = None,
        limit: int | None = None,
        next_token: str | None = None,
    ) -> AsyncIterator[t.Order]:
        """List orders: all items, page by page.

        The orders of the wallet, newest first. No order is skipped or repeated when others are placed meanwhile.

        Args:
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            symbol: Only orders of this market, as `BTC/BRL`.
            status: Only orders with this status; `OPEN` means `PENDING` or `PARTIALLY_FILLED`.
            limit: Items per page; omitted: 100, the most that a page has.
            next_token: `nextToken` of the previous page, with the same filter. Omitted: the first page.
        """
        return self._iterate(
            ops.FETCH_ORDERS,
            {
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "symbol": symbol,
                "status": status,
                "limit": limit,
                "nextToken": next_token,
            },
        )

    async def cancel_order(
        self,
        *,
        order_id: str,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Order:
        """Cancel an order.

        Cancels an open order, and returns it; the part that was filled before remains. While an exchange does not
        respond the order stays open, and is cancelled as soon as its outcome is known. A suspended profile can
        cancel orders.

        Args:
            order_id: Id of the order.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CANCEL_ORDER,
            {
                "orderId": order_id,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
            },
            idempotency_key,
        )

    async def create_quote(
        self,
        *,
        symbol: str,
        side: Literal["BUY", "SELL"],
        synthetic: bool | None = None,
        profile_id: str | None = None,
        amount: Decimal | None = None,
        quote_amount: Decimal | None = None,
        idempotency_key: str | None = None,
    ) -> t.Quote:
        """Request a quote.

        Quotes a price that is guaranteed for 30 seconds. The price is computed from the order books of the venues
        for the requested size, with their fees, and a spread whose marginal rate is lower for larger values, so
        that a larger amount never costs less in total, but for the rounding of the price to `priceDecimals`. Send
        exactly one of `amount` and `quoteAmount`. A quote holds no funds; a wallet can have 20 open quotes.

        Args:
            symbol: The market, such as `BTC/BRL`.
            side: Side: BUY or SELL of the base currency.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            amount: Amount in the base currency, with at most `amountDecimals` decimals; fees come on top. Either
                this or `quoteAmount`.
            quote_amount: What a BUY pays at most and a SELL gets at least in all, in the quote currency, the fee
                taken into account: a BUY gets the largest amount that does not cost more, a SELL the smallest
        amount that
                yields as much. Either this or `amount`.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_QUOTE,
            {
                "symbol": symbol,
                "side": side,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
                "amount": amount,
                "quoteAmount": quote_amount,
            },
            idempotency_key,
        )

    async def fetch_quote(
        self,
        *,
        quote_id: str,
        synthetic: bool | None = None,
        profile_id: str | None = None,
    ) -> t.Quote:
        """Get a quote.

        A quote of the wallet, with the order that executed it. An expired quote is kept for a day.

        Args:
            quote_id: Id of the quote.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
        """
        return await self._call(
            ops.FETCH_QUOTE,
            {
                "quoteId": quote_id,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
            },
        )

    async def create_order_from_quote(
        self,
        *,
        quote_id: str,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Order:
        """Execute a quote.

        Turns a quote into an order that is filled completely at the quoted price, even if the market has moved
        since. A quote is valid for one order, until `expiresAt` by the clock of the server. If the response is
        lost, send the same request with the same `X-Idempotency-Key` again, or get the quote: it names its order.

        Args:
            quote_id: Id of the quote.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.CREATE_ORDER_FROM_QUOTE,
            {
                "quoteId": quote_id,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
            },
            idempotency_key,
        )

    async def execute_quote(
        self,
        *,
        quote_id: str,
        synthetic: bool | None = None,
        profile_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> t.Order:
        """Execute a quote.

        The same as `POST /v1/orders/rfq/createOrder`. Turns a quote into an order that is filled completely at the
        quoted price, even if the market has moved since. A quote is valid for one order, until `expiresAt` by the
        clock of the server. If the response is lost, send the same request with the same `X-Idempotency-Key` again,
        or get the quote: it names its order.

        Args:
            quote_id: Id of the quote.
            synthetic: `true`: the call is simulated, with synthetic funds, which are separate from real ones.
                `false` or omitted: real. In the sandbox it must be `true`, otherwise 400.
            profile_id: Id of the profile whose wallet the call uses. Omitted: the company's own wallet.
            idempotency_key: Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for
                this call.
        """
        return await self._call(
            ops.EXECUTE_QUOTE,
            {
                "quoteId": quote_id,
                "X-Synthetic": synthetic,
                "X-Profile-Id": profile_id,
            },
            idempotency_key,
        )

    async def mcp(
        self,
        *,
        body: Any,
        structured: bool | None = None,
    ) -> t.McpReply | None:
        """Send messages of the Model Context Protocol.

        Streamable HTTP without sessions: each POST carries JSON-RPC messages and returns one JSON document, never a
        stream. The tools and their arguments are listed in the catalogue, `GET /v1/emissoes/mcp/tools`; all tools
        are read-only. An API key gives access to the tools for published data and markets; the access token of a
        trading credential whose only scope is `read` gives access to the tools for markets, profiles, balances,
        statements and orders. An error of a tool is a result with `isError: true` and the next step. Each request
        in a body counts against the rate limit of the key or the company. Results are text; with `structured=true`
        they are structured content as well.

        Args:
            body: The body, as JSON.
            structured: true: `tools/list` has the schemas of results, and results are structured content beside the
                same as text.
        """
        return await self._call(
            ops.MCP,
            {
                "body": body,
                "structured": structured,
            },
        )

    async def mcp_tools(self) -> Any:
        """List the tools.

        The catalogue of the tools. It needs no credential, and counts against the public limit of the source
        address.
        """
        return await self._call(ops.MCP_TOOLS, {})
