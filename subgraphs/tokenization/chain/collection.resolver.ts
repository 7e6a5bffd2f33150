import { Arg, Ctx, FieldResolver, Int, Mutation, Resolver, Root } from 'type-graphql';
import { requireBounds } from '../../../shared/bounds.js';
import type { Config } from '../../../shared/config.js';
import { loaderOf, type Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import { collectionsOfTranches, holdersOf, mostHolders } from './collection.store.js';
import { toCollection, TokenCollection, TokenHolder } from './collection.type.js';
import { registerCollection } from './register-collection.js';
import { rereadCollection } from './reread-collection.js';

@Resolver(() => Tranche)
export class TrancheCollectionResolver {
  @FieldResolver(() => TokenCollection, {
    nullable: true,
    description: 'The contract whose tokens are its units; null when there is none',
  })
  async collection(@Ctx() context: Context, @Root() { id }: TrancheShape): Promise<Shape<TokenCollection> | null> {
    const row = await loaderOf(context, collectionsOfTranches).load(id);
    return row === undefined ? null : toCollection(row);
  }
}

@Resolver(() => TokenCollection)
export class CollectionResolver {
  constructor(private readonly chain: Config['chain']) {}

  @Access('developer', 'contracts:read')
  @FieldResolver(() => [TokenHolder], {
    description: 'The owners of the most tokens. Errors: 400 for arguments that are out of bounds.',
  })
  async holders(
    @Ctx() context: Context,
    @Root() { id }: Shape<TokenCollection>,
    @Arg('first', () => Int, { defaultValue: 20, description: 'Maximum number of items, from 1 to 100' }) first: number,
  ): Promise<Shape<TokenHolder>[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: mostHolders });
    return (await loaderOf(context, holdersOf).load(id)).slice(0, first);
  }

  @Access('operator', 'publish')
  @Mutation(() => TokenCollection, {
    description:
      'Registers the contract whose tokens are the units of a series; repeating the call returns the same result. Errors: 400 for an invalid address; 404 for a series that does not exist; 409 when the series has another contract or the contract belongs to another series; 422 for a wrong checksum and when no chain is configured.',
  })
  async registerCollection(
    @Ctx() context: Context,
    @Arg('trancheTicker', () => String, { description: 'Ticker of the series, in any case' }) trancheTicker: string,
    @Arg('address', () => String, { description: 'Address with its checksum (EIP-55), or in lower case' })
    address: string,
    @Arg('deployedBlock', () => Int, { description: 'Block in which it was deployed' }) deployedBlock: number,
  ): Promise<Shape<TokenCollection>> {
    return toCollection(await registerCollection(context, this.chain, { trancheTicker, address, deployedBlock }));
  }

  @Access('operator', 'publish')
  @Mutation(() => TokenCollection, {
    description:
      'Discards the stored events of a contract, so that all of them are read again, when the contract differs from its events. Errors: 400 for an invalid address; 404 for a contract that does not exist.',
  })
  async rereadCollection(
    @Ctx() context: Context,
    @Arg('address', () => String, { description: 'Address of the contract, in any case' }) address: string,
  ): Promise<Shape<TokenCollection>> {
    return toCollection(await rereadCollection(context, { address, chainId: this.chain?.id }));
  }
}
