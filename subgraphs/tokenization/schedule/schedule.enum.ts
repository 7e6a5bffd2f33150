import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { InterestEvent } from '../unit-price/policy.js';
import type { ScheduleStatus } from './schedule.js';

export const ScheduleStatusEnum = describeEnum<ScheduleStatus>('ScheduleStatus', 'Status of an instalment.', {
  PENDING: 'Not yet due',
  PAID: 'Paid',
  OVERDUE: 'Due and not paid',
});

export const InterestEventEnum = describeEnum<InterestEvent>(
  'InterestEvent',
  'Use of the accrued interest at an instalment.',
  {
    PAID: 'It is paid',
    INCORPORATED: 'It is added to the principal',
    ACCRUED: 'It is left to accrue further',
  },
);
