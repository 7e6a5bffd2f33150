import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { InterestEvent } from '../unit-price/policy.js';
import type { ScheduleStatus } from './schedule.js';

export const ScheduleStatusEnum = describeEnum<ScheduleStatus>('ScheduleStatus', 'Where an instalment stands.', {
  PENDING: 'Not due yet',
  PAID: 'Paid',
  OVERDUE: 'Due and not paid',
});

export const InterestEventEnum = describeEnum<InterestEvent>(
  'InterestEvent',
  'What becomes of the accrued interest at an instalment.',
  {
    PAID: 'It is paid',
    INCORPORATED: 'It becomes principal',
    ACCRUED: 'It is left to go on accruing',
  },
);
