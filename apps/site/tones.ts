import type { Tone } from '../design/basics.js';

/** Tones of the states of operations, series, payments, obligations, estates and assets. */
const tones: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  PAID: 'good',
  DELIVERED: 'good',
  OFFERED: 'plain',
  FUNDRAISING: 'plain',
  PENDING: 'plain',
  DELIVERED_LATE: 'warn',
  PARTIALLY_PAID: 'warn',
  OVERDUE: 'bad',
  DEFAULTED: 'bad',
  ACCELERATED: 'bad',
};

/** Returns the tone of a state; that of one without a meaning for the reader is plain. */
export function toneOf(state: string): Tone {
  return tones[state] ?? 'plain';
}
