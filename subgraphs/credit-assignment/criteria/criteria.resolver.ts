import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/as-of/as-of.js';
import type { Context } from '../../../shared/context.js';
import { isUuid } from '../../../shared/ids.js';
import { Access } from '../../../shared/subgraph/access.js';
import { readScope } from '../originators/visible-originators.js';
import { findCriteria } from './criteria.store.js';
import {
  EligibilityCriteria,
  EligibilityCriteriaInput,
  fromInput,
  toEligibilityCriteria,
  type EligibilityCriteriaShape,
} from './criteria.type.js';
import { removeCriteria } from './remove-criteria.js';
import { setCriteria } from './set-criteria.js';

const estateText = 'Id of the estate (UUID)';
const reasonText = 'Why, 1 to 500 characters on one line; it is published with the correction';

@Resolver()
export class CriteriaResolver {
  @Access('originator', readScope)
  @AsOf()
  @Query(() => EligibilityCriteria, {
    nullable: true,
    description:
      'What an estate takes in; null when it has no criteria, and then it takes in nothing, and when there is no such estate. For operators, and for originators, who can see before they assign credits what would be rejected.',
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
      'Says what an estate takes in, in place of what was said before; it holds for batches that are processed from then on. Errors: 400 for numbers out of bounds, and for the reason; 404 for no such estate.',
  })
  async setEligibilityCriteria(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
    @Arg('criteria', () => EligibilityCriteriaInput, { description: 'All of the criteria' })
    criteria: EligibilityCriteriaInput,
    @Arg('reason', () => String, { nullable: true, description: reasonText }) reason: string | null | undefined,
  ): Promise<EligibilityCriteriaShape> {
    return toEligibilityCriteria(await setCriteria(context, patrimonyId, fromInput(criteria), reason ?? undefined));
  }

  @Access('operator', 'originate')
  @Mutation(() => Boolean, {
    description:
      'Lets an estate take in nothing from then on; returns whether there were criteria. Doing it again is no fault. To let it take in everything, set criteria that ask for nothing. Errors: 400 for the reason; 404 for no such estate.',
  })
  removeEligibilityCriteria(
    @Ctx() context: Context,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
    @Arg('reason', () => String, { nullable: true, description: reasonText }) reason: string | null | undefined,
  ): Promise<boolean> {
    return removeCriteria(context, patrimonyId, reason ?? undefined);
  }
}
