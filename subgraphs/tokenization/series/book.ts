import { z } from 'zod';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announceAll, type Consumer, type DomainEvent, payloadsOf } from '../../../shared/events/outbox/outbox.js';
import type { Context } from '../../../shared/kernel/context.js';
import { sum } from '../../../shared/kernel/decimal.js';
import type { EntryValue } from '../events/entry-values.js';
import type { PricedSeries } from '../price-runs/price-run.store.js';
import type { Projections } from '../schedule/projections.js';
import {
  lockTranchesOf,
  readBooks,
  readChanged,
  readLeft,
  readPrices,
  type BookRow,
  type BookedPrice,
} from './book.store.js';

/*
 * The book of a tokenized series: its prices, instalments, status and quantity. Issuances writes it into the series of the operation that the tranche
 * names (`seriesTicker`). Whoever announces has locked the tranche, so that of two announcements the later has the greater number.
 */

export const bookTopic = 'tranche.booked';

/** Most prices in one event: some 100 kB. */
const mostPrices = 2_500;

/** Announces the state of tranches that name a series, with the prices that were just saved. */
export async function announceBooks(tx: Context, trancheIds: readonly string[]): Promise<void> {
  const books = await readBooks(tx, trancheIds);
  await announceAll(
    tx,
    books.map((book) => bookEvent(book, [])),
  );
}

/** @param valued series with instalments whose amounts changed */
export async function announcePriced(
  tx: Context,
  page: readonly PricedSeries[],
  valued: ReadonlySet<string>,
): Promise<void> {
  const changed = new Map(
    page
      .filter(({ series, prices }) => prices.length > 0 || valued.has(series.id))
      .map(({ series, prices }) => [series.id, { prices, isFirst: series.pricedOn === null }]),
  );
  const books = await readBooks(tx, [...changed.keys()]);
  await announceAll(
    tx,
    books.flatMap((book) => {
      const { isFirst = false, prices = [] } = changed.get(book.trancheId) ?? {};
      return eventsOf(
        book,
        prices.map(({ version, row }): BookedPrice => [row.date, row.unitPrice, version, row.projected]),
        isFirst,
      );
    }),
  );
}

/** Announces the books of those tranches that an import changed, whole where the series that a tranche names is another, and those that it deleted. */
export async function announceImported(tx: Context, trancheIds: readonly string[]): Promise<void> {
  const changed = await readChanged(tx, trancheIds);
  await announceBooks(
    tx,
    changed.flatMap(({ id, isRelinked }) => (isRelinked ? [] : id)),
  );
  await announceWhole(
    tx,
    changed.flatMap(({ id, isRelinked }) => (isRelinked ? id : [])),
  );
  const left = await readLeft(tx);
  await announceAll(
    tx,
    left.map((book) => bookEvent(book, [])),
  );
}

/** Announces books with all their prices. Rows of the operation on these days that are not in the book are taken out there. */
async function announceWhole(tx: Context, trancheIds: readonly string[]): Promise<void> {
  for (const book of await readBooks(tx, trancheIds)) {
    await announceAll(tx, eventsOf(book, await readPrices(tx, book.trancheId), true));
  }
}

/** @param isWhole whether these are all prices of the tranche */
function eventsOf(book: BookRow, prices: readonly BookedPrice[], isWhole: boolean): DomainEvent[] {
  const chunks = chunksOf(prices);
  return chunks.map((chunk, at) => {
    const [first] = chunk[0] ?? [];
    const [next = null] = chunks[at + 1]?.[0] ?? [];
    // Typed prices before the engine's first one are removed, too.
    const from = at === 0 ? '0001-01-01' : first;
    return bookEvent(book, chunk, isWhole && first !== undefined && from !== undefined ? { from, before: next } : null);
  });
}

function chunksOf(prices: readonly BookedPrice[]): BookedPrice[][] {
  const count = Math.max(1, Math.ceil(prices.length / mostPrices));
  return Array.from({ length: count }, (_, at) => prices.slice(at * mostPrices, (at + 1) * mostPrices));
}

function bookEvent(
  book: BookRow,
  prices: readonly BookedPrice[],
  covers: { readonly from: string; readonly before: string | null } | null = null,
): DomainEvent {
  return { topic: bookTopic, key: book.trancheId, payload: { ...book, prices, covers }, internal: true };
}

const booked = {
  topic: bookTopic,
  form: z.object({ trancheId: z.string(), seriesTicker: z.string().nullable() }),
  subject: 'the book of a tranche',
};

/** Tells, after each change of a book, what its instalments without amounts are expected to pay. */
export const announceProjections =
  (projections: Projections): Consumer =>
  async (context, events) => {
    const books = await payloadsOf(context, events, booked);
    const ids = [...new Set(books.flatMap((book) => (book.seriesTicker === null ? [] : book.trancheId)))].sort();
    if (ids.length === 0) return;
    const found = await projections(context, ids);
    await announceAll(
      context,
      ids.map((trancheId, at) => {
        const payments = [...(found[at]?.values() ?? [])].map(toExpected);
        return { topic: 'tranche.projected', key: trancheId, payload: { trancheId, payments }, internal: true };
      }),
    );
  };

function toExpected({ installmentNumber, interestValue: interest, principalValue: principal }: EntryValue) {
  const event = installmentNumber < 0 ? -installmentNumber : null;
  const total = sum([interest, principal]).toFixed(2);
  return { number: Math.max(installmentNumber, 0), event, interest, principal, total };
}

const wanted = {
  topic: 'series.wanted',
  form: z.object({ tickers: z.array(z.string()) }),
  subject: 'series of an operation',
};

/** Answers issuances, which knows series that tranches may name: announces the whole books of these tranches. */
export const answerWantedBooks: Consumer = async (context, events) => {
  const tickers = (await payloadsOf(context, events, wanted)).flatMap((payload) => payload.tickers);
  if (tickers.length === 0) return;
  await inTransaction(context, async (tx) => announceWhole(tx, await lockTranchesOf(tx, tickers)));
};
