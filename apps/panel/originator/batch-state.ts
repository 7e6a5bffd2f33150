import type { Tone } from '../../design/basics.js';

/** The statuses of batches, in the order of their lives. */
export const batchStates = ['DRAFT', 'SUBMITTED', 'PROCESSING', 'PROCESSED', 'REJECTED', 'CANCELLED'] as const;
export type BatchState = (typeof batchStates)[number];

export const toneOf: Readonly<Record<BatchState, Tone>> = {
  DRAFT: 'plain',
  SUBMITTED: 'warn',
  PROCESSING: 'warn',
  PROCESSED: 'good',
  REJECTED: 'bad',
  CANCELLED: 'plain',
};

/** Parameters of the address that filter a list of batches. */
export interface BatchParameters {
  readonly status?: BatchState;
  readonly number?: number;
  /** First and last day of creation, in São Paulo. */
  readonly from?: string;
  readonly to?: string;
}

const day = /^\d{4}-\d\d-\d\d$/;

/** Returns the parameters of an address that filter batches; all others are left out. */
export function batchParameters({ status, number, from, to }: Readonly<Record<string, unknown>>): BatchParameters {
  // A number may be written as it is shown: `0007`.
  const digits = typeof number === 'string' || typeof number === 'number' ? String(number).replace(/^0+/, '') : '';
  const state = batchStates.find((one) => one === status);
  return {
    ...(state === undefined ? {} : { status: state }),
    ...(/^[1-9]\d{0,8}$/.test(digits) ? { number: Number(digits) } : {}),
    ...(typeof from === 'string' && day.test(from) ? { from } : {}),
    ...(typeof to === 'string' && day.test(to) ? { to } : {}),
  };
}
