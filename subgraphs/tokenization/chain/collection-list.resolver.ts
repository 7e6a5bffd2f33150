import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { CursorPageArgs } from '../../../shared/graphql/page-args.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { countCollections } from './collection.store.js';
import { toCollection, TokenCollection } from './collection.type.js';
import { pageCollections } from './chain.acts.js';

const TokenCollectionConnection = connectionType(TokenCollection, {
  name: 'TokenCollection',
  nodes: 'token contracts of series',
  order: 'sorted by the ticker of the series',
});

@Resolver(() => TokenCollectionConnection)
export class CollectionListResolver {
  constructor(private readonly codec: CursorCodec) {}

  @Access('anyone')
  @Query(() => TokenCollectionConnection, {
    description:
      'Contracts whose tokens are the units of series, in pages, sorted by the ticker of the series. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async tokenCollections(
    @Ctx() context: Context,
    @Args(() => CursorPageArgs) args: CursorPageArgs,
  ): Promise<Connection<Shape<TokenCollection>>> {
    const page = await pageCollections(context, this.codec, connectionPage(args));
    return toConnection(page, toCollection, () => countCollections(context));
  }
}
