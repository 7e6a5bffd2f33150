import { z } from 'zod';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { announce, announceAll } from '../../../shared/events/outbox/outbox.js';
import type { Context } from '../../../shared/kernel/context.js';

const known = z.string().regex(/^\d{1,20}\.\d\d$/);
const amount = known.nullable();

/** Payload of `tranche.booked`: the state of a tranche, and prices that are new. */
export const bookForm = z.object({
  trancheId: z.uuid(),
  trancheTicker: z.string(),
  seriesTicker: z.string().nullable(),
  isRepaid: z.boolean(),
  /** Whether nothing was invested in it, and nothing will be. */
  isCancelled: z.boolean(),
  tokenQuantity: z.string().regex(/^\d{1,20}$/),
  issuedQuantity: z.string().regex(/^\d{1,20}$/),
  investedAmount: known,
  instalments: z.array(
    z.object({
      number: z.int(),
      dueDate: z.iso.date(),
      calculationDate: z.iso.date(),
      interestEvent: z.string(),
      amortizes: z.boolean(),
      interestValue: amount,
      principalValue: amount,
      premiumValue: known,
      totalValue: amount,
      openValue: amount,
      openPremium: amount,
      units: z.string().regex(/^\d{1,20}$/),
      paidOn: z.iso.date().nullable(),
      /** Recorded payments of it: day, interest and principal, premium. */
      parts: z.array(z.tuple([z.iso.date(), known, known])),
      event: z.string().nullable(),
    }),
  ),
  prices: z.array(z.tuple([z.iso.date(), z.string().regex(/^\d{1,16}\.\d{8}$/), z.int().positive(), z.boolean()])),
  /** The days of which these are all prices; null where they are single ones. */
  covers: z.object({ from: z.iso.date(), before: z.iso.date().nullable() }).nullable(),
});

/** Payload of `tranche.projected`: what is expected of instalments without amounts. Not with the premium of an event, which is a payment of its own. */
export const projectionForm = z.object({
  trancheId: z.uuid(),
  payments: z.array(
    z.object({
      number: z.int(),
      /** Number of the event that causes the payment; null for an instalment. */
      event: z.int().nullable(),
      interest: known,
      principal: known,
      total: known,
    }),
  ),
});

export type Book = z.output<typeof bookForm> & { readonly sequence: number };

export type Expected = z.output<typeof projectionForm> & { readonly sequence: number };

const eventNames: Readonly<Record<string, string>> = {
  EXTRA_AMORTIZATION: 'Amortização extraordinária',
  EARLY_REDEMPTION: 'Resgate antecipado',
  PARTIAL_REDEMPTION: 'Resgate parcial',
};

type Instalment = Book['instalments'][number];

/** Returns the payments of an operation that an instalment or an event is; none for one that pays nothing. The premium of an event is a payment of its own. */
export function toPayments(instalment: Instalment) {
  const { number, dueDate, calculationDate: pricedUntil, paidOn, units, premiumValue, openValue } = instalment;
  const { interestValue, principalValue, parts } = instalment;
  const event = nameOf(instalment);
  if (event === undefined) return [];
  const totalValue =
    instalment.totalValue === null ? null : new Decimal(instalment.totalValue).minus(premiumValue).toFixed(2);
  const partsBy = (at: 1 | 2) => JSON.stringify(parts.map((part) => [part[0], part[at]]));
  const payment = {
    dueDate,
    pricedUntil,
    paidOn,
    units,
    interestValue,
    principalValue,
    totalValue,
    openValue,
    parts: partsBy(1),
  };
  if (number > 0) return [{ ...payment, number, event }];
  const own = { ...payment, number: 0, event: `${event} (E${String(-number)})` };
  if (new Decimal(premiumValue).isZero()) return [own];
  const ofPremium = { interestValue: null, principalValue: null, totalValue: premiumValue, parts: partsBy(2) };
  return [own, { ...own, ...ofPremium, openValue: instalment.openPremium, event: `Prêmio: ${own.event}` }];
}

function nameOf({ interestEvent, amortizes, event }: Instalment): string | undefined {
  if (event !== null) return eventNames[event];
  if (interestEvent === 'PAID') return amortizes ? 'Juros e amortização' : 'Juros';
  return amortizes ? 'Amortização' : undefined;
}

/** Asks tokenization for the whole books of the tranches that name these series. */
export async function wantSeries(tx: Context, tickers: readonly string[]): Promise<void> {
  if (tickers.length === 0) return;
  await announce(tx, { topic: 'series.wanted', key: tickers[0] ?? '', payload: { tickers }, internal: true });
}

/** Asks tokenization for all credits that originators assigned to these estates. */
export async function wantCredits(tx: Context, patrimonyIds: readonly string[]): Promise<void> {
  await announceAll(
    tx,
    patrimonyIds.map((patrimonyId) => ({
      topic: 'credits.wanted',
      key: patrimonyId,
      payload: { patrimonyId, after: null },
      internal: true,
    })),
  );
}
