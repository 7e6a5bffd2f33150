import { Decimal } from '../../../shared/decimal.js';
import type { Context } from '../../../shared/context.js';
import { listCurrencies } from '../markets/currency.store.js';
import type { MarketData } from '../markets/market-data.js';
import type { SupervisedVenue } from '../venues/supervise-venue.js';
import type { Fill } from '../venues/venue.js';
import { askVenue, placeAtVenue } from './call-venue.js';
import type { Desk } from './desk.js';
import type { ExecutionRow } from './execution.store.js';
import type { Report } from './report.js';
import { settleReports } from './settle-reports.js';

export function createDesk(session: string, markets: MarketData): Desk {
  const sending = new Map<string, Fill[]>();
  let kept: Fill[] = [];
  const funds = new Map<string, Decimal>();
  const decimals = new Map<string, number>();
  const venueOf = ({ venue, synthetic }: ExecutionRow): SupervisedVenue | undefined =>
    markets.venues(synthetic).find(({ name }) => name === venue);
  const each = (
    orderId: string,
    executions: readonly ExecutionRow[],
    report: (one: ExecutionRow) => Promise<Report>,
  ) => {
    return async (context: Context) => {
      requireOutside(context);
      return settleReports(context, orderId, await Promise.all(executions.map(report)));
    };
  };
  return {
    session,
    markets,
    funds: (venue, currency) => funds.get(`${venue} ${currency}`) ?? new Decimal(0),
    sending: () => [...sending.keys()],
    keep: (fill) => {
      const early = sending.get(fill.clientOrderId);
      early?.push(fill);
      return early !== undefined;
    },
    takeKept: () => {
      const taken = kept;
      kept = [];
      return taken;
    },
    send: async (context, orderId, executions, begunMs) => {
      const early: Fill[] = [];
      const reported = new Set<string>();
      for (const { id } of executions) sending.set(id, early);
      try {
        return await each(orderId, executions, async (one) => {
          const report = await placeAtVenue(context, venueOf(one), one, begunMs);
          for (const { tradeId } of report.fills ?? []) reported.add(tradeId);
          return report;
        })(context);
      } finally {
        for (const { id } of executions) sending.delete(id);
        kept.push(...early.filter(({ tradeId }) => !reported.has(tradeId)));
      }
    },
    cancel: (context, orderId, executions) =>
      each(orderId, executions, (one) => askVenue(context, one, venueOf(one)?.cancel(one.id, one.symbol)))(context),
    look: (context, orderId, executions) =>
      each(orderId, executions, (one) => askVenue(context, one, venueOf(one)?.lookUp(one.id, one.symbol)))(context),
    decimals: (currency) => {
      const known = decimals.get(currency);
      if (known === undefined) throw new Error(`There is no currency ${currency}`);
      return known;
    },
    refresh: async (context) => {
      for (const row of await listCurrencies(context)) decimals.set(row.code, row.decimals);
      const venues = [...markets.venues(false), ...markets.venues(true)];
      const read = async (venue: SupervisedVenue) => {
        for (const { currency, available } of await venue.balances()) funds.set(`${venue.name} ${currency}`, available);
      };
      // While a venue does not respond, its last reported funds count.
      await Promise.allSettled(venues.map(read));
    },
  };
}

/** Venues must not be called in a transaction, which would hold its locks until the venue responds. */
function requireOutside({ onCommit }: Context): void {
  if (onCommit !== undefined) throw new Error('Venues must be called outside of inTransaction, after the commit');
}
