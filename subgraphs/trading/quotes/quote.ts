import { Decimal } from '../../../shared/decimal.js';
import type { Side } from '../venues/venue.js';

/** For how long a quote can be executed. */
export const quoteTtlSeconds = 30;
/** Quotes that one wallet may have open at once. */
export const maxOpenQuotes = 20;

/**
 * EXPIRED is an OPEN one whose time is over by the database's clock; only the other two are stored. Neither EXPIRED nor EXECUTED
 * has a way out.
 */
export type QuoteState = 'OPEN' | 'EXECUTED' | 'EXPIRED';

/** What the open quotes of a company, and the executed ones that are not hedged yet, come to. */
export interface Exposure {
  /** Of the wallet. */
  readonly openQuotes: number;
  /** Of the company in the market, in BRL. */
  readonly quotedValue: Decimal | string;
}

function exceeds({ openQuotes, quotedValue }: Exposure, valueBrl: Decimal, maxQuotedValue: string): string | undefined {
  if (openQuotes >= maxOpenQuotes) return `the wallet has ${openQuotes} open quotes, as many as it may`;
  if (valueBrl.plus(quotedValue).greaterThan(maxQuotedValue))
    return `quotes of the company in this market that are open or not hedged yet are worth at most R$ ${maxQuotedValue}`;
  return undefined;
}

/** A quote that is to be added, and what is agreed with its company. */
export interface Added {
  readonly row: Readonly<Record<'companyId' | 'walletId' | 'symbol' | 'valueBrl', string>> & {
    readonly synthetic: boolean;
  };
  readonly maxQuotedValue: string;
}

/**
 * Why each of some quotes, which are added one after the other, would be too much; undefined where it is not.
 * @param exposures before the first of them
 */
export function excessesOf(adding: readonly Added[], exposures: readonly Exposure[]): (string | undefined)[] {
  const openQuotes = new Map<string, number>();
  const quotedValues = new Map<string, Decimal>();
  return adding.map(({ row, maxQuotedValue }, index) => {
    const before = exposures[index];
    if (before === undefined) throw new Error(`The exposure of the company ${row.companyId} was not read`);
    const market = JSON.stringify([row.companyId, row.symbol, row.synthetic]);
    const open = openQuotes.get(row.walletId) ?? before.openQuotes;
    const quoted = quotedValues.get(market) ?? new Decimal(before.quotedValue);
    const excess = exceeds({ openQuotes: open, quotedValue: quoted }, new Decimal(row.valueBrl), maxQuotedValue);
    if (excess !== undefined) return excess;
    openQuotes.set(row.walletId, open + 1);
    quotedValues.set(market, quoted.plus(row.valueBrl));
    return undefined;
  });
}

/** What a client pays (BUY) or gets (SELL) in all: what a quote is worth, and the fee. */
export function totalOf(side: Side, quoteAmount: Decimal | string, fee: Decimal | string): Decimal {
  const value = new Decimal(quoteAmount);
  return side === 'BUY' ? value.plus(fee) : value.minus(fee);
}
