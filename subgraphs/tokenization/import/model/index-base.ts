import { oneOf } from '../../../../shared/import/model/text-values.js';
import type { ValueType } from '../../../../shared/import/model/value.js';
import { indexBases } from '../../unit-price/index-bases.js';

const known = oneOf(...Object.keys(indexBases));

/** Since when the index counts. LAST_AMORTIZATION, which earlier versions took, is refused with what to write in its place. */
export const indexBase: ValueType = {
  ...known,
  read: (value) =>
    value === 'LAST_AMORTIZATION'
      ? {
          fault:
            'is LAST_AMORTIZATION, which no published price supports: write START, YEARLY, ANNIVERSARY or LAST_EVENT, as the deed says',
        }
      : known.read(value),
};

/** What each base means, for the description of the field. */
export const indexBaseTexts = Object.entries(indexBases)
  .map(([name, text]) => `${name}: ${text}.`)
  .join(' ');
