import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { EligibilityCriteria as Criteria } from './criteria.js';
import type { CriteriaRow } from './criteria.store.js';

const minText = 'Minimum face value of a contract, in BRL with at most 2 decimals; null for no limit';
const maxText = 'Maximum face value of a contract, in BRL with at most 2 decimals; null for no limit';
const termText = 'Maximum number of days from the day of processing to the due date of a contract; null for no limit';
const shareText =
  'Maximum share of one debtor in the face value of a batch, in percent with at most 4 decimals; null for no limit';

@ObjectType({
  simpleResolvers: true,
  description: 'The eligibility criteria of an estate. A batch with a contract that does not meet them is rejected.',
})
export class EligibilityCriteria {
  @Field(() => ID, { description: 'Id of the estate (UUID)' })
  patrimonyId!: string;

  @Field(() => DecimalScalar, { nullable: true, description: minText })
  minFaceValue!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: maxText })
  maxFaceValue!: string | null;

  @Field(() => Int, { nullable: true, description: termText })
  maxTermDays!: number | null;

  @Field(() => DecimalScalar, { nullable: true, description: shareText })
  maxDebtorShare!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time since which these criteria apply' })
  updatedAt!: Date;
}

export type EligibilityCriteriaShape = Shape<EligibilityCriteria>;

@InputType({ description: 'The eligibility criteria to set for an estate. A limit that is omitted is not checked.' })
export class EligibilityCriteriaInput {
  @Field(() => DecimalScalar, { nullable: true, description: minText })
  minFaceValue?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: maxText })
  maxFaceValue?: string | null;

  @Field(() => Int, { nullable: true, description: termText })
  maxTermDays?: number | null;

  @Field(() => DecimalScalar, { nullable: true, description: shareText })
  maxDebtorShare?: string | null;
}

export function toEligibilityCriteria(row: CriteriaRow): EligibilityCriteriaShape {
  return row;
}

export function fromInput(input: EligibilityCriteriaInput): Criteria {
  const { minFaceValue = null, maxFaceValue = null, maxTermDays = null, maxDebtorShare = null } = input;
  return { minFaceValue, maxFaceValue, maxTermDays, maxDebtorShare };
}
