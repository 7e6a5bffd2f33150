import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { shared } from '../../../shared/memo.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { listHalts, type HaltRow } from '../ledger/ledger.store.js';
import { listMarketRows, readTradingSwitch, type MarketRow } from './market.store.js';

/** The markets, at most a second old. */
export interface Catalogue {
  /** Lists the live or synthetic markets by symbol. A market is also HALTED while all trading or one of its currencies is. */
  list(context: Context, synthetic: boolean): Promise<readonly MarketRow[]>;
  /** Returns halted markets too. @throws {ApiError} MARKET_NOT_AVAILABLE for an unknown symbol */
  require(context: Context, symbol: string): Promise<MarketRow>;
  /** @throws {ApiError} MARKET_NOT_AVAILABLE for an unknown symbol, and while the market, all trading, or one of its currencies is halted */
  requireActive(context: Context, symbol: string, synthetic: boolean): Promise<MarketRow>;
  forget(): void;
}

/** A halt takes effect everywhere within a second. */
const beliefMs = 900;

interface Markets {
  readonly rows: readonly MarketRow[];
  readonly halts: readonly HaltRow[];
}

export function createCatalogue(): Catalogue {
  const markets = shared<Markets>({ keptMs: beliefMs, maxEntries: 1 });
  const read = (context: Context) => markets('', () => readMarkets(context));
  return {
    list: async (context, synthetic) => {
      const known = await read(context);
      return known.rows.map((row) => inWorld(known, row, synthetic));
    },
    require: async (context, symbol) => marketOf(await read(context), symbol),
    requireActive: async (context, symbol, synthetic) => {
      const known = await read(context);
      const market = inWorld(known, marketOf(known, identifyingText(symbol)), synthetic);
      if (market.status !== 'ACTIVE') throw halted(symbol, market.haltReason ?? 'by the operator');
      return market;
    },
    forget: () => markets.forget(''),
  };
}

async function readMarkets(context: Context): Promise<Markets> {
  const rows = await listMarketRows(context);
  const { halted: isHalted, reason } = await readTradingSwitch(context);
  const halts = await listHalts(context);
  return { halts, rows: isHalted ? rows.map((row) => ({ ...row, status: 'HALTED', haltReason: reason })) : rows };
}

function marketOf({ rows }: Markets, symbol: string): MarketRow {
  const market = rows.find((row) => row.symbol === symbol);
  if (market === undefined)
    throw new ApiError('MARKET_NOT_AVAILABLE', {
      message: `There is no market ${symbol}: fetchMarkets lists the symbols, in upper case`,
    });
  return market;
}

function inWorld({ halts }: Markets, market: MarketRow, synthetic: boolean): MarketRow {
  if (market.status !== 'ACTIVE') return market;
  const halt = halts.find((one) => one.synthetic === synthetic && [market.base, market.quote].includes(one.currency));
  if (halt === undefined) return market;
  return { ...market, status: 'HALTED', haltReason: `${halt.currency} cannot be traded at the moment` };
}

function halted(symbol: string, reason: string): ApiError {
  return new ApiError('MARKET_NOT_AVAILABLE', { message: `${symbol} is halted: ${reason}. ${againLater}` });
}

/** Advice after a temporary rejection: the response to a 4xx is stored for its idempotency key, so the same key would receive it again. */
export const againLater =
  'Try again later with another idempotency key, because this response is stored for the current one';
