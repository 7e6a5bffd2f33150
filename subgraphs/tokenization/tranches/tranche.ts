import { Decimal, round } from '../../../shared/decimal.js';

/** DRAFT: being set up. FUNDRAISING: offered to investors. ACTIVE: in force. CLOSED: ended. */
export const trancheStatuses = ['DRAFT', 'ACTIVE', 'FUNDRAISING', 'CLOSED'] as const;
export type TrancheStatus = (typeof trancheStatuses)[number];

/** In the order in which they are paid; UNIQUE stands alone. */
export const trancheClasses = ['SENIOR', 'MEZZANINE', 'JUNIOR', 'UNIQUE'] as const;
export type TrancheClass = (typeof trancheClasses)[number];

/** What remunerates beside the rate. */
export const indexerNames = ['NONE', 'DI', 'IPCA', 'IGPM'] as const;
export type IndexerName = (typeof indexerNames)[number];

/** What a unit is worth, in reais with 8 decimals each. */
export interface CurrentPrice {
  /** With the interest that has accrued ("dirty"). */
  readonly unitPrice: string;
  /** Without it ("clean"). */
  readonly nominalValue: string;
  readonly interest: string;
}

/** What of a series its current price is told from. */
export interface Priced {
  readonly remunerationStartDate: string;
  readonly issueValue: string;
  readonly unitPrice: string | null;
  readonly nominalValue: string | null;
  readonly interest: string | null;
}

/**
 * The newest price of a series. Up to the day on which it begins to remunerate a unit is worth what it is issued at; after
 * that, undefined until it has been priced: nothing is guessed.
 * @param today civil date in São Paulo
 */
export function currentPrice(series: Priced, today: string): CurrentPrice | undefined {
  const { unitPrice, nominalValue, interest, issueValue, remunerationStartDate } = series;
  if (unitPrice !== null && nominalValue !== null && interest !== null) return { unitPrice, nominalValue, interest };
  if (today > remunerationStartDate) return undefined;
  return { unitPrice: issueValue, nominalValue: issueValue, interest: '0.00000000' };
}

/** What all units of a series are worth, in reais, rounded to 2 decimals. */
export function totalValue(tokenQuantity: string, { unitPrice }: CurrentPrice): string {
  return round(new Decimal(unitPrice).times(tokenQuantity), 2).toFixed(2);
}
