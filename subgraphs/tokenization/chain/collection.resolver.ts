import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Resolver, Root, Query } from 'type-graphql';
import type { Config } from '../../../shared/kernel/config.js';
import { loaderOf, type Context, today } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { connectionPage, documentedNames } from '../../../shared/graphql/list-page.js';
import { Access } from '../../../shared/graphql/access.js';
import { connectionType, CursorPageArgs } from '../../../shared/graphql/connection-type.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { tranchesByTicker } from '../tranches/tranche.store.js';
import { toTranche, Tranche, type TrancheShape } from '../tranches/tranche.type.js';
import {
  collectionsOfTranches,
  countCollections,
  findCollection,
  type ChainEventRow,
  type CollectionRow,
} from './collection.store.js';
import {
  TokenCollection,
  DeveloperContractDetails,
  type DeveloperContractEvent,
  DeveloperContractList,
} from './collection.type.js';
import { registerCollection, rereadCollection, pageCollections, pageEvents, requireAddress } from './chain.acts.js';
import { requireFound } from '../../../shared/kernel/errors.js';

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

  @FieldResolver(() => Tranche, {
    nullable: true,
    description: 'The series whose units the tokens are; null for a withdrawn series, whose contract operators see',
  })
  async tranche(
    @Ctx() context: Context,
    @Root() { trancheTicker }: Shape<TokenCollection>,
  ): Promise<TrancheShape | null> {
    const row = await loaderOf(context, tranchesByTicker).load(trancheTicker);
    return row === undefined ? null : toTranche(row, today(context));
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

@Resolver()
export class DeveloperContractResolver {
  constructor(
    private readonly codec: CursorCodec,
    private readonly chain: Config['chain'],
  ) {}

  @Access('developer', 'contracts:read')
  @Query(() => DeveloperContractList, {
    description:
      'Token contracts, sorted by the ticker of their series. REST: GET /developer/contracts. Errors: 400 for arguments that are out of bounds and for an invalid page token.',
  })
  async developerContracts(
    @Ctx() context: Context,
    @Arg('limit', () => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
    limit: number | null,
    @Arg('nextToken', () => String, { nullable: true, description: '`nextToken` of the previous page' })
    nextToken: string | null,
  ): Promise<Shape<DeveloperContractList>> {
    const page = await pageCollections(context, this.codec, { names: documentedNames, limit, cursor: nextToken });
    const count = await countCollections(context);
    return { items: page.rows.map(toCollection), count, nextToken: page.nextToken };
  }

  @Access('developer', 'contracts:read')
  @Query(() => DeveloperContractDetails, {
    description:
      'A token contract with its events, newest first. REST: GET /developer/contracts/{address}. Errors: 400 for an invalid address, arguments that are out of bounds and an invalid page token; 404 when it does not exist.',
  })
  async developerContract(
    @Ctx() context: Context,
    @Arg('address', () => String, { description: 'Address of the contract, in any case' }) address: string,
    @Arg('limit', () => Int, { nullable: true, description: 'Maximum number of events, from 1 to 100; default 20' })
    limit: number | null,
    @Arg('nextToken', () => String, { nullable: true, description: '`nextToken` of the previous response' })
    nextToken: string | null,
  ): Promise<Shape<DeveloperContractDetails>> {
    requireAddress(address, 'address');
    const row = requireFound(
      await findCollection(context, { address, chainId: this.chain?.id }),
      'There is no such contract',
    );
    const request = { names: documentedNames, limit, cursor: nextToken };
    const { rows, nextToken: next } = await pageEvents(context, this.codec, row.id, request);
    return { ...toCollection(row), events: rows.map(toEvent), nextToken: next };
  }
}

function toCollection(row: CollectionRow): Shape<TokenCollection> {
  return { ...row, standard: 'ERC-721A' };
}

const mostTokenIds = 100n;

function toEvent(row: ChainEventRow): Shape<DeveloperContractEvent> {
  const [first, last] = [BigInt(row.firstTokenId), BigInt(row.lastTokenId)];
  const quantity = last - first + 1n;
  const shown = Number(quantity < mostTokenIds ? quantity : mostTokenIds);
  return {
    ...row,
    tokenIds: Array.from({ length: shown }, (_, index) => String(first + BigInt(index))),
    tokenQuantity: String(quantity),
  };
}
