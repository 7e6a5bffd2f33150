import type { Tone } from '../../design/basics.js';

/** The states of deliveries, in the order of the filter. */
export const deliveryStates = ['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const toneOf: Readonly<Record<DeliveryState, Tone>> = {
  PENDING: 'plain',
  DELIVERED: 'good',
  FAILED: 'bad',
  SKIPPED: 'warn',
};
