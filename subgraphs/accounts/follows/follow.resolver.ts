import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { followOperation } from './follow-operation.js';
import { canonicalTicker } from './follow.js';
import { isFollowed, listFollows } from './follow.store.js';
import { Operation } from './follow.type.js';
import { unfollowOperation } from './unfollow-operation.js';

const tickerDescription = 'Ticker of the operation, in any case; not the slug of its estate.';

@Resolver(() => Operation)
export class FollowResolver {
  @Access('session')
  @Query(() => [Operation], {
    nullable: 'items',
    description:
      'The operations on the watchlist of the account, the latest first, at most 100. An item is null where an operation does not exist (any more). Errors: 401 without a session.',
  })
  async followedOperations(@Ctx() context: Context): Promise<Readonly<Operation>[]> {
    return (await listFollows(context, context.principal.ownerId)).map((ticker) => ({ ticker }));
  }

  @Access('session')
  @Mutation(() => Operation, {
    nullable: true,
    description:
      'Puts an operation on the watchlist of the account; again is no fault. The ticker is noted as it is, also before its operation is published; until then every other field of the answer is null. Errors: 400 for what cannot be a ticker; 401 without a session; 409 when the list has 100.',
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
      'Takes an operation off the watchlist of the account. Answers true, again when it was not on it. Errors: 401 without a session.',
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
}
