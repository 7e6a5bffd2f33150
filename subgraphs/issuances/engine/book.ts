import { z } from 'zod';
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
  tokenQuantity: z.string().regex(/^\d{1,20}$/),
  instalments: z.array(
    z.object({
      number: z.int().nonnegative(),
      dueDate: z.iso.date(),
      interestEvent: z.string(),
      amortizes: z.boolean(),
      interestValue: amount,
      principalValue: amount,
      totalValue: amount,
      paidOn: z.iso.date().nullable(),
    }),
  ),
  prices: z.array(z.tuple([z.iso.date(), z.string().regex(/^\d{1,16}\.\d{8}$/), z.int().positive(), z.boolean()])),
  /** The days of which these are all prices; null where they are single ones. */
  covers: z.object({ from: z.iso.date(), before: z.iso.date().nullable() }).nullable(),
});

export type Book = z.output<typeof bookForm> & { readonly sequence: number };

/** Returns the label of an instalment among the payments of an operation; undefined for one that pays nothing. */
export function eventOf({ interestEvent, amortizes }: Book['instalments'][number]): string | undefined {
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
