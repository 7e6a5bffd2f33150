import { Decimal } from '../../../shared/decimal.js';
import type { Side } from '../venues/venue.js';

/** How long a quote can be executed. */
export const quoteTtlSeconds = 30;
/** Maximum number of open quotes of one wallet. */
export const maxOpenQuotes = 20;

/** EXPIRED is an OPEN quote past its expiry by the database's clock; only the other two are stored. EXPIRED and EXECUTED are final. */
export type QuoteState = 'OPEN' | 'EXECUTED' | 'EXPIRED';

/** The number and value of a company's open quotes, and of executed ones that are not hedged yet. */
export interface Exposure {
  /** Of the wallet. */
  readonly openQuotes: number;
  /** Of the company in the market, in BRL. */
  readonly quotedValue: Decimal | string;
}

function exceeds({ openQuotes, quotedValue }: Exposure, valueBrl: Decimal, maxQuotedValue: string): string | undefined {
  if (openQuotes >= maxOpenQuotes) return `the wallet already has ${openQuotes} open quotes, its maximum`;
  if (valueBrl.plus(quotedValue).greaterThan(maxQuotedValue))
    return `the maximum value of the company's quotes in this market that are open or not yet hedged is R$ ${maxQuotedValue}`;
  return undefined;
}

/** A quote to insert, with the terms of its company. */
export interface Added {
  readonly row: Readonly<Record<'companyId' | 'walletId' | 'symbol' | 'valueBrl', string>> & {
    readonly synthetic: boolean;
  };
  readonly maxQuotedValue: string;
}

/**
 * Returns for each quote, inserted one after another, why it would exceed a limit; undefined where it does not.
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

/** Returns what a client pays (BUY) or receives (SELL) in total: the value of a quote, and the fee. */
export function totalOf(side: Side, value: Decimal | string, fee: Decimal | string): Decimal {
  return side === 'BUY' ? new Decimal(value).plus(fee) : new Decimal(value).minus(fee);
}
