import type { Config } from '../../../shared/config.js';
import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import type { MarketData } from '../markets/market-data.js';

/** The house's rules for withdrawals. Amounts in BRL. */
export interface TransferRules {
  /** Above this value of a company's withdrawals in 24 hours that nobody approved, and where no price is known, two operators must approve. */
  readonly approvalAbove: Decimal;
  /** Above this value a withdrawal to a chain must name its beneficiary; undefined if none must. */
  readonly travelRuleAbove: Decimal | undefined;
  /** How long a new address of a company's list waits before it may be used. */
  readonly coolingMs: number;
}

/** How many different operators must approve. */
export const approvers = 2;

/** Returns the rules of a configuration: amounts in whole BRL. */
export function toTransferRules({ approvalAbove, travelRuleAbove, coolingMs }: Config['transfers']): TransferRules {
  const bound = travelRuleAbove === undefined ? undefined : new Decimal(travelRuleAbove);
  return { approvalAbove: new Decimal(approvalAbove), travelRuleAbove: bound, coolingMs };
}

/** Returns the present value of an amount in BRL; undefined where no price is known. */
export type ValueInBrl = (
  context: Context,
  amount: { readonly currency: string; readonly amount: Decimal; readonly synthetic: boolean },
) => Promise<Decimal | undefined>;

/** Values amounts by the market of the currency against BRL: its ask price, or its last price. */
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
