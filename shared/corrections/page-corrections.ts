import { requirePeriod } from '../bounds.js';
import type { Context } from '../context.js';
import type { CursorCodec } from '../cursor.js';
import { connectionPage, openPage, type ListPage } from '../list-page.js';
import { candidateReader, type CandidateQuery, type CandidateRange, type Place } from './candidates.store.js';
import type { CorrectionPageArgs } from './correction.type.js';
import { changeReader, type CorrectionRow } from './corrections.store.js';
import type { CorrectionReading } from './source.js';

/** A page of corrections. Its cursors continue after the last candidates that were examined. */
export interface CorrectionPage extends ListPage<CorrectionRow> {
  readonly startCursor: string | null;
  readonly endCursor: string | null;
  /** Counts the corrections; null where more candidates would have to be examined than for a page. */
  readonly count: () => Promise<number | null>;
}

/** Reads pages of corrections, newest first. */
export type PageCorrections = (
  context: Context,
  scope: readonly (string | null)[],
  args: CorrectionPageArgs,
) => Promise<CorrectionPage>;

/** How many candidates are examined: in the first step at least, in any step at most, and for one page at most. */
export interface CandidateSteps {
  readonly first: number;
  readonly step: number;
  readonly page: number;
}

const usualSteps: CandidateSteps = { first: 32, step: 2_000, page: 5_000 };
/** The growth factor from one step to the next. */
const growth = 8;

/**
 * Creates the reader of pages. It reads candidates in the order of an index, and then the corrections among them, until the page is full. The number of
 * candidates examined for one page is bounded: where hardly any of them is a correction, the page ends before it is full. Corrections recorded in the
 * meantime sort before the position at which the list continues.
 * @param scopes how many parameters the sources filter by
 */
export function correctionPager(
  codec: CursorCodec,
  readings: readonly CorrectionReading[],
  scopes: number,
  steps = usualSteps,
): PageCorrections {
  const readCandidates = candidateReader(readings);
  const readChanges = changeReader(readings, scopes);

  /** Reads corrections in a direction until there are more than `limit` or no more; returns the last position examined if candidates remain. */
  const read = async (context: Context, query: CandidateQuery, { beyond: begin, backward, limit }: CandidateRange) => {
    const rows: CorrectionRow[] = [];
    let beyond = begin;
    let step = Math.max(steps.first, limit + 1);
    for (let looked = 0; looked < steps.page && rows.length <= limit; looked += step) {
      step = looked === 0 ? step : Math.min(step * growth, steps.step, steps.page - looked);
      const places = await readCandidates(context, query, { beyond, backward, limit: step });
      rows.push(...(await readChanges(context, query.scope, places)));
      if (places.length < step) return { rows, upTo: undefined };
      beyond = places.at(-1);
    }
    return { rows, upTo: beyond };
  };

  const count = async (context: Context, query: CandidateQuery) => {
    const range = { beyond: undefined, backward: false, limit: steps.page };
    const { rows, upTo } = await read(context, query, range);
    return upTo === undefined ? rows.length : null;
  };

  return async (context, scope, { kind = null, from = null, to = null, ...wanted }) => {
    requirePeriod(from, to);
    const query = { scope, kind, from, to };
    const page = openPage(codec, connectionPage(wanted), { scope: JSON.stringify([scope, kind, from, to]) });
    const { position, backward, limit } = page;
    const beyond = position.length === 0 ? undefined : placeOf(position);
    const found = await read(context, query, { beyond, backward, limit });
    const taken = page.take(found.rows, positionOf);
    const cursors = { startCursor: taken.cursorAt(0), endCursor: taken.cursorAt(-1) };
    const whole = { ...taken, ...cursors, count: () => count(context, query) };
    // The list continues after the last candidate that was examined, whether or not it is a correction.
    if (found.rows.length > limit || found.upTo === undefined) return whole;
    const end = page.seal(positionOf(found.upTo));
    return backward ? { ...whole, hasPrevious: true, startCursor: end } : { ...whole, hasNext: true, endCursor: end };
  };
}

function positionOf({ at, kind, key }: Place): readonly string[] {
  return [at, kind, ...key];
}

function placeOf([at = '', kind = '', ...key]: readonly string[]): Place {
  return { at, kind, key };
}
