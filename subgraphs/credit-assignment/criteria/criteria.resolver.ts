import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { readScope } from '../originators/visible-originators.js';
import { seesUse } from '../estates/assignment.js';
import { removeCriteria, setCriteria } from './change-criteria.js';
import { findCriteria, type CriteriaRow } from './criteria.store.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { EligibilityCriteria as Criteria } from './criteria.js';
import { EligibilityCriteria, EligibilityCriteriaInput } from './criteria.type.js';

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
  ): Promise<CriteriaRow | null> {
    const row = isUuid(patrimonyId) ? await findCriteria(context, patrimonyId) : undefined;
    if (row === undefined) return null;
    return (await seesUse(context, row.patrimonyId)) ? row : { ...row, netWorth: null, netWorthDate: null };
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => EligibilityCriteria, {
    description:
      'Replaces the eligibility criteria of an estate; they apply to batches that are processed from then on. Errors: 400 for limits that are out of bounds and for an invalid reason; 404 when the estate does not exist.',
  })
  setEligibilityCriteria(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
    @Arg('criteria', () => EligibilityCriteriaInput, {
      description: 'The complete criteria; a limit that is omitted is not checked',
    })
    criteria: EligibilityCriteriaInput,
    @Arg('reason', () => String, { nullable: true, description: reasonText }) reason: string | null | undefined,
  ): Promise<CriteriaRow> {
    return setCriteria(context, patrimonyId, fromInput(criteria), reason ?? undefined);
  }

  @Access('operator', 'originate')
  @StepUp()
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

function fromInput(input: EligibilityCriteriaInput): Criteria {
  const { minFaceValue = null, maxFaceValue = null, maxTermDays = null, maxDebtorShare = null } = input;
  const { netWorth = null, netWorthDate = null } = input;
  const limits = (input.limits ?? []).map(({ kind, base, type = null, maxShare = null, maxDays = null }) => ({
    ...{ kind, base, type, maxDays },
    maxShare: maxShare === null ? null : new Decimal(maxShare).toString(),
  }));
  return { minFaceValue, maxFaceValue, maxTermDays, maxDebtorShare, limits, netWorth, netWorthDate };
}
