import { z } from 'zod';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { announce, announceAll } from '../../../shared/events/outbox/outbox.js';
import type { Context } from '../../../shared/kernel/context.js';

const amount = z
  .string()
  .regex(/^\d{1,20}\.\d\d$/)
  .nullable();

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
  instalments: z.array(
    z.object({
      number: z.int(),
      dueDate: z.iso.date(),
      interestEvent: z.string(),
      amortizes: z.boolean(),
      interestValue: amount,
      principalValue: amount,
      premiumValue: amount.default('0.00'),
      totalValue: amount,
      openValue: amount,
      units: z.string().regex(/^\d{1,20}$/),
      paidOn: z.iso.date().nullable(),
      event: z.string().nullable().default(null),
    }),
  ),
  prices: z.array(z.tuple([z.iso.date(), z.string().regex(/^\d{1,16}\.\d{8}$/), z.int().positive(), z.boolean()])),
  /** The days of which these are all prices; null where they are single ones. */
  covers: z.object({ from: z.iso.date(), before: z.iso.date().nullable() }).nullable(),
});

export type Book = z.output<typeof bookForm> & { readonly sequence: number };

const eventNames: Readonly<Record<string, string>> = {
  EXTRA_AMORTIZATION: 'Amortização extraordinária',
  EARLY_REDEMPTION: 'Resgate antecipado',
  PARTIAL_REDEMPTION: 'Resgate parcial',
};

type Instalment = Book['instalments'][number];

/** Returns the payments of an operation that an instalment or an event is; none for one that pays nothing. The premium of an event is a payment of its own. */
export function paymentsOf(instalment: Instalment) {
  const { number, dueDate, paidOn, interestValue, principalValue, premiumValue, totalValue, openValue, units } =
    instalment;
  const event = eventOf(instalment);
  if (event === undefined) return [];
  if (number > 0)
    return [{ number, dueDate, paidOn, event, interestValue, principalValue, totalValue, openValue, units }];
  const own = totalValue === null ? null : new Decimal(totalValue).minus(premiumValue ?? 0).toFixed(2);
  const name = `E${String(-number)}`;
  // What is paid first is interest and principal: what is open of them is beyond the premium.
  const open = openValue === null ? null : Decimal.max(new Decimal(openValue).minus(premiumValue ?? 0), 0).toFixed(2);
  const ofPremium = openValue === null ? null : Decimal.min(openValue, premiumValue ?? 0).toFixed(2);
  const payment = {
    number: 0,
    dueDate,
    paidOn,
    units,
    interestValue,
    principalValue,
    totalValue: own,
    openValue: open,
  };
  const premium = { ...payment, event: `Prêmio: ${event} (${name})`, interestValue: null, principalValue: null };
  return [
    { ...payment, event: `${event} (${name})` },
    ...(premiumValue === null || Number(premiumValue) === 0
      ? []
      : [{ ...premium, totalValue: premiumValue, openValue: ofPremium }]),
  ];
}

function eventOf({ interestEvent, amortizes, event }: Instalment): string | undefined {
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
