import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import { connectionArgs } from '../../../shared/subgraph/page-args.js';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { PaymentStatusEnum } from '../../../shared/securities/payment-status.enum.js';
import type { PaymentStatus } from '../../../shared/securities/payment-status.js';
import { usualPaymentDays } from '../../../shared/securities/payment-window.js';
import { ScheduleEntry } from './schedule-entry.type.js';

@ArgsType()
export class UpcomingPaymentArgs extends connectionArgs() {
  @Field(() => [String], {
    nullable: true,
    description:
      'Only payments of series with one of these tickers, in any case; `unknownTickers` has those that no series has. An empty list does not restrict the payments',
  })
  tickers?: string[] | null;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'First due date; today in São Paulo when omitted, and no lower bound with the status PAID or OVERDUE, nor where `to` is before today. An earlier day includes overdue payments',
  })
  from?: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: `Last due date; ${String(usualPaymentDays)} days after the first one when omitted, and no upper bound with the status PAID or OVERDUE`,
  })
  to?: string | null;

  @Field(() => PaymentStatusEnum, {
    nullable: true,
    description:
      'Only payments that are overdue (OVERDUE), not yet overdue (PENDING), or paid, also of CLOSED series (PAID); unpaid ones when omitted',
  })
  status?: PaymentStatus | null;
}

export const UpcomingPaymentConnection = connectionType(ScheduleEntry, {
  name: 'UpcomingPayment',
  nodes: 'payments',
  order: 'by due date, ticker of the series and number',
});

@ObjectType({ simpleResolvers: true, description: 'Sums of the payments on all pages, for all units of their series.' })
export class UpcomingPaymentTotals {
  @Field(() => Int, { description: 'Number of payments' })
  count!: number;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Interest in BRL, 2 decimals, with projected amounts; null where there are payments and none has an amount',
  })
  interestValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Principal in BRL, 2 decimals, with projected amounts; null where there are payments and none has an amount',
  })
  principalValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Interest and principal in BRL, 2 decimals, with projected amounts; null where there are payments and none has an amount',
  })
  totalValue!: string | null;

  @Field(() => Int, { description: 'Number of payments whose amounts are projected' })
  projectedCount!: number;

  @Field(() => Int, { description: 'Number of payments that have no amount and cannot be projected; no sum has them' })
  withoutValue!: number;
}
