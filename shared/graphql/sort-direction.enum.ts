import type { SortDirection } from './sorted-list.js';
import { describeEnum } from './describe-enum.js';

export const SortDirectionEnum = describeEnum<SortDirection>('SortDirection', 'Direction of sorting.', {
  ASC: 'Smallest first',
  DESC: 'Largest first',
});
