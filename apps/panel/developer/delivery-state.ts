import type { Tone } from '../../design/basics.js';
import { valueIn } from '../../design/controls/controls.js';
import { parametersIn } from '../frame/parameters.js';

type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED' | 'SKIPPED';

export const toneOf: Readonly<Record<DeliveryState, Tone>> = {
  PENDING: 'plain',
  DELIVERED: 'good',
  FAILED: 'bad',
  SKIPPED: 'warn',
};

/** What filters the deliveries of a webhook. */
export const deliveryParameters = (search: Readonly<Record<string, unknown>>) =>
  parametersIn(search, { status: (text) => valueIn(toneOf, text) });
