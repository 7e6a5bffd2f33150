import type { Tone } from '../../design/basics.js';
import { oneOf, parametersIn } from '../frame/parameters.js';

export const orderParameters = (search: Readonly<Record<string, unknown>>) =>
  parametersIn(search, { status: oneOf(['OPEN', 'FILLED', 'CANCELLED', 'REJECTED', 'EXPIRED'] as const) });

export type OrderStatus = 'PENDING' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELLED' | 'REJECTED' | 'EXPIRED';

export const filterOf = (status: OrderStatus) =>
  status === 'PENDING' || status === 'PARTIALLY_FILLED' ? 'OPEN' : status;

export const toneOf: Readonly<Record<OrderStatus, Tone>> = {
  PENDING: 'warn',
  PARTIALLY_FILLED: 'warn',
  FILLED: 'good',
  CANCELLED: 'plain',
  REJECTED: 'bad',
  EXPIRED: 'plain',
};
