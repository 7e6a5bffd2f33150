import { Arg, Ctx, Directive, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/context.js';
import { requireBounds } from '../../../shared/bounds.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { Operation } from '../operations/operation.type.js';
import { seriesOf } from '../series/series.store.js';
import { maxOnchainEvents, onchainContractsOf, onchainEventsOf } from './onchain.store.js';
import { OnchainContract, OnchainEvent } from './onchain.type.js';

@Resolver(() => Operation)
export class OnchainResolver {
  @Directive('@listSize(assumedSize: 10)')
  @FieldResolver(() => [OnchainContract], { description: 'Its contracts on public chains, oldest first' })
  async onchainContracts(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<OnchainContract>[]> {
    const [contracts, series] = await Promise.all([
      loaderOf(context, onchainContractsOf).load(id),
      loaderOf(context, seriesOf).load(id),
    ]);
    const tickers = new Map(series.map((one) => [one.id, one.ticker]));
    return contracts.map((contract) => ({
      ...contract,
      seriesTicker: contract.seriesId === null ? null : (tickers.get(contract.seriesId) ?? null),
    }));
  }
}

@Resolver(() => OnchainContract)
export class OnchainEventResolver {
  @FieldResolver(() => [OnchainEvent], {
    description: 'Its latest events, newest first. Errors: 400 for arguments that are out of bounds.',
  })
  async events(
    @Ctx() context: Context,
    @Root() { id }: Shape<OnchainContract>,
    @Arg('last', () => Int, { defaultValue: 20, description: 'Number of events, from 1 to 100' }) last: number,
  ): Promise<Shape<OnchainEvent>[]> {
    requireBounds({ name: 'last', value: last, min: 1, max: maxOnchainEvents });
    return (await loaderOf(context, onchainEventsOf).load(id)).slice(0, last);
  }
}
