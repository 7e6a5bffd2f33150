import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar } from '../../../shared/graphql/scalars.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { ObligationStatus, Periodicity } from './obligation.js';

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
  {
    PENDING: ['Pendente', 'Pending'],
    OVERDUE: ['Em atraso', 'Overdue'],
    DELIVERED: ['Entregue', 'Delivered'],
    DELIVERED_LATE: ['Entregue com atraso', 'Delivered late'],
    WAIVED: ['Dispensada', 'Waived'],
  },
);

export const PeriodicityEnum = describeEnum<Periodicity>(
  'Periodicity',
  'Interval at which an obligation recurs.',
  {
    ONCE: 'Never',
    MONTHLY: 'Every month',
    QUARTERLY: 'Every three months',
    SEMIANNUAL: 'Every six months',
    ANNUAL: 'Every year',
  },
  {
    ONCE: ['Única', 'Once'],
    MONTHLY: ['Mensal', 'Monthly'],
    QUARTERLY: ['Trimestral', 'Quarterly'],
    SEMIANNUAL: ['Semestral', 'Semiannual'],
    ANNUAL: ['Anual', 'Annual'],
  },
);

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
