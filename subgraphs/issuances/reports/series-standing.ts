import { Decimal, round } from '../../../shared/decimal.js';
import { normalizeText } from '../../../shared/format/normalize-text.js';
import type { EndedSeries, RiskClass, SeriesBalance } from './subordination.js';

/** What is known of a series on the day of a report. Days are `YYYY-MM-DD`. */
export interface SeriesFacts {
  readonly number: number;
  readonly ticker: string;
  readonly class: RiskClass;
  /** The label that is shown. */
  readonly status: string;
  readonly issueDate: string;
  readonly maturityDate: string;
  /** Subscribed quotas, or else those issued. */
  readonly quantity: Decimal;
  /** Unit value at issue, in reais: the price where there is none. */
  readonly unitValue: Decimal;
  /** The newest price up to the day. */
  readonly price: { readonly date: string; readonly value: Decimal } | undefined;
  /** The day of the newest price of all, those after the day of the report too. */
  readonly lastPriceDate: string | undefined;
  /** The newest day, up to the day of the report, on which a redemption of the whole series was paid. */
  readonly redemptionPaidOn: string | undefined;
  /** Whether a payment is on record that was not made up to the day. */
  readonly hasUnpaid: boolean;
  /** Whether a payment that fell due at maturity, or later, was made up to the day. */
  readonly isPaidAtMaturity: boolean;
}

/** The series that are outstanding on a day, and those that have come to an end. */
export interface SeriesStanding {
  readonly outstanding: readonly SeriesBalance[];
  readonly ended: readonly EndedSeries[];
}

/**
 * Tells outstanding series from ended ones. Nothing is owed on a series any more once it was paid (Código Civil, article 304), which is
 * at the maturity or the redemption that its deed states (Lei 14.430/2022, article 22, V); what matured unpaid is still owed.
 * @param day the day of the report
 * @param priceDueOn the day whose price is the last one that is due, undefined where that is not known
 */
export function standingOf(
  series: readonly SeriesFacts[],
  day: string,
  priceDueOn: string | undefined,
): SeriesStanding {
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

/** How a series has come to an end up to a day; undefined while it is outstanding. The first rule that fits decides. */
function endOf(series: SeriesFacts, day: string): End | undefined {
  const { price, maturityDate, redemptionPaidOn, lastPriceDate, hasUnpaid, isPaidAtMaturity } = series;
  if (price?.value.isZero() === true) return { end: 'REDEEMED', endedOn: price.date };
  // A price after the payment says that the redemption was not of the whole.
  if (redemptionPaidOn !== undefined && (price === undefined || price.date <= redemptionPaidOn))
    return { end: 'REDEEMED', endedOn: redemptionPaidOn };
  if (maturityDate < day && !hasUnpaid) return { end: 'MATURED', endedOn: maturityDate };
  if (maturityDate === day && !hasUnpaid && isPaidAtMaturity) return { end: 'MATURED', endedOn: maturityDate };
  // A label has no date: it holds from the day after the last price.
  if (endedLabel.test(normalizeText(series.status)) && (lastPriceDate === undefined || lastPriceDate < day))
    return { end: 'REDEEMED', endedOn: null };
  return undefined;
}

/** Labels of a series of which nothing is left: Resgatada, Liquidada, Quitada, Cancelada. */
const endedLabel = /^(resgatad|liquidad|quitad|cancelad)[ao]s?\b/;

function balanceOf(series: SeriesFacts, priceDueOn: string | undefined): SeriesBalance {
  const { number, ticker, class: riskClass, quantity, unitValue, price, issueDate, maturityDate } = series;
  // No price is due after maturity, nor before the first day.
  const due = priceDueOn !== undefined && priceDueOn > maturityDate ? maturityDate : priceDueOn;
  const stale = due !== undefined && due > issueDate && (price === undefined || price.date < due);
  return {
    number,
    ticker,
    class: riskClass,
    balance: round(quantity.times(price?.value ?? unitValue), 2),
    priceDate: price?.date ?? null,
    stale,
  };
}
