import {
  Arg,
  Ctx,
  Directive,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
  Field,
  ObjectType,
} from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { Patrimony } from '../relations/entities.type.js';
import { permitOriginator, withdrawPermit } from './change-permits.js';
import { Originator, toOriginator, type OriginatorShape } from './originator.type.js';
import { originatorsById } from './originator.store.js';
import { permitsOf, type PermitRow } from './permit.store.js';
import { readScope, visibleOriginators } from './visible-originators.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';

const originatorText = 'Id of the client (UUID).';
const estateText = 'Id of the estate (UUID).';

@Resolver(() => Originator)
export class PermitResolver {
  @Directive('@listSize(assumedSize: 20)')
  @FieldResolver(() => [OriginatorPermit], {
    description: 'The permits of the client, sorted by the ticker of the estate; the first 500.',
  })
  async permits(@Root() { id }: OriginatorShape, @Ctx() context: Context): Promise<Readonly<OriginatorPermit>[]> {
    return (await loaderOf(context, permitsOf).load(id)).map(toOriginatorPermit);
  }

  @Access('originator', readScope)
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [Patrimony], {
    nullable: 'items',
    description:
      "The estates to which the caller's clients may assign credits; for each client sorted by ticker, the first 500. An estate that is CLOSED or has no eligibility criteria accepts no credits despite the permit; an estate that is withdrawn is null.",
  })
  async permittedPatrimonies(@Ctx() context: Context): Promise<Readonly<Patrimony>[]> {
    const permits = await permitsOf(context, await visibleOriginators(context));
    return [...new Set(permits.flat().map(({ patrimonyId }) => patrimonyId))].map((id) => ({ id }));
  }

  @Access('originator', readScope)
  @Directive('@listSize(assumedSize: 10)')
  @Query(() => [Originator], {
    description:
      'The clients whose batches the caller may see, at most 100: a client itself, or those that are linked with the account of a session or a key.',
  })
  async myOriginators(@Ctx() context: Context): Promise<OriginatorShape[]> {
    return (await originatorsById(context, await visibleOriginators(context))).map(toOriginator);
  }

  @Access('operator', 'originate')
  @StepUp()
  @Mutation(() => Originator, {
    description:
      'Permits a client to assign credits to an estate; without a permit its batches are rejected with 403. Repeating the call changes nothing. Errors: 404 when the client or the estate does not exist.',
  })
  async permitOriginator(
    @Ctx() context: Context,
    @Arg('originatorId', () => ID, { description: originatorText }) originatorId: string,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
  ): Promise<OriginatorShape> {
    return toOriginator(await permitOriginator(context, originatorId, patrimonyId));
  }

  @Access('operator', 'originate')
  @Mutation(() => Boolean, {
    description:
      'Withdraws the permit of a client for an estate: the client can assign no more credits to it, and its undecided batches for it are rejected. Credits that were assigned before stay assigned. Returns whether there was a permit. Errors: 404 when the client or the estate does not exist.',
  })
  withdrawOriginatorPermit(
    @Ctx() context: Context,
    @Arg('originatorId', () => ID, { description: originatorText }) originatorId: string,
    @Arg('patrimonyId', () => ID, { description: estateText }) patrimonyId: string,
  ): Promise<boolean> {
    return withdrawPermit(context, originatorId, patrimonyId);
  }
}

@ObjectType({ simpleResolvers: true, description: 'Permission of an originator to assign credits to an estate.' })
class OriginatorPermit {
  @Field(() => Patrimony, { nullable: true, description: 'The estate; null while it is withdrawn.' })
  patrimony!: Patrimony;

  @Field(() => DateTimeScalar, { description: 'Time at which an operator granted the permit.' })
  permittedAt!: Date;
}

function toOriginatorPermit({ patrimonyId, permittedAt }: PermitRow): Readonly<OriginatorPermit> {
  return { patrimony: { id: patrimonyId }, permittedAt };
}
