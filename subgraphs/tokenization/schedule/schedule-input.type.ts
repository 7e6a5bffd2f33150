import { Field, InputType, Int } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { Decimal } from '../../../shared/decimal.js';
import { ApiError } from '../../../shared/errors.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { DecimalScalar, MonthScalar } from '../../../shared/subgraph/scalars.js';
import type { AmortizationSystem, SchedulePolicy } from '../unit-price/schedule-policy.js';

const SystemEnum = describeEnum<AmortizationSystem['kind']>('AmortizationSystem', 'How principal is paid back.', {
  BULLET: 'All of it at the end',
  SAC: 'In equal parts',
  PRICE: 'So that equal periods pay the same, interest and principal together',
  TABLE: "As the deed's table says",
});

const AccrueUntilEnum = describeEnum<SchedulePolicy['accrueUntil']>('AccrueUntil', 'Up to when interest runs.', {
  ANNIVERSARY: 'Up to the anniversary, although it is paid later',
  DUE_DATE: 'Up to the day on which it is paid',
});

const GraceInterestEnum = describeEnum<SchedulePolicy['graceInterest']>(
  'GraceInterest',
  'What becomes of interest that is not paid.',
  { INCORPORATED: 'It becomes principal', ACCRUED: 'It goes on accruing' },
);

@InputType({ description: 'How principal is paid back.' })
export class AmortizationInput {
  @Field(() => SystemEnum, { description: 'By which system' })
  system!: AmortizationSystem['kind'];

  @Field(() => DecimalScalar, { nullable: true, description: "PRICE's rate, in percent a year" })
  rate?: string | null;

  @AtMost({ maxItems: 1_200 })
  @Field(() => [DecimalScalar], {
    nullable: true,
    description: "TABLE's percentages of the balance, one for each instalment, the last one 100",
  })
  percentages?: readonly string[] | null;
}

@InputType({ description: 'When a series pays, and what.' })
export class ScheduleInput {
  @Field(() => MonthScalar, { description: 'Month of the first instalment' })
  firstMonth!: string;

  @Field(() => Int, { description: 'Day of the month, 1 to 31; the last one in a month without such a day' })
  anniversaryDay!: number;

  @Field(() => Int, { defaultValue: 1, description: 'Months from one instalment to the next, 1 to 120' })
  everyMonths!: number;

  @Field(() => Int, { description: 'How many there are, 1 to 600' })
  installments!: number;

  @Field(() => AccrueUntilEnum, { defaultValue: 'DUE_DATE', description: 'Up to when the interest of one runs' })
  accrueUntil!: SchedulePolicy['accrueUntil'];

  @Field(() => AmortizationInput, { description: 'How principal is paid back' })
  amortization!: AmortizationInput;

  @Field(() => Int, { defaultValue: 0, description: 'How many at the beginning pay no principal; fewer than all' })
  principalGrace!: number;

  @Field(() => Int, { defaultValue: 0, description: 'How many of these pay no interest either' })
  interestGrace!: number;

  @Field(() => GraceInterestEnum, { defaultValue: 'INCORPORATED', description: 'What becomes of that interest' })
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
    details: [{ path: `schedule.amortization.${field}`, message: `must be given with ${system}` }],
  });
}
