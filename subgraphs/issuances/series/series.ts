import { formatRemuneration, type Remuneration } from '../../securities/indexer.js';

/** Describes a series' remuneration in words: the deed's own if it has some. */
export function remunerationOf(series: Remuneration & { readonly remunerationLabel: string | null }): string {
  return series.remunerationLabel ?? formatRemuneration(series);
}

/** Describes the remuneration of an operation in words: the remunerations of its series in order, without duplicates; undefined without series. */
export function remunerationOfAll(
  series: readonly (Remuneration & { readonly remunerationLabel: string | null })[],
): string | undefined {
  const labels = new Set(series.map(remunerationOf));
  return labels.size === 0 ? undefined : [...labels].join(' / ');
}
