import { requirePeriod } from '../bounds.js';
import type { Context } from '../context.js';
import type { CursorCodec } from '../cursor.js';
import { openPage, type ListPage } from '../list-page.js';
import { candidateReader, type CandidateQuery, type Place } from './candidates.store.js';
import type { CorrectionPageArgs } from './correction.type.js';
import { changeReader, type CorrectionRow } from './corrections.store.js';
import type { CorrectionReading } from './source.js';

/** A page of corrections. */
export interface CorrectionPage extends ListPage<CorrectionRow> {
  /** The cursor to continue after the page: after its last row, or after the last candidate examined. Null for an empty list. */
  readonly endCursor: string | null;
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

  /** Reads corrections after a position until there are more than `limit` or no more; returns the last position examined if candidates remain. */
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
    requirePeriod(from, to);
    const page = openPage(codec, { limit: first, cursor: after }, { scope: JSON.stringify([scope, kind, from, to]) });
    const place = after == null ? undefined : placeOf(page.position);
    const found = await read(context, { scope, kind, from, to }, place, page.limit);
    const full = page.take(found.rows, positionOf);
    // The list continues after the last candidate that was examined, whether or not it is a correction.
    if (full.hasNext || found.upTo === undefined) return { ...full, endCursor: full.cursorAt(-1) };
    return { ...full, hasNext: true, endCursor: page.seal(positionOf(found.upTo)) };
  };
}

function positionOf({ at, kind, key }: Place): readonly string[] {
  return [at, kind, ...key];
}

function placeOf([at = '', kind = '', ...key]: readonly string[]): Place {
  return { at, kind, key };
}
