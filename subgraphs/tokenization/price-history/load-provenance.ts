import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import type { TrancheRow } from '../tranches/tranche.store.js';
import { inputsOf, type Inputs, type KnownValues, type PricedDay } from './provenance.js';
import {
  listIndexVersions,
  listProjectionVersions,
  loadInstalments,
  loadPolicies,
  policyKey,
  type PricedInstalment,
  type PriceKey,
} from './price-history.store.js';

export type ProvenanceKey = PriceKey & PricedDay & { readonly policyVersion: number };

export interface Provenance extends Inputs {
  readonly policy: TrancheRow;
  readonly instalment: PricedInstalment | null;
}

/** Returns the inputs of each price; null if its policy is no longer kept. */
export type LoadProvenance = (context: Context, prices: readonly ProvenanceKey[]) => Promise<(Provenance | null)[]>;

/** Maximum number of rates and months that the prices of one response may list together. */
const mostInputs = 50_000;

/** The inputs can include values from before the start of a period: by the lag, and the previous month. */
const longestLagDays = 430;

/** Takes four queries for any number of prices. @throws {ApiError} BAD_REQUEST if the prices list more rates than a response may contain */
export function createProvenanceLoader(calendar: () => Promise<Calendar>): LoadProvenance {
  return async (context, prices) => {
    const days = await calendar();
    const policies = await loadPolicies(
      context,
      prices.map(({ trancheId }) => trancheId),
    );
    const policyFor = (price: ProvenanceKey) => policies.get(policyKey(price.trancheId, price.policyVersion));
    const rates = prices.reduce((sum, price) => sum + (policyFor(price)?.indexer === 'DI' ? price.businessDays : 0), 0);
    if (rates > mostInputs) {
      const message = `These prices use ${String(rates)} DI rates, but a response can contain ${String(mostInputs)}: request fewer prices with \`last\` and \`to\``;
      throw new ApiError('BAD_REQUEST', { message, details: [{ path: 'provenance', message }] });
    }
    const instalments = await loadInstalments(context, prices);
    const knownAt = await readKnown(
      context,
      prices,
      prices.flatMap((price) => policyFor(price) ?? []),
    );
    const found: (Provenance | null)[] = [];
    for (const [index, price] of prices.entries()) {
      const policy = policyFor(price);
      found.push(
        policy === undefined
          ? null
          : {
              policy,
              instalment: instalments[index] ?? null,
              ...inputsOf(policy, price, days, knownAt(price.calculatedAt)),
            },
      );
      if (index % 20 === 19) await othersFirst();
    }
    return found;
  };
}

/** Returns a function that finds the index values and projections of some policies as known at a given moment. */
async function readKnown(
  context: Context,
  prices: readonly ProvenanceKey[],
  policies: readonly TrancheRow[],
): Promise<(madeAt: Date) => KnownValues> {
  const indices = [...new Set(policies.map(({ indexer }) => indexer))].filter((indexer) => indexer !== 'NONE');
  const starts = prices.map(({ accrualStart, indexStart }) => (accrualStart < indexStart ? accrualStart : indexStart));
  const [from] = starts.sort();
  const to = prices
    .map(({ date }) => date)
    .sort()
    .at(-1);
  if (indices.length === 0 || from === undefined || to === undefined)
    return () => ({ find: () => undefined, projections: () => [] });
  const first = new Date(Date.parse(from) - longestLagDays * 86_400_000).toISOString().slice(0, 10);
  const versions = groupBy(
    await listIndexVersions(context, indices, first, to),
    ({ index, date }) => `${index} ${date}`,
  );
  const projected = groupBy(
    await listProjectionVersions(context, indices, first, to),
    ({ index, date }) => `${index} ${date}`,
  );
  return (madeAt) => ({
    find: (index, date) => versions.get(`${index} ${date}`)?.findLast(({ recordedAt }) => recordedAt <= madeAt),
    projections: (index, date) => {
      const known = (projected.get(`${index} ${date}`) ?? []).filter(({ recordedAt }) => recordedAt <= madeAt);
      const newest = new Map(known.map((projection) => [projection.publishedOn, projection]));
      return [...newest.values()].flatMap(({ percent, ...one }) => (percent === null ? [] : [{ ...one, percent }]));
    },
  });
}
