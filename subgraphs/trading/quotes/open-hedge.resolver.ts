import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { listOpenHedges } from './open-hedge.store.js';
import { OpenHedge } from './open-hedge.type.js';

@Resolver()
export class OpenHedgeResolver {
  @Access('operator', 'read')
  @Query(() => [OpenHedge], {
    description: 'Executed quotes that are not yet traded whole at the venues; the oldest 500. Errors: 401, 403.',
  })
  openHedges(@Ctx() context: Context): Promise<Shape<OpenHedge>[]> {
    return listOpenHedges(context, 500);
  }
}
