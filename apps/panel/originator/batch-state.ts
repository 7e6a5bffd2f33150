import type { Tone } from '../../design/basics.js';
import { valueIn } from '../../design/controls/controls.js';
import { asDay, parametersIn, asText, oneOf } from '../frame/parameters.js';

type BatchState = 'DRAFT' | 'SUBMITTED' | 'PROCESSING' | 'PROCESSED' | 'REJECTED' | 'CANCELLED';

export const toneOf: Readonly<Record<BatchState, Tone>> = {
  DRAFT: 'plain',
  SUBMITTED: 'warn',
  PROCESSING: 'warn',
  PROCESSED: 'good',
  REJECTED: 'bad',
  CANCELLED: 'plain',
};

/** Filters of a list of batches; the days are days of creation in São Paulo. */
export const batchParameters = (search: Readonly<Record<string, unknown>>) =>
  parametersIn(search, {
    status: (text) => valueIn(toneOf, text),
    // A number may be written as it is shown: `0007`.
    number: (text) => (/^0*[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
    from: asDay,
    to: asDay,
  });

/** Filters of receivables: identifier in the originator's system, estate id, first and last due day. */
export const receivableParameters = (search: Readonly<Record<string, unknown>>) =>
  parametersIn(search, {
    contrato: asText,
    status: oneOf(['PENDING', 'REFUSED', 'OPEN', 'SETTLED'] as const),
    patrimonio: asText,
    de: asDay,
    ate: asDay,
  });

export function receivableQuery({ contrato, status, patrimonio, de, ate }: ReturnType<typeof receivableParameters>) {
  return {
    externalId: contrato ?? null,
    filter: { status: status ?? null, patrimonyId: patrimonio ?? null, dueFrom: de ?? null, dueTo: ate ?? null },
  };
}
