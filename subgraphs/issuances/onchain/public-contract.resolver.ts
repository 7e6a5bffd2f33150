import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage, openPage } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { CursorPageArgs } from '../../../shared/graphql/page-args.js';
import { countPublicContracts, listPublicContracts, type PublicContractRow } from './chain-news.store.js';
import { PublicContractConnection } from './onchain.type.js';

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
