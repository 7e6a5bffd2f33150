import { Arg, Ctx, ID, Mutation, Query, Resolver, Field, InputType, Int, ObjectType } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { Access } from '../../../shared/graphql/access.js';
import { readScope } from '../originators/visible-originators.js';
import { removeCriteria, setCriteria } from './change-criteria.js';
import { findCriteria, type CriteriaRow } from './criteria.store.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { EligibilityCriteria as Criteria } from './criteria.js';

const estateText = 'Id of the estate (UUID)';
const reasonText = 'Reason of the change, 1 to 500 characters on one line; it is published with the correction';

@Resolver()
export class CriteriaResolver {
  @Access('originator', readScope)
  @AsOf()
  @Query(() => EligibilityCriteria, {
    nullable: true,
    description:
      'The eligibility criteria of an estate; null when the estate has none, and therefore accepts no credits, or does not exist. For operators, and for originators who want to know before an assignment which credits would be rejected.',
  })
  async eligibilityCriteria(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
  ): Promise<EligibilityCriteriaShape | null> {
    const row = isUuid(patrimonyId) ? await findCriteria(context, patrimonyId) : undefined;
    return row === undefined ? null : toEligibilityCriteria(row);
  }

  @Access('operator', 'originate')
  @Mutation(() => EligibilityCriteria, {
    description:
      'Replaces the eligibility criteria of an estate; they apply to batches that are processed from then on. Errors: 400 for limits that are out of bounds and for an invalid reason; 404 when the estate does not exist.',
  })
  async setEligibilityCriteria(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
    @Arg('criteria', () => EligibilityCriteriaInput, {
      description: 'The complete criteria; a limit that is omitted is not checked',
    })
    criteria: EligibilityCriteriaInput,
    @Arg('reason', () => String, { nullable: true, description: reasonText }) reason: string | null | undefined,
  ): Promise<EligibilityCriteriaShape> {
    return toEligibilityCriteria(await setCriteria(context, patrimonyId, fromInput(criteria), reason ?? undefined));
  }

  @Access('operator', 'originate')
  @Mutation(() => Boolean, {
    description:
      'Removes the eligibility criteria of an estate, which then accepts no credits, and returns whether there were any. Repeating the call is not an error. To accept all credits, set criteria without limits. Errors: 400 for an invalid reason; 404 when the estate does not exist.',
  })
  removeEligibilityCriteria(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
    @Arg('reason', () => String, { nullable: true, description: reasonText }) reason: string | null | undefined,
  ): Promise<boolean> {
    return removeCriteria(context, patrimonyId, reason ?? undefined);
  }
}

const minText = 'Minimum face value of a contract, in BRL with at most 2 decimals; null for no limit';
const maxText = 'Maximum face value of a contract, in BRL with at most 2 decimals; null for no limit';
const termText = 'Maximum number of days from the day of processing to the due date of a contract; null for no limit';
const shareText =
  'Maximum share of one debtor in the face value of a batch, in percent with at most 4 decimals; null for no limit';

@ObjectType({
  simpleResolvers: true,
  description: 'The eligibility criteria of an estate. A batch with a contract that does not meet them is rejected.',
})
class EligibilityCriteria {
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

type EligibilityCriteriaShape = Shape<EligibilityCriteria>;

@InputType({ description: 'The eligibility criteria to set for an estate. A limit that is omitted is not checked.' })
class EligibilityCriteriaInput {
  @Field(() => DecimalScalar, { nullable: true, description: minText })
  minFaceValue?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: maxText })
  maxFaceValue?: string | null;

  @Field(() => Int, { nullable: true, description: termText })
  maxTermDays?: number | null;

  @Field(() => DecimalScalar, { nullable: true, description: shareText })
  maxDebtorShare?: string | null;
}

function toEligibilityCriteria(row: CriteriaRow): EligibilityCriteriaShape {
  return row;
}

function fromInput(input: EligibilityCriteriaInput): Criteria {
  const { minFaceValue = null, maxFaceValue = null, maxTermDays = null, maxDebtorShare = null } = input;
  return { minFaceValue, maxFaceValue, maxTermDays, maxDebtorShare };
}
