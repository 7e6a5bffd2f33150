import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announceAll, type DomainEvent } from '../../../shared/events/outbox/outbox.js';
import { announcePriced } from '../series/book.js';
import { holdIndexRevision } from '../indices/index-value.store.js';
import { loadMarket } from '../indices/load-market.js';
import type { UnitPriceInputs } from '../unit-price/unit-price.js';
import { lockDueSeries, type DueRule, type DueSeries, savePricedSeries, type PricedSeries } from './price-run.store.js';
import { pricePage, type FaultySeries } from './price-page.js';
import { unitPriceEvent } from './unit-price-update.js';

export interface RepriceOptions {
  readonly calendar: Calendar;
  /** The last day to price, `YYYY-MM-DD`; today in São Paulo when omitted. */
  readonly upTo?: string;
  /** The one series to price, by id; all when omitted. */
  readonly only?: string;
  /** Asked before each page; false ends the run, and the rest stays due. */
  readonly goesOn?: () => boolean | Promise<boolean>;
}

export interface RepriceOutcome {
  readonly series: number;
  /** Number of rows written: new days, and new versions of old ones. */
  readonly prices: number;
  /** The missing numbers, such as `IPCA 2026-03`, and the number of series that lack each. */
  readonly missing: ReadonlyMap<string, number>;
}

/** Maximum number of series locked at once, and of days priced in one transaction (unless a single series has more). */
const pageSize = 500;
const pageDays = 2_500;

/**
 * Computes every due price: of every series that is offered or in force, for each business day up to the last one that has
 * begun, and again if the policy, the calendar or an index value changed. Writes a new version if a digit differs and never
 * overwrites a row. Any number of runs may be active at once, and the next run completes one that was killed.
 * @throws {AggregateError} when some series could not be priced, after the others were
 */
export async function repriceAll(context: Context, options: RepriceOptions): Promise<RepriceOutcome> {
  const { calendar, upTo = civilDate(context.clock.now()), only, goesOn = () => true } = options;
  const run = createRun(context, calendar);
  const missing = new Map<string, number>();
  const faulty: FaultySeries[] = [];
  let [series, prices] = [0, 0];
  let after: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (after !== undefined && (await goesOn())) {
    const page = await run({ through: calendar.preceding(upTo), only }, after);
    series += page.priced.length;
    for (const { prices: written, missing: lacking } of page.priced) {
      prices += written.length;
      if (lacking !== null) missing.set(lacking, (missing.get(lacking) ?? 0) + 1);
    }
    faulty.push(...page.faulty);
    after = page.last;
  }
  alert(context, missing);
  if (prices > 0) context.log.info({ series, prices }, 'Unit prices were calculated');
  if (faulty.length > 0) throw errorOf(faulty);
  return { series, prices, missing };
}

interface PageOutcome {
  readonly priced: readonly PricedSeries[];
  readonly faulty: readonly FaultySeries[];
  /** The last id of the page; undefined when nothing is left. */
  readonly last: string | undefined;
}

/** Returns a function that prices one page of series per transaction and reads the index values once for all of them. */
function createRun(context: Context, calendar: Calendar) {
  let market: { readonly revision: string; readonly inputs: UnitPriceInputs } | undefined;
  return ({ through, only }: Pick<DueRule, 'through' | 'only'>, after: string): Promise<PageOutcome> =>
    inTransaction(context, async (tx) => {
      const revision = await holdIndexRevision(tx);
      if (revision === undefined) {
        tx.log.info('Index values are being imported; unit prices are calculated in the next run');
        return { priced: [], faulty: [], last: undefined };
      }
      const rule: DueRule = { through, only, calendarVersion: calendar.version, indexRevision: revision };
      const due = await lockDueSeries(tx, rule, after, pageSize);
      if (due.length === 0) return { priced: [], faulty: [], last: undefined };
      if (market?.revision !== revision) market = { revision, inputs: await loadMarket(tx, calendar) };
      const page = withinDays(due, through, calendar);
      const { priced, faulty } = await pricePage(tx, page, market.inputs, through);
      const valued = await savePricedSeries(tx, rule, priced);
      await announceAll(tx, priced.flatMap(newsOf));
      await announcePriced(tx, priced, valued);
      return { priced, faulty, last: page.at(-1)?.id };
    });
}

/** Returns the first series of a page whose days to price fit into one transaction; at least one. */
function withinDays(due: readonly DueSeries[], through: string, calendar: Calendar): readonly DueSeries[] {
  let days = 0;
  const beyond = due.findIndex(({ pricedThrough, remunerationStartDate }) => {
    days += calendar.businessDaysBetween(pricedThrough ?? remunerationStartDate, through) + 1;
    return days > pageDays;
  });
  return beyond === -1 ? due : due.slice(0, Math.max(1, beyond));
}

function newsOf({ series, newest, prices }: PricedSeries): DomainEvent[] {
  if (newest === undefined) return [];
  const { ticker: trancheTicker, patrimonyTicker } = series;
  const { date, unitPrice, vna: nominalValue, interestJ, projected } = newest;
  const correction = prices.some(({ version, row }) => version > 1 && row.date === date);
  const price = { trancheTicker, patrimonyTicker, date, unitPrice, nominalValue, interestJ, projected };
  return [unitPriceEvent(price, correction)];
}

function alert(context: Context, missing: ReadonlyMap<string, number>): void {
  if (missing.size === 0) return;
  context.log.error(
    { missing: Object.fromEntries([...missing].slice(0, 50)) },
    'Unit prices wait for numbers that were not imported; after their import the next run calculates them',
  );
}

function errorOf(faulty: readonly FaultySeries[]): AggregateError {
  const some = faulty
    .slice(0, 20)
    .map(({ ticker, error }) => new Error(`${ticker}: ${error.message}`, { cause: error }));
  const tickers = faulty.slice(0, 20).map(({ ticker, error }) => `${ticker} (${error.message})`);
  return new AggregateError(some, `${faulty.length} series could not be priced: ${tickers.join('; ')}`);
}
