import type { Config } from '../../../shared/config.js';
import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import type { MarketData } from '../markets/market-data.js';

/** What the house demands of withdrawals. Amounts in BRL. */
export interface TransferRules {
  /** Above it, and where no price is known, two operators approve. */
  readonly approvalAbove: Decimal;
  /** Above it a withdrawal to a chain says who gets it. */
  readonly travelRuleAbove: Decimal;
  /** How long a new address of a company's list waits until it may be used. */
  readonly coolingMs: number;
}

/** How many different operators approve what has to be approved. */
export const approvers = 2;

/** The rules of a configuration: amounts in whole BRL. */
export function toTransferRules({ approvalAbove, travelRuleAbove, coolingMs }: Config['transfers']): TransferRules {
  return { approvalAbove: new Decimal(approvalAbove), travelRuleAbove: new Decimal(travelRuleAbove), coolingMs };
}

/** What an amount of a currency is worth in BRL now; undefined where no price is known. */
export type ValueInBrl = (
  context: Context,
  amount: { readonly currency: string; readonly amount: Decimal; readonly synthetic: boolean },
) => Promise<Decimal | undefined>;

/** By the market of the currency against BRL: what it costs to buy there, or its last price. */
export function valueByMarkets(markets: Pick<MarketData, 'isTraded' | 'ticker'>): ValueInBrl {
  return (_context, { currency, amount, synthetic }) => {
    if (currency === 'BRL') return Promise.resolve(amount);
    const symbol = `${currency}/BRL`;
    if (!markets.isTraded(synthetic, symbol)) return Promise.resolve(undefined);
    const { ask, last, bid } = markets.ticker(synthetic, symbol);
    const price = ask ?? last ?? bid;
    return Promise.resolve(price?.times(amount));
  };
}
