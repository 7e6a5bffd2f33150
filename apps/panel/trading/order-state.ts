import type { Tone } from '../../design/basics.js';

/** The filters of the list of orders: those that are open first. */
export const orderFilters = ['OPEN', 'FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED'] as const;

export type OrderStatus = 'PENDING' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELLED' | 'REJECTED' | 'EXPIRED';

export const toneOf: Readonly<Record<OrderStatus, Tone>> = {
  PENDING: 'warn',
  PARTIALLY_FILLED: 'warn',
  FILLED: 'good',
  CANCELLED: 'plain',
  REJECTED: 'bad',
  EXPIRED: 'plain',
};
