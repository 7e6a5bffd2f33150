import type { Clock } from '../../../../shared/clock.js';
import type { Book } from '../venue.js';
import type { ReadableScript } from './failures.js';
import type { OrderBook } from './order-book.js';

/** Levels shown on each side of a book. */
const shownLevels = 20;

/** Reads books; the levels of an unchanged book are built once. */
export function createBookReader(
  { name, clock }: { readonly name: string; readonly clock: Clock },
  script: ReadableScript,
  find: (symbol: string) => OrderBook | undefined,
): (symbol: string) => Book | undefined {
  const last = new Map<string, Book>();
  return (symbol) => {
    const book = find(symbol);
    if (book === undefined || book.sequence === 0) return undefined;
    const known = last.get(symbol);
    if (known !== undefined && script.hasStaleBooks) return known;
    const levels =
      known?.sequence === book.sequence
        ? known
        : { bids: book.levels('BUY', shownLevels), asks: book.levels('SELL', shownLevels) };
    const { bids, asks } = levels;
    const read = { venue: name, symbol, bids, asks, sequence: book.sequence, at: clock.now() };
    last.set(symbol, read);
    return read;
  };
}
