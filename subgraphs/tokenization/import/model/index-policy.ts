import { oneOf } from '../../../../shared/import/model/text-values.js';
import { indexBases, indexProRatas } from '../../unit-price/index-bases.js';

/** Starting point of the index factor. */
export const indexBase = oneOf(...Object.keys(indexBases));
export const indexProRata = oneOf(...Object.keys(indexProRatas));

/** Lists the values with their meanings, for the description of a field. */
const texts = (meanings: Readonly<Record<string, string>>) =>
  Object.entries(meanings)
    .map(([name, text]) => `${name}: ${text}.`)
    .join(' ');
export const indexBaseTexts = texts(indexBases);
export const indexProRataTexts = texts(indexProRatas);
