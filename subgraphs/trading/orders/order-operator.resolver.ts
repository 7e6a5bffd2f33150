import { Arg, Args, Ctx, Directive, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { executionsOfOrders } from './execution.store.js';
import { listQuarantined } from './order.store.js';
import { Order, toOrder } from './order.type.js';
import { QuarantinedOrder, ResolutionArgs, toQuarantinedOrder, UnknownExecution } from './order-execution.type.js';
import { resolveExecution } from './resolve-execution.js';
import { isSettled } from './report.js';

@Resolver(() => QuarantinedOrder)
export class OrderOperatorResolver {
  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [QuarantinedOrder], {
    description:
      'Orders that wait for an operator, because their outcome at a venue could not be determined; the oldest 500. Errors: 401, 403.',
  })
  async quarantinedOrders(@Ctx() context: Context): Promise<Shape<QuarantinedOrder>[]> {
    return (await listQuarantined(context, 500)).map(toQuarantinedOrder);
  }

  @FieldResolver(() => [UnknownExecution], {
    description: 'Unsettled executions of the order, by venue: their state is unknown or open, or fills are missing.',
  })
  async executions(
    @Root() { orderId }: Shape<QuarantinedOrder>,
    @Ctx() context: Context,
  ): Promise<Shape<UnknownExecution>[]> {
    const rows = await loaderOf(context, executionsOfOrders).load(orderId);
    return rows.filter((row) => !isSettled(row));
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => Order, {
    description:
      'Settles an execution that waits for an operator, with its outcome at the venue. Errors: 400; 401 and 403 without the role `trade`; 404; 409 for an execution that does not wait.',
  })
  async resolveExecution(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the execution (UUID).' }) id: string,
    @Args(() => ResolutionArgs) resolution: ResolutionArgs,
  ): Promise<Shape<Order>> {
    return toOrder(await resolveExecution(context, id, resolution));
  }
}
