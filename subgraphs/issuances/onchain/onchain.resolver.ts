import { Args, Ctx, Directive, FieldResolver, Resolver, Root, Query } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage, openPage } from '../../../shared/graphql/list-page.js';
import { CursorPageArgs } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { Operation } from '../operations/operation.type.js';
import { seriesOf } from '../series/series.store.js';
import {
  onchainContractsOf,
  countPublicContracts,
  listPublicContracts,
  type PublicContractRow,
} from './onchain.store.js';
import { OnchainContract, PublicContractConnection } from './onchain.type.js';
import { Access } from '../../../shared/graphql/access.js';

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

@Resolver(() => PublicContractConnection)
export class PublicContractResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('data')
  @Query(() => PublicContractConnection, {
    description:
      'Contracts on public chains that the public operations published, in pages by chain and address. Those of tokenized series are in `tokenCollections`. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async onchainContracts(
    @Ctx() context: Context,
    @Args(() => CursorPageArgs) args: CursorPageArgs,
  ): Promise<Connection<PublicContractRow>> {
    const page = openPage(this.codec, connectionPage(args), { scope: 'contracts' });
    const found = await listPublicContracts(context, page);
    return toConnection(
      page.take(found, ({ chainId, address }) => [String(chainId), address.toLowerCase()]),
      (row) => row,
      () => countPublicContracts(context),
    );
  }
}
