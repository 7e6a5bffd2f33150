import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { listOriginators } from './originator.store.js';
import { Originator, toOriginator } from './originator.type.js';

@Resolver()
export class OriginatorResolver {
  @Access('operator')
  @Query(() => [Originator], {
    description: 'The clients of the credit-assignment interface, the newest first, at most 500.',
  })
  async originators(@Ctx() context: Context): Promise<Originator[]> {
    return (await listOriginators(context, 500)).map(toOriginator);
  }
}
