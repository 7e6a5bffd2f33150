import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { ChainEventRow, CollectionRow } from './collection.store.js';
import { ChainEventTypeEnum } from './chain-event.enum.js';
import type { MovementType } from './movement.js';

@ObjectType({ simpleResolvers: true, description: 'The token contract of a series, in the documented list.' })
export class DeveloperContract {
  @Field(() => String, { description: 'Address, with its checksum (EIP-55)' })
  address!: string;

  @Field(() => Int, { description: 'Number of the chain (EIP-155)' })
  chainId!: number;

  @Field(() => String, { description: 'Name of the chain' })
  network!: string;

  @Field(() => String, { description: 'Token standard' })
  standard!: string;

  @Field(() => String, { nullable: true, description: 'Name of the token; null until the contract was read' })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'Symbol of the token; null until the contract was read' })
  symbol!: string | null;

  @Field(() => String, { description: 'Ticker of the series whose units the tokens are' })
  trancheTicker!: string;

  @Field(() => String, { description: 'Units of the series: a whole number' })
  tokenQuantity!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Tokens that exist: a whole number; null until the contract was read',
  })
  totalSupply!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the contract was deployed; null until it was read',
  })
  deployedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'The contract in a block explorer' })
  explorerUrl!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the contract was last asked for what is said here; null until it was read',
  })
  readAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'Something that happened to tokens of a contract.' })
export class DeveloperContractEvent {
  @Field(() => String, { description: 'Number of the block' })
  block!: string;

  @Field(() => String, { description: 'Hash of the transaction' })
  transaction!: string;

  @Field(() => Int, { description: 'Place within the block, of the first log where several tell of it' })
  logIndex!: number;

  @Field(() => ChainEventTypeEnum, { description: 'What happened' })
  type!: MovementType;

  @Field(() => String, { description: 'Who gave the tokens; the zero address where they were made' })
  from!: string;

  @Field(() => String, { description: 'Who got the tokens; the zero address where they were destroyed' })
  to!: string;

  @Field(() => [String], {
    description: 'Ids of the tokens, the first 100 of them: all from `firstTokenId` to `lastTokenId`',
  })
  tokenIds!: readonly string[];

  @Field(() => String, { description: 'Id of the first token' })
  firstTokenId!: string;

  @Field(() => String, { description: 'Id of the last token' })
  lastTokenId!: string;

  @Field(() => String, { description: 'How many tokens: a whole number' })
  tokenQuantity!: string;

  @Field(() => DateTimeScalar, { description: 'When the block was made' })
  occurredAt!: Date;

  @Field(() => Boolean, {
    description: 'Whether it stands for ever; until then a reorganisation of the chain may take it back',
  })
  final!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'A page of token contracts.' })
export class DeveloperContractList {
  @Field(() => [DeveloperContract], { description: 'The contracts of this page, by ticker of their series' })
  items!: readonly DeveloperContract[];

  @Field(() => Int, { description: 'Contracts on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'What to send for the next page; null on the last one (REST leaves it out)',
  })
  nextToken!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A token contract, and what happened to its tokens.' })
export class DeveloperContractDetails extends DeveloperContract {
  @Field(() => [DeveloperContractEvent], { description: 'What happened, newest first: a page of it' })
  events!: readonly DeveloperContractEvent[];

  @Field(() => String, {
    nullable: true,
    description: 'What to send for the events before these; null where there are none (REST leaves it out)',
  })
  nextToken!: string | null;
}

// The resolver adds its holders.
@ObjectType({ simpleResolvers: true, description: 'The token contract of a series.' })
export class TokenCollection extends DeveloperContract {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'The block in which it was deployed' })
  deployedBlock!: string;

  @Field(() => String, { nullable: true, description: 'The block as of which the contract was last asked' })
  readBlock!: string | null;

  @Field(() => Boolean, {
    description: 'Whether all that is known to have happened stands for ever, and no reorganisation can take it back',
  })
  final!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'Who owns tokens of a contract.' })
export class TokenHolder {
  @Field(() => String, { description: 'Address' })
  owner!: string;

  @Field(() => String, { description: 'How many tokens: a whole number' })
  tokenQuantity!: string;
}

export function toContract(row: CollectionRow): Shape<DeveloperContract> {
  return {
    address: row.address,
    chainId: row.chainId,
    network: row.network,
    standard: 'ERC-721A',
    name: row.name,
    symbol: row.symbol,
    trancheTicker: row.trancheTicker,
    tokenQuantity: row.tokenQuantity,
    totalSupply: row.totalSupply,
    deployedAt: row.deployedAt,
    explorerUrl: row.explorerUrl,
    readAt: row.readAt,
  };
}

export function toCollection(row: CollectionRow): Shape<TokenCollection> {
  const { id, deployedBlock, readBlock, final } = row;
  return { ...toContract(row), id, deployedBlock, readBlock, final };
}

const mostTokenIds = 100n;

export function toEvent(row: ChainEventRow): Shape<DeveloperContractEvent> {
  const [first, last] = [BigInt(row.firstTokenId), BigInt(row.lastTokenId)];
  const quantity = last - first + 1n;
  const shown = Number(quantity < mostTokenIds ? quantity : mostTokenIds);
  return {
    block: row.block,
    transaction: row.transaction,
    logIndex: row.logIndex,
    type: row.type,
    from: row.from,
    to: row.to,
    tokenIds: Array.from({ length: shown }, (_, index) => String(first + BigInt(index))),
    firstTokenId: row.firstTokenId,
    lastTokenId: row.lastTokenId,
    tokenQuantity: String(quantity),
    occurredAt: row.occurredAt,
    final: row.final,
  };
}
