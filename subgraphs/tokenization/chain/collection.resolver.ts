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
    description: 'The contract whose tokens its units are; null where there is none',
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
  @FieldResolver(() => [TokenHolder], { description: 'Who owns the most tokens. BAD_REQUEST for bad bounds.' })
  async holders(
    @Ctx() context: Context,
    @Root() { id }: Shape<TokenCollection>,
    @Arg('first', () => Int, { defaultValue: 20, description: 'How many, from 1 to 100' }) first: number,
  ): Promise<Shape<TokenHolder>[]> {
    requireBounds({ name: 'first', value: first, min: 1, max: mostHolders });
    return (await loaderOf(context, holdersOf).load(id)).slice(0, first);
  }

  @Access('operator', 'publish')
  @Mutation(() => TokenCollection, {
    description:
      'Says which contract has the units of a series as its tokens; the same again is the same answer. NOT_FOUND for an unknown series, BAD_REQUEST for what is no address, UNPROCESSABLE for a wrong checksum or where no chain is set up, CONFLICT where the series has another contract or the contract another series.',
  })
  async registerCollection(
    @Ctx() context: Context,
    @Arg('trancheTicker', () => String, { description: "The series' ticker, whatever the case" }) trancheTicker: string,
    @Arg('address', () => String, { description: 'With its checksum (EIP-55), or in lower case' }) address: string,
    @Arg('deployedBlock', () => Int, { description: 'The block in which it was deployed' }) deployedBlock: number,
  ): Promise<Shape<TokenCollection>> {
    return toCollection(await registerCollection(context, this.chain, { trancheTicker, address, deployedBlock }));
  }

  @Access('operator', 'publish')
  @Mutation(() => TokenCollection, {
    description:
      'Forgets the events of a contract, so that all of them are read again: for a contract that differs from its events. NOT_FOUND for an unknown one, BAD_REQUEST for what is no address.',
  })
  async rereadCollection(
    @Ctx() context: Context,
    @Arg('address', () => String, { description: 'Whatever its case' }) address: string,
  ): Promise<Shape<TokenCollection>> {
    return toCollection(await rereadCollection(context, { address, chainId: this.chain?.id }));
  }
}
