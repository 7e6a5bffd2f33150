import { sum } from '../../../shared/kernel/decimal.js';
import type { Report } from './report-schema.js';

type AgingBand = Report['aging'][number];

/** Adds up the bands of more than 90 days late, which is from when a credit counts as in default. */
export function over90(aging: readonly AgingBand[]): AgingBand {
  const bands = aging.filter(({ fromDays }) => fromDays > 90);
  return {
    label: '90+',
    fromDays: 91,
    toDays: null,
    contracts: bands.reduce((count, { contracts }) => count + contracts, 0),
    balance: sum(bands.map(({ balance }) => balance)).toFixed(2),
    share: sum(bands.map(({ share }) => share)).toFixed(2),
  };
}
