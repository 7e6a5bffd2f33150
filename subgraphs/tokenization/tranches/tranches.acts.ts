import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { ApiError, refuse } from '../../../shared/kernel/errors.js';
import { filterTickers } from '../../securities/tickers.js';
import { dayRangeErrors, decimalRangeErrors, distinctValues } from '../../../shared/graphql/filter-values.js';
import { requireVisible } from '../../../shared/kernel/identifying-text.js';
import { openPage, scopeOf, type ListPage, type PageInput } from '../../../shared/graphql/list-page.js';
import { sortedPosition } from '../../../shared/graphql/sorted-list.js';
import { listTranches } from './tranche-list.store.js';
import type { TrancheQuery } from './tranche-list.js';
import type { TrancheFilter, TrancheSort } from './tranche.type.js';
import { graphIndexers, indexerNames, type TrancheStatus, whyNotMove } from './tranche.js';
import { type TrancheRow, countInstalments, lockTranche, setTrancheStatus } from './tranche.store.js';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import type { ScheduleEntryRow } from '../schedule/schedule.store.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { endPrices } from '../price-runs/end-prices.js';
import { announceBooks } from '../series/book.js';
import { trancheEvent } from './tranche-event.js';

export interface TranchePage extends ListPage<TrancheRow> {
  readonly query: TrancheQuery;
  readonly patrimonyTicker: string | null;
}

/** New series cause no gaps or repetitions. @throws {ApiError} BAD_REQUEST for an argument out of bounds or an invalid cursor */
export async function pageTranches(
  context: Context,
  codec: CursorCodec,
  request: PageInput,
  filter: TrancheFilter,
  sort?: TrancheSort | null,
): Promise<TranchePage> {
  const { patrimonyTicker: estate } = filter;
  const patrimonyTicker = estate == null ? null : requireVisible('filter.patrimonyTicker', estate);
  const query = queryOf(filter, patrimonyTicker, sort);
  const page = openPage(codec, request, { scope: scopeOf(query) });
  return { query, patrimonyTicker, ...page.take(await listTranches(context, query, page), sortedPosition) };
}

function queryOf(
  given: TrancheFilter,
  patrimonyTicker: string | null,
  sort: TrancheSort | null | undefined,
): TrancheQuery {
  const { seriesTicker, maturityFrom = null, maturityTo = null, volumeFrom = null, volumeTo = null } = given;
  refuse('BAD_REQUEST', [
    ...dayRangeErrors('filter.', { maturityFrom, maturityTo }),
    ...decimalRangeErrors('filter.', { volumeFrom, volumeTo }),
  ]);
  return {
    statuses: distinctValues([...(given.statuses ?? []), ...(given.status == null ? [] : [given.status])]),
    // A text that cannot be a ticker becomes an empty one, which no estate has.
    patrimonyTicker: patrimonyTicker == null ? null : (filterTickers([patrimonyTicker])[0] ?? null),
    ...(seriesTicker == null ? {} : { seriesTicker: filterTickers([seriesTicker])[0] ?? '' }),
    tickers: filterTickers(given.tickers),
    riskClasses: distinctValues(given.riskClasses),
    indexers: distinctValues(
      given.indexers?.map((indexer) => indexerNames.find((name) => graphIndexers[name] === indexer) ?? ''),
    ),
    maturityFrom,
    maturityTo,
    volumeFrom,
    volumeTo,
    sort: sort?.field ?? 'TICKER',
    direction: sort?.direction ?? 'ASC',
  };
}

export type PricedSeries = Pick<TrancheRow, 'status' | 'remunerationStartDate' | 'pricedOn' | 'amortizationOf'>;

type Instalment = Pick<ScheduleEntryRow, 'calculationDate' | 'amortizationPercentage'>;

/** Whether the newest price is older than the last business day that has begun, or than the last instalment if that repays the series; only series offered or in force are priced. @param today civil date in São Paulo */
export function isPriceStale(
  { status, remunerationStartDate, pricedOn, amortizationOf }: PricedSeries,
  instalments: readonly Instalment[],
  today: string,
  calendar: Calendar,
): boolean {
  if (status !== 'ACTIVE' && status !== 'FUNDRAISING') return false;
  const lastDay = calendar.preceding(today);
  const end = repaidOn(amortizationOf, instalments);
  const due = end !== undefined && end < lastDay ? end : lastDay;
  return remunerationStartDate <= due && (pricedOn === null || pricedOn < due);
}

/** Returns the day on which no principal is left; undefined if the instalments leave some. */
function repaidOn(amortizationOf: TrancheRow['amortizationOf'], entries: readonly Instalment[]): string | undefined {
  const whole =
    amortizationOf === 'BALANCE'
      ? [...groupBy(entries, ({ calculationDate }) => calculationDate).values()].some((rows) =>
          sum(rows.map(({ amortizationPercentage }) => amortizationPercentage)).eq(100),
        )
      : sum(entries.map(({ amortizationPercentage }) => amortizationPercentage)).eq(100);
  return whole ? entries.at(-1)?.calculationDate : undefined;
}

/** The price of a CLOSED series ends. The same status again is no error. @throws {ApiError} NOT_FOUND, CONFLICT for a transition that does not exist or whose condition does not hold */
export async function changeTrancheStatus(context: Context, ticker: string, to: TrancheStatus): Promise<TrancheRow> {
  return inTransaction(context, async (tx) => {
    const tranche = await lockTranche(tx, ticker);
    const { id, status, patrimonyTicker } = tranche;
    if (status === to) return tranche;
    const invested = !new Decimal(tranche.investedAmount).isZero();
    const message = whyNotMove({ status, invested, ...(await countInstalments(tx, id)) }, to);
    if (message !== undefined) throw new ApiError('CONFLICT', { message });
    await setTrancheStatus(tx, id, to);
    const subject = { type: 'tranche', id: tranche.ticker };
    await recordAudit(tx, { action: 'changeTrancheStatus', subject, before: { status }, after: { status: to } });
    await announce(
      tx,
      trancheEvent({ trancheTicker: tranche.ticker, patrimonyTicker, previousStatus: status, status: to }),
    );
    await announceBooks(tx, [id]);
    if (to !== 'CLOSED') return { ...tranche, status: to };
    const [ended] = await endPrices(tx, [id]);
    if (ended === undefined) return { ...tranche, status: to };
    const { date: pricedOn, unitPrice, nominalValue, interestJ: interest, projected } = ended;
    return { ...tranche, status: to, pricedOn, unitPrice, nominalValue, interest, projected };
  });
}
