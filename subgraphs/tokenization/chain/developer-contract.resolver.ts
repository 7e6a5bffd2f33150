import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { Config } from '../../../shared/kernel/config.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { documentedNames } from '../../../shared/graphql/list-page.js';
import { requireAddress } from './address.js';
import { countCollections, findCollection } from './collection.store.js';
import { DeveloperContractDetails, DeveloperContractList, toCollection, toEvent } from './collection.type.js';
import { pageCollections, pageEvents } from './chain.acts.js';

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
