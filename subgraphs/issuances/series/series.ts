import { formatRemuneration, type Remuneration } from '../../../shared/format/format.js';
import type { RiskClass } from '../reports/subordination.js';

/** A class of risk as it is shown. */
export const classLabels: Readonly<Record<RiskClass, string>> = {
  SENIOR: 'Sênior',
  MEZZANINE: 'Mezanino',
  JUNIOR: 'Subordinada',
  UNIQUE: 'Única',
};

/** A series' remuneration in words: those of the deed where it has its own. */
export function remunerationOf(series: Remuneration & { readonly remunerationLabel: string | null }): string {
  return series.remunerationLabel ?? formatRemuneration(series);
}

/** What an operation pays, in words: those of its series in their order, each once; undefined without series. */
export function remunerationOfAll(
  series: readonly (Remuneration & { readonly remunerationLabel: string | null })[],
): string | undefined {
  const labels = new Set(series.map(remunerationOf));
  return labels.size === 0 ? undefined : [...labels].join(' / ');
}
