import { Counter } from 'prom-client';

/** Look-ups in the caches of this process, by cache and outcome (`hit` or `miss`); exported at `/metrics`. */
export const cacheLookups = new Counter({
  name: 'cache_lookups_total',
  help: 'Look-ups in the caches of this process, by cache and outcome.',
  labelNames: ['cache', 'outcome'],
  registers: [],
});

/** Counts one look-up. */
export function countLookup(cache: string, hit: boolean): void {
  cacheLookups.inc({ cache, outcome: hit ? 'hit' : 'miss' });
}
