import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { InterestEvent } from '../unit-price/policy.js';

export const InterestEventEnum = describeEnum<InterestEvent>(
  'InterestEvent',
  'Use of the accrued interest at an instalment.',
  {
    PAID: 'It is paid',
    INCORPORATED: 'It is added to the principal',
    ACCRUED: 'It is left to accrue further',
  },
  { PAID: ['Pagos', 'Paid'], INCORPORATED: ['Incorporados', 'Incorporated'], ACCRUED: ['Acumulados', 'Accrued'] },
);
