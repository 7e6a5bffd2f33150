import { broken } from '../../../../shared/import/import-rules.js';
import { oneOf } from '../../../../shared/import/model/text-values.js';
import type { ValueType } from '../../../../shared/import/model/value.js';
import { indexBases, indexProRatas } from '../../unit-price/index-bases.js';

const known = oneOf(...Object.keys(indexBases));

/** Starting point of the index factor. Rejects LAST_AMORTIZATION, which earlier versions accepted, and names its replacement. */
export const indexBase: ValueType = {
  ...known,
  read: (value) => (value === 'LAST_AMORTIZATION' ? { error: broken('LAST_AMORTIZATION') } : known.read(value)),
};

export const indexProRata = oneOf(...Object.keys(indexProRatas));

/** Lists the values with their meanings, for the description of a field. */
const texts = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings)
    .map(([name, text]) => `${name}: ${text}.`)
    .join(' ');
export const indexBaseTexts = texts(indexBases);
export const indexProRataTexts = texts(indexProRatas);
