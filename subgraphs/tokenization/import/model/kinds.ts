import type { Kind } from '../../../../shared/import/model/kind.js';
import { assets, installments } from './assets.js';
import { indexValues } from './index-values.js';
import { patrimonies } from './patrimonies.js';
import { schedule } from './schedule.js';
import { tranches } from './tranches.js';

/** All kinds of records, parents before children: the order in which they are written. */
export const kinds: readonly Kind[] = [patrimonies, tranches, schedule, indexValues, assets, installments];
