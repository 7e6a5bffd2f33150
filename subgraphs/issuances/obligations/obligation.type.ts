import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { ObligationRow } from './obligation.store.js';
import { obligationStatus, type ObligationStatus, type Periodicity } from './obligation.js';

export const ObligationStatusEnum = describeEnum<ObligationStatus>(
  'ObligationStatus',
  'Status of an obligation of a debtor as of today.',
  {
    PENDING: 'Not delivered, and not late',
    OVERDUE: 'Not delivered within its days of grace',
    DELIVERED: 'Delivered within its days of grace',
    DELIVERED_LATE: 'Delivered after its days of grace',
    WAIVED: 'The holders waived it',
  },
);

export const PeriodicityEnum = describeEnum<Periodicity>('Periodicity', 'Interval at which an obligation recurs.', {
  ONCE: 'Never',
  MONTHLY: 'Every month',
  QUARTERLY: 'Every three months',
  SEMIANNUAL: 'Every six months',
  ANNUAL: 'Every year',
});

@ObjectType({ simpleResolvers: true, description: 'A delivery that a debtor owes according to the deed.' })
export class Obligation {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Object of the delivery' })
  title!: string;

  @Field(() => String, { description: 'Description; may be empty' })
  description!: string;

  @Field(() => String, { nullable: true, description: 'Party that has to deliver' })
  responsible!: string | null;

  @Field(() => PeriodicityEnum, { description: 'Interval at which it recurs' })
  periodicity!: Periodicity;

  @Field(() => DateScalar, { description: 'Due date' })
  dueDate!: string;

  @Field(() => Int, { description: 'Calendar days after the due date in which a delivery still counts as punctual' })
  graceDays!: number;

  @Field(() => DateScalar, { nullable: true, description: 'Day of the delivery' })
  deliveredDate!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day on which the holders waived it' })
  waivedDate!: string | null;

  @Field(() => ObligationStatusEnum, { description: 'Status as of today' })
  status!: ObligationStatus;
}

export function toObligation(row: ObligationRow, today: string): Shape<Obligation> {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    responsible: row.responsible,
    periodicity: row.periodicity,
    dueDate: row.dueDate,
    graceDays: row.graceDays,
    deliveredDate: row.deliveredDate,
    waivedDate: row.waivedDate,
    status: obligationStatus(row, today),
  };
}
