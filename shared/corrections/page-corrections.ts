import { pageSizeOf } from '../bounds.js';
import type { Context } from '../context.js';
import type { CursorCodec } from '../cursor.js';
import { refuse } from '../errors.js';
import { candidateReader, type CandidateQuery, type Place } from './candidates.store.js';
import type { CorrectionPageArgs } from './correction.type.js';
import { changeReader, type CorrectionRow } from './corrections.store.js';
import type { CorrectionReading } from './source.js';

/** Corrections of a page, with what to go on after each of them with. */
export interface CorrectionPage {
  readonly rows: readonly CorrectionRow[];
  readonly cursors: readonly string[];
  readonly hasNext: boolean;
  /** What to go on after the page with: after its last row, or after the last candidate that was looked at. Null for an empty list. */
  readonly endCursor: string | null;
}

/** Reads pages of corrections, newest first. */
export type PageCorrections = (
  context: Context,
  scope: readonly (string | null)[],
  wish: CorrectionPageArgs,
) => Promise<CorrectionPage>;

/** How many candidates are looked at: in the first step at least, in a step at most, and for one page at most. */
export interface CandidateSteps {
  readonly first: number;
  readonly step: number;
  readonly page: number;
}

const usualSteps: CandidateSteps = { first: 32, step: 2_000, page: 5_000 };
/** How much larger a step is than the one before. */
const growth = 8;

/**
 * Makes the reader of pages. Candidates are read in the order of an index, and of those the ones that are corrections, for as long as the
 * page has room. What one page looks at is bounded: where nearly everything that changed was no correction, it ends before it is full.
 * One that comes meanwhile is before the place at which the list goes on.
 * @param scopes how many parameters the sources narrow by
 */
export function correctionPager(
  codec: CursorCodec,
  readings: readonly CorrectionReading[],
  scopes: number,
  steps = usualSteps,
): PageCorrections {
  const readCandidates = candidateReader(readings);
  const readChanges = changeReader(readings, scopes);

  /** Corrections after a place, more than `limit` or all there are; else the place up to which everything was looked at. */
  const read = async (context: Context, query: CandidateQuery, begin: Place | undefined, limit: number) => {
    const rows: CorrectionRow[] = [];
    let after = begin;
    let step = Math.max(steps.first, limit + 1);
    for (let looked = 0; looked < steps.page && rows.length <= limit; looked += step) {
      step = looked === 0 ? step : Math.min(step * growth, steps.step, steps.page - looked);
      const places = await readCandidates(context, query, after, step);
      rows.push(...(await readChanges(context, query.scope, places)));
      if (places.length < step) return { rows, upTo: undefined };
      after = places.at(-1);
    }
    return { rows, upTo: after };
  };

  return async (context, scope, { kind = null, from = null, to = null, first, after }) => {
    const limit = pageSizeOf(first);
    if (from !== null && to !== null && to < from)
      refuse('BAD_REQUEST', [{ path: 'to', message: 'must not be before `from`' }]);
    const list = JSON.stringify([scope, kind, from, to]);
    const seal = ({ at, kind, key }: Place) => codec.seal(list, [at, kind, ...key]);
    const place = after == null ? undefined : placeOf(codec.open(list, after));
    const found = await read(context, { scope, kind, from, to }, place, limit);
    const rows = found.rows.slice(0, limit);
    const cursors = rows.map(seal);
    const isFull = found.rows.length > limit;
    return {
      rows,
      cursors,
      hasNext: isFull || found.upTo !== undefined,
      endCursor: (!isFull && found.upTo !== undefined ? seal(found.upTo) : cursors.at(-1)) ?? null,
    };
  };
}

function placeOf([at = '', kind = '', ...key]: readonly string[]): Place {
  return { at, kind, key };
}
