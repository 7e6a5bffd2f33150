import type { SeriesRow } from '../series/series.store.js';
import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';
import type { EndedSeries, SeriesBalance } from './subordination.js';

/** Facts about a series on the day of a report. Days are `YYYY-MM-DD`. */
export interface SeriesFacts extends Pick<
  SeriesRow,
  'number' | 'ticker' | 'class' | 'status' | 'issueDate' | 'maturityDate'
> {
  /** Number of subscribed quotas, or else of issued ones. */
  readonly quantity: Decimal;
  /** Unit value at issue, in reais; used as the price if there is none. */
  readonly unitValue: Decimal;
  /** The newest price up to the day. */
  readonly price: { readonly date: string; readonly value: Decimal } | undefined;
  /** The day of the newest price of all, including prices after the day of the report. */
  readonly lastPriceDate: string | undefined;
  /** The newest day, up to the day of the report, on which a redemption of the whole series was paid. */
  readonly redemptionPaidOn: string | undefined;
  /** Unpaid amount due from a redemption of the whole series, in reais; null if there is none. */
  readonly owedRedemption: string | null;
  /** Whether a recorded payment was not made up to the day. */
  readonly hasUnpaid: boolean;
  /** Total due and unpaid on the day, in reais; null if an amount is not known. */
  readonly overdueTotal: string | null;
  /** Whether a payment due at or after maturity was made up to the day. */
  readonly isPaidAtMaturity: boolean;
}

/**
 * Separates outstanding series from ended ones. Nothing is owed on a series once it is paid (Código Civil, article 304), at the
 * maturity or redemption that its deed states (Lei 14.430/2022, article 22, V); a series that matured unpaid is still owed.
 * @param day the day of the report
 * @param priceDueOn the day of the last price that is due, undefined if unknown
 */
export function standingOf(series: readonly SeriesFacts[], day: string, priceDueOn: string | undefined) {
  const outstanding: SeriesBalance[] = [];
  const ended: EndedSeries[] = [];
  for (const one of series) {
    const { number, ticker, class: riskClass } = one;
    const end = endOf(one, day);
    if (end === undefined) outstanding.push(balanceOf(one, priceDueOn));
    else ended.push({ number, ticker, class: riskClass, ...end });
  }
  return { outstanding, ended };
}

type End = Pick<EndedSeries, 'end' | 'endedOn'>;

/** Returns how a series has ended up to a day; undefined while it is outstanding. The first matching rule decides. */
function endOf(series: SeriesFacts, day: string): End | undefined {
  const { price, maturityDate, redemptionPaidOn, owedRedemption, lastPriceDate, hasUnpaid, isPaidAtMaturity } = series;
  if (price?.value.isZero() === true)
    return owedRedemption === null ? { end: 'REDEEMED', endedOn: redemptionPaidOn ?? price.date } : undefined;
  // A price after the payment shows that the redemption was partial.
  if (redemptionPaidOn !== undefined && (price === undefined || price.date <= redemptionPaidOn))
    return { end: 'REDEEMED', endedOn: redemptionPaidOn };
  if (maturityDate < day && !hasUnpaid) return { end: 'MATURED', endedOn: maturityDate };
  if (maturityDate === day && !hasUnpaid && isPaidAtMaturity) return { end: 'MATURED', endedOn: maturityDate };
  // A label has no date: it applies from the day after the last price.
  if (endedLabel.test(normalizeText(series.status)) && (lastPriceDate === undefined || lastPriceDate < day))
    return { end: 'REDEEMED', endedOn: null };
  return undefined;
}

/** Labels of a fully repaid or cancelled series: Resgatada, Liquidada, Quitada, Cancelada. */
const endedLabel = /^(resgatad|liquidad|quitad|cancelad)[ao]s?\b/;

function balanceOf(series: SeriesFacts, priceDueOn: string | undefined): SeriesBalance {
  const {
    number,
    ticker,
    class: riskClass,
    quantity,
    unitValue,
    price,
    issueDate,
    maturityDate,
    overdueTotal,
  } = series;
  // No price is due after maturity or before the first day.
  const due = priceDueOn !== undefined && priceDueOn > maturityDate ? maturityDate : priceDueOn;
  const stale = due !== undefined && due > issueDate && (price === undefined || price.date < due);
  return {
    number,
    ticker,
    class: riskClass,
    // Truncated like payments. After a redemption the price is 0, but the redemption is owed until it is paid.
    balance: new Decimal(series.owedRedemption ?? truncate(quantity.times(price?.value ?? unitValue), 2)),
    priceDate: price?.date ?? null,
    stale,
    overdueTotal,
  };
}
