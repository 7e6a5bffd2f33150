import { describeEnum } from '../graphql/describe-enum.js';
import type { PriceInterval } from './price-interval.js';

export const PriceIntervalEnum = describeEnum<PriceInterval>('PriceInterval', 'Selection of the prices in a history.', {
  DAILY: 'Every price',
  WEEKLY: 'The last price of each week (Monday to Sunday)',
  MONTHLY: 'The last price of each month',
});
