import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar } from '../../../shared/subgraph/scalars.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { ObligationRow } from './obligation.entity.js';
import { obligationStatus, type ObligationStatus, type Periodicity } from './obligation.js';

export const ObligationStatusEnum = describeEnum<ObligationStatus>(
  'ObligationStatus',
  'Where an obligation of a debtor stands today.',
  {
    PENDING: 'Not delivered, and not late',
    OVERDUE: 'Not delivered by the end of its days of grace',
    DELIVERED: 'Delivered within its days of grace',
    DELIVERED_LATE: 'Delivered after them',
    WAIVED: 'The holders gave it up',
  },
);

export const PeriodicityEnum = describeEnum<Periodicity>('Periodicity', 'How often an obligation comes back.', {
  ONCE: 'Never',
  MONTHLY: 'Every month',
  QUARTERLY: 'Every three months',
  SEMIANNUAL: 'Every six months',
  ANNUAL: 'Every year',
});

@ObjectType({ simpleResolvers: true, description: 'One delivery that a debtor owes.' })
export class Obligation {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'What is due' })
  title!: string;

  @Field(() => String, { description: 'Description; may be empty' })
  description!: string;

  @Field(() => String, { nullable: true, description: 'Who has to deliver' })
  responsible!: string | null;

  @Field(() => PeriodicityEnum, { description: 'How often it comes back' })
  periodicity!: Periodicity;

  @Field(() => DateScalar, { description: 'Due date' })
  dueDate!: string;

  @Field(() => Int, { description: 'Calendar days after it in which a delivery still counts as punctual' })
  graceDays!: number;

  @Field(() => DateScalar, { nullable: true, description: 'Day of the delivery' })
  deliveredDate!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day on which the holders gave it up' })
  waivedDate!: string | null;

  @Field(() => ObligationStatusEnum, { description: 'Where it stands today' })
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
