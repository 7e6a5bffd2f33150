import type { Context } from '../../../shared/context.js';
import { Fault } from '../../../shared/errors.js';
import { listMarketRows, readTradingSwitch, type MarketRow } from './market.store.js';

/** The markets as they were at most a second ago. */
export interface Catalogue {
  /** Every market, by symbol. While trading as a whole is halted, each is HALTED for that reason. */
  list(context: Context): Promise<readonly MarketRow[]>;
  /**
   * A market, halted or not.
   * @throws {Fault} MARKET_NOT_AVAILABLE for a symbol that is none
   */
  require(context: Context, symbol: string): Promise<MarketRow>;
  /**
   * A market in which new orders are taken.
   * @throws {Fault} MARKET_NOT_AVAILABLE for a symbol that is none, and while it, or all of trading, is halted
   */
  requireActive(context: Context, symbol: string): Promise<MarketRow>;
  /** Reads anew at the next question. */
  forget(): void;
}

/** A halt holds everywhere within a second. */
const beliefMs = 900;

interface Read {
  readonly atMs: number;
  readonly rows: Promise<readonly MarketRow[]>;
}

/** The catalogue of this process. Orders look at it each time; the database is asked once a second. */
export function createCatalogue(): Catalogue {
  let last: Read | undefined;
  const list = (context: Context): Promise<readonly MarketRow[]> => {
    const nowMs = performance.now();
    if (last !== undefined && nowMs - last.atMs < beliefMs) return last.rows;
    const read: Read = { atMs: nowMs, rows: readMarkets(context) };
    last = read;
    read.rows.catch(() => {
      if (last === read) last = undefined;
    });
    return read.rows;
  };
  const require = async (context: Context, symbol: string): Promise<MarketRow> => {
    const market = (await list(context)).find((row) => row.symbol === symbol);
    if (market === undefined) throw new Fault('MARKET_NOT_AVAILABLE', { message: `There is no market ${symbol}` });
    return market;
  };
  return {
    list,
    require,
    requireActive: async (context, symbol) => {
      const market = await require(context, symbol);
      if (market.status === 'ACTIVE') return market;
      throw new Fault('MARKET_NOT_AVAILABLE', {
        message: `${symbol} is halted: ${market.haltReason ?? 'by the operator'}`,
      });
    },
    forget: () => {
      last = undefined;
    },
  };
}

async function readMarkets(context: Context): Promise<readonly MarketRow[]> {
  const [rows, { halted, reason }] = [await listMarketRows(context), await readTradingSwitch(context)];
  return halted ? rows.map((row) => ({ ...row, status: 'HALTED', haltReason: reason })) : rows;
}
