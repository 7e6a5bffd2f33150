import { Arg, Ctx, Directive, FieldResolver, Int, Mutation, Query, Resolver, Root, ObjectType } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import { followOperation, unfollowOperation, canonicalTicker } from './follows.acts.js';
import { followersOf, isFollowed, listFollows } from './follow.store.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { fields, text } from '../../../shared/graphql/fields.js';

const tickerDescription = 'Ticker of the operation, in any case. The slug of its estate is not accepted.';

@Resolver(() => Operation)
export class FollowResolver {
  @Access('session')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [Operation], {
    nullable: 'items',
    description:
      'The operations on the watchlist of the account, the most recently added first, at most 100. An operation that is not published (yet or any more) has its `ticker` alone: where other fields are requested its item is null, with an error NOT_FOUND, and the other items are there. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  async followedOperations(@Ctx() context: Context): Promise<Readonly<Operation>[]> {
    return (await listFollows(context, context.principal.ownerId)).map((ticker) => ({ ticker }));
  }

  @Access('session')
  @Mutation(() => Operation, {
    nullable: true,
    description:
      'Adds an operation to the watchlist of the account; repeating the call is not an error. A ticker is also accepted before its operation is published; until then every other field of the result is null. Errors: 400 for an invalid ticker; 401 without a session; 403 before the e-mail is confirmed; 409 when the list has 100 operations.',
  })
  async followOperation(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: tickerDescription }) ticker: string,
  ): Promise<Readonly<Operation>> {
    return { ticker: await followOperation(context, ticker) };
  }

  @Access('session')
  @Mutation(() => Boolean, {
    description:
      'Removes an operation from the watchlist of the account. Returns true, also when it was not on the list. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  async unfollowOperation(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { description: tickerDescription }) ticker: string,
  ): Promise<boolean> {
    await unfollowOperation(context, ticker);
    return true;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the account of the caller (of its session or its API key) has the operation on its watchlist.',
  })
  followedByMe(@Root() { ticker }: Operation, @Ctx() context: Context): Promise<boolean> | boolean {
    const { kind, ownerId } = context.principal;
    const canonical = canonicalTicker(ticker);
    if ((kind !== 'SESSION' && kind !== 'API_KEY') || canonical === undefined) return false;
    return isFollowed(context, ownerId, canonical);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of accounts that have the operation on their watchlist; null for all but operators.',
  })
  followers(@Root() { ticker }: Operation, @Ctx() context: Context): Promise<number> | null {
    const canonical = canonicalTicker(ticker);
    if (canonical === undefined || !hasRole(context.principal, 'read')) return null;
    return loaderOf(context, followersOf).load(canonical);
  }
}

/** The fields of an operation that this domain knows: its ticker. The rest of the entity belongs to issuances. */
@Directive('@key(fields: "ticker")')
@ObjectType({ simpleResolvers: true, description: 'A public securitization operation, in raw values.' })
class Operation extends fields({
  ticker: text('Ticker, unique without regard to case'),
}) {}

/** Rule by which other subgraphs refer to an operation, to which this one adds whether the caller follows it. Whether it exists, issuances decides. */
export const operationReference: ReferenceRule = {
  access: 'data',
  resolve: (_context, { ticker }) => (typeof ticker === 'string' ? { ticker } : null),
};
