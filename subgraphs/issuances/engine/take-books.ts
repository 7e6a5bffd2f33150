import { type Consumer, type PublishedEvent, payloadOf } from '../../../shared/events/outbox/outbox.js';
import type { Context } from '../../../shared/kernel/context.js';
import { payments } from '../import/model/cash.js';
import { series } from '../import/model/operations.js';
import { unitPrices } from '../import/model/prices.js';
import {
  attach,
  detachedSeries,
  keepLinks,
  keepEnginePrices,
  lockBookedSeries,
  markEnginePrices,
  markPayments,
  keepExpected,
  stageBook,
  stageDetached,
  type BookedSeries,
} from './book.store.js';
import { requireNoneWriting, writeAsEngine } from './write-as-engine.js';
import { bookForm, projectionForm, wantSeries, type Book, type Expected } from './book.js';
import { raiseRevision } from '../revision/revision.js';

/**
 * Writes the engine's announcements about tranches into the series that they name, as an import does: prices, payments, status and quantity. They
 * replace data that an operator typed before. A series whose prices are typed keeps its own data, and stores the engine's prices for comparison.
 * Events may come twice and in any order; while an import is running, the relay puts them off.
 */
export const takeBooks: Consumer = async (tx, events) => {
  const announced = booksOf(tx, events);
  if (announced.length === 0) return;
  await requireNoneWriting(tx);
  const links = await keepLinks(tx, announced);
  const detached = await detachedSeries(tx, [...links.keys()]);
  const left = detached.map(({ id }) => id);
  // Skip data of a tranche about a series that the tranche no longer names.
  const books = announced.filter(({ trancheId, seriesTicker }) => {
    const ticker = seriesTicker?.toLowerCase() ?? null;
    return ticker !== null && links.get(trancheId) === ticker;
  });
  const known = await lockBookedSeries(tx, books);
  // If several tranches name a series, the first one keeps it.
  const holders = new Map<string, string>();
  const taken = books.flatMap((book): BookedSeries[] => {
    const one = known.get(book.seriesTicker?.toLowerCase() ?? '');
    if (one === undefined) return [];
    const holder = one.engineTrancheId ?? holders.get(one.id) ?? book.trancheId;
    holders.set(one.id, holder);
    return holder === book.trancheId ? [{ ...one, book, isCurrent: book.sequence >= (one.engineSequence ?? 0) }] : [];
  });
  const written = taken.filter(({ typedReason }) => typedReason === null);
  const tranches = [...new Set(written.map(({ book }) => book.trancheTicker))].slice(0, 20).join(', ');
  if (left.length + written.length > 0)
    await writeAsEngine(tx, {
      label: `prices and payments of ${tranches || 'withdrawn tranches'}`,
      kinds: [series, unitPrices, payments],
      stage: async (act) => {
        await stageDetached(act, left);
        await stageBook(act, written);
      },
    });
  await markEnginePrices(tx, written);
  await markPayments(
    tx,
    written.filter(({ isCurrent }) => isCurrent),
  );
  await keepEnginePrices(
    tx,
    taken.filter(({ typedReason }) => typedReason !== null),
  );
  await attach(tx, taken, left);
  // Another tranche may name them.
  await wantSeries(
    tx,
    detached.map(({ ticker }) => ticker),
  );
};

/** Writes what the engine expects payments to be that have no amounts. Events may come twice and in any order. */
export const takeProjections: Consumer = async (tx, events) => {
  const expected = new Map<string, Expected>();
  for (const event of events) {
    if (event.topic !== 'tranche.projected') continue;
    const payload = payloadOf(tx, event, projectionForm, 'the projected payments of a tranche');
    if (payload === undefined || (expected.get(payload.trancheId)?.sequence ?? 0) > event.sequence) continue;
    expected.set(payload.trancheId, { ...payload, sequence: event.sequence });
  }
  if (expected.size === 0) return;
  const changed = await keepExpected(tx, [...expected.values()]);
  if (changed.length > 0) await raiseRevision(tx, changed);
};

function booksOf(tx: Context, events: readonly PublishedEvent[]): Book[] {
  return events
    .filter(({ topic }) => topic === 'tranche.booked')
    .flatMap((event) => {
      const book = payloadOf(tx, event, bookForm, 'the book of a tranche');
      return book === undefined ? [] : [{ ...book, sequence: event.sequence }];
    })
    .sort((one, other) => one.sequence - other.sequence);
}
