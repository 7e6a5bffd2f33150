import type { Tone } from '../../design/basics.js';
import { valueIn } from '../../design/controls/controls.js';
import { asDay, parametersIn } from '../frame/parameters.js';

type BatchState = 'DRAFT' | 'SUBMITTED' | 'PROCESSING' | 'PROCESSED' | 'REJECTED' | 'CANCELLED';

export const toneOf: Readonly<Record<BatchState, Tone>> = {
  DRAFT: 'plain',
  SUBMITTED: 'warn',
  PROCESSING: 'warn',
  PROCESSED: 'good',
  REJECTED: 'bad',
  CANCELLED: 'plain',
};

/** What filters a list of batches; the days are those of creation, in São Paulo. */
export const batchParameters = (search: Readonly<Record<string, unknown>>) =>
  parametersIn(search, {
    status: (text) => valueIn(toneOf, text),
    // It may be written as it is shown: `0007`.
    number: (text) => (/^0*[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
    from: asDay,
    to: asDay,
  });
