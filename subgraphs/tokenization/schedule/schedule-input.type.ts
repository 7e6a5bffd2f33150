import { Field, InputType, Int } from 'type-graphql';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { DecimalScalar, MonthScalar } from '../../../shared/graphql/scalars.js';
import type { AmortizationSystem, SchedulePolicy } from '../unit-price/schedule-policy.js';

const SystemEnum = describeEnum<AmortizationSystem['kind']>(
  'AmortizationSystem',
  'System by which principal is repaid.',
  {
    BULLET: 'In full at the end',
    SAC: 'In equal parts',
    PRICE: 'By equal payments for equal periods, interest and principal together',
    TABLE: 'According to the table of the deed',
  },
);

const AccrueUntilEnum = describeEnum<SchedulePolicy['accrueUntil']>(
  'AccrueUntil',
  'Day until which interest accrues.',
  {
    ANNIVERSARY: 'Until the anniversary, even if it is paid later',
    DUE_DATE: 'Until the day on which it is paid',
  },
);

const GraceInterestEnum = describeEnum<SchedulePolicy['graceInterest']>(
  'GraceInterest',
  'Use of interest that is not paid.',
  { INCORPORATED: 'It is added to the principal', ACCRUED: 'It is left to accrue further' },
);

@InputType({ description: 'System by which principal is repaid.' })
export class AmortizationInput {
  @Field(() => SystemEnum, { description: 'System of repayment' })
  system!: AmortizationSystem['kind'];

  @Field(() => DecimalScalar, { nullable: true, description: 'Rate for PRICE, in percent per year' })
  rate?: string | null;

  @AtMost({ maxItems: 1_200 })
  @Field(() => [DecimalScalar], {
    nullable: true,
    description:
      'Percentages for TABLE, one for each instalment: of the balance, the last one 100, or, for a series with `amortizationOf: ISSUE_VALUE` in its import, of the issue value, 100 together',
  })
  percentages?: readonly string[] | null;
}

@InputType({ description: 'Rules of the payment schedule of a series.' })
export class ScheduleInput {
  @Field(() => MonthScalar, { description: 'Month of the first instalment' })
  firstMonth!: string;

  @Field(() => Int, { description: 'Day of the month, 1 to 31; the last day in months without such a day' })
  anniversaryDay!: number;

  @Field(() => Int, { defaultValue: 1, description: 'Number of months from one instalment to the next, 1 to 120' })
  everyMonths!: number;

  @Field(() => Int, { description: 'Number of instalments, 1 to 600' })
  installments!: number;

  @Field(() => AccrueUntilEnum, {
    defaultValue: 'ANNIVERSARY',
    description:
      'Day until which the interest of an instalment accrues. Deeds let it be paid on the next business day without any addition: the default',
  })
  accrueUntil!: SchedulePolicy['accrueUntil'];

  @Field(() => AmortizationInput, { description: 'Repayment of the principal' })
  amortization!: AmortizationInput;

  @Field(() => Int, {
    defaultValue: 0,
    description: 'Number of instalments at the beginning that pay no principal; less than all',
  })
  principalGrace!: number;

  @Field(() => Int, {
    defaultValue: 0,
    description: 'Number of instalments at the beginning that pay no interest either; at most `principalGrace`',
  })
  interestGrace!: number;

  @Field(() => GraceInterestEnum, { defaultValue: 'INCORPORATED', description: 'Use of the interest that is not paid' })
  graceInterest!: SchedulePolicy['graceInterest'];

  @Field(() => Int, { defaultValue: 4, description: 'Decimals of the amortization percentages, 0 to 8' })
  percentageDecimals!: number;
}

/**
 * Converts the input to a policy.
 * @throws {ApiError} BAD_REQUEST for an amortization system without its parameters
 */
export function toSchedulePolicy({ installments, amortization, ...rest }: ScheduleInput): SchedulePolicy {
  return { ...rest, instalments: installments, amortization: toSystem(amortization) };
}

function toSystem({ system, rate, percentages }: AmortizationInput): AmortizationSystem {
  if (system === 'PRICE') {
    if (rate == null) throw lacking('rate', system);
    return { kind: system, rate: new Decimal(rate) };
  }
  if (system === 'TABLE') {
    if (percentages == null) throw lacking('percentages', system);
    return { kind: system, percentages: percentages.map((percentage) => new Decimal(percentage)) };
  }
  return { kind: system };
}

function lacking(field: string, system: string): ApiError {
  return new ApiError('BAD_REQUEST', {
    details: [{ path: `schedule.amortization.${field}`, message: `must be given together with ${system}` }],
  });
}
