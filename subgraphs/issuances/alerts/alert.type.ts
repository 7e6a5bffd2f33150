import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { CursorPageArgs } from '../../../shared/graphql/page-args.js';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Covenant, CovenantCaveat, CovenantMetric } from '../reports/covenants.js';
import { CovenantCaveatEnum, CovenantComparisonEnum, CovenantMetricEnum } from '../reports/risk-sections.type.js';
import type { AlertKind } from './alert.js';

export const AlertKindEnum = describeEnum<AlertKind>(
  'AlertKind',
  'Reason for an alert about an operation.',
  {
    COVENANT_BREACHED: 'A figure of the live report is beyond the threshold of a covenant',
    PAYMENT_OVERDUE: 'A payment to the holders was not made by the business day on which it fell due',
    OBLIGATION_OVERDUE: 'A debtor did not deliver within the days of grace',
  },
  {
    COVENANT_BREACHED: ['Covenant descumprido', 'Covenant breached'],
    PAYMENT_OVERDUE: ['Pagamento em atraso', 'Payment overdue'],
    OBLIGATION_OVERDUE: ['Obrigação em atraso', 'Obligation overdue'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'A breached covenant, as tested in the live report.' })
export class CovenantBreach {
  @Field(() => CovenantMetricEnum, { description: 'The tested figure' })
  metric!: CovenantMetric;

  @Field(() => CovenantComparisonEnum, { description: 'Side of the threshold on which the figure must be' })
  comparison!: Covenant['comparison'];

  @Field(() => DecimalScalar, { description: 'The threshold, in percent, 4 decimals' })
  threshold!: string;

  @Field(() => DecimalScalar, { description: 'The figure, in percent, 4 decimals' })
  value!: string;

  @Field(() => DecimalScalar, {
    description: 'By how many percentage points the figure is beyond the threshold, 4 decimals',
  })
  excess!: string;

  @Field(() => CovenantCaveatEnum, { nullable: true, description: 'Caveat about the test; null without one' })
  caveat!: CovenantCaveat | null;
}

@ObjectType({ simpleResolvers: true, description: 'Something about an operation that is overdue or breached.' })
export class OperationAlert {
  @Field(() => AlertKindEnum, { description: 'Reason for the alert' })
  kind!: AlertKind;

  @Field(() => String, { description: 'Ticker of the operation' })
  operationTicker!: string;

  @Field(() => String, { description: 'Name of the operation' })
  operationName!: string;

  @Field(() => String, {
    description: 'Name of the covenant, kind of the payment (Juros, Amortização…), or object of the obligation',
  })
  title!: string;

  @Field(() => DateScalar, { nullable: true, description: 'Due date; null for a covenant' })
  dueDate!: string | null;

  @Field(() => Int, { nullable: true, description: 'Days since the due date; null for a covenant' })
  daysLate!: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Overdue interest and principal in BRL, 2 decimals; null while it is not known, and for other kinds',
  })
  amount!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Ticker of the series of a payment; null for a payment of the whole operation, and for other kinds',
  })
  seriesTicker!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Party that has to deliver an obligation; null where it is not known, and for other kinds',
  })
  responsible!: string | null;

  @Field(() => CovenantBreach, { nullable: true, description: 'The breached covenant; null for other kinds' })
  covenant!: CovenantBreach | null;
}

/** An alert with its id, by which the list is in a total order. */
export type AlertShape = Shape<OperationAlert> & { readonly id: string; readonly operationId: string };

@ObjectType({ simpleResolvers: true, description: 'Totals of a list of alerts, on all pages.' })
export class AlertTotals {
  @Field(() => Int, { description: 'Operations that have an alert' })
  operations!: number;

  @Field(() => Int, { description: 'Breached covenants' })
  breachedCovenants!: number;

  @Field(() => Int, { description: 'Overdue payments' })
  overduePayments!: number;

  @Field(() => DecimalScalar, { description: 'Sum of the overdue payments whose amount is known, in BRL, 2 decimals' })
  overdueAmount!: string;

  @Field(() => Int, { description: 'Overdue payments whose amount is not known; `overdueAmount` is without them' })
  paymentsWithoutAmount!: number;

  @Field(() => Int, { description: 'Overdue obligations' })
  overdueObligations!: number;
}

// The resolver adds the totals.
export const OperationAlertConnection = connectionType(OperationAlert, {
  name: 'OperationAlert',
  nodes: 'alerts',
  order: 'covenants, then payments and obligations, the most overdue first',
});

@ArgsType()
export class AlertArgs extends CursorPageArgs {
  @Field(() => [String], {
    nullable: true,
    description:
      'Only alerts about the operations with these tickers or slugs, in any case, at most 100; all public operations when omitted or empty',
  })
  tickers?: string[] | null;

  @Field(() => [AlertKindEnum], {
    nullable: true,
    description: 'Only alerts of these kinds; all when omitted or empty',
  })
  kinds?: AlertKind[] | null;
}
