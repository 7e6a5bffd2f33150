import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { EligibilityCriteria as Criteria } from './criteria.js';
import type { CriteriaRow } from './criteria.store.js';

const minText = 'Least face value of a contract, in BRL; null when it is not asked';
const maxText = 'Greatest face value of a contract, in BRL; null when it is not asked';
const termText = 'Most days from the day of processing to the due date of a contract; null when it is not asked';
const shareText =
  "Most that one debtor may have of a batch's face value, in percent with at most 4 decimals; null when it is not asked";

@ObjectType({
  simpleResolvers: true,
  description: 'What an estate takes in. A batch that has anything else is rejected.',
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

  @Field(() => DateTimeScalar, { description: 'Since when they hold' })
  updatedAt!: Date;
}

export type EligibilityCriteriaShape = Shape<EligibilityCriteria>;

@InputType({ description: 'What an estate is to take in. What is left out is not asked.' })
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
