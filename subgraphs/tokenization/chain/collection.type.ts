import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { ChainEventRow, CollectionRow } from './collection.store.js';
import type { MovementType } from './movement.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';

@ObjectType({ simpleResolvers: true, description: 'The token contract of a series, in a list of the REST API.' })
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

  @Field(() => String, { description: 'Number of units of the series, an integer' })
  tokenQuantity!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Number of existing tokens, an integer; null until the contract was read',
  })
  totalSupply!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of its deployment; null until the contract was read',
  })
  deployedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'URL of the contract in a block explorer' })
  explorerUrl!: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which these values were last read from the contract; null until it was read',
  })
  readAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A movement of tokens of a contract.' })
export class DeveloperContractEvent {
  @Field(() => String, { description: 'Number of the block' })
  block!: string;

  @Field(() => String, { description: 'Hash of the transaction' })
  transaction!: string;

  @Field(() => Int, { description: 'Position in the block; that of the first log when several logs are combined' })
  logIndex!: number;

  @Field(() => ChainEventTypeEnum, { description: 'Kind of the movement' })
  type!: MovementType;

  @Field(() => String, { description: 'Previous owner; the zero address for created tokens' })
  from!: string;

  @Field(() => String, { description: 'New owner; the zero address for destroyed tokens' })
  to!: string;

  @Field(() => [String], {
    description: 'The first 100 token ids, out of all from `firstTokenId` to `lastTokenId`',
  })
  tokenIds!: readonly string[];

  @Field(() => String, { description: 'Id of the first token' })
  firstTokenId!: string;

  @Field(() => String, { description: 'Id of the last token' })
  lastTokenId!: string;

  @Field(() => String, { description: 'Number of tokens, an integer' })
  tokenQuantity!: string;

  @Field(() => DateTimeScalar, { description: 'Time of the block' })
  occurredAt!: Date;

  @Field(() => Boolean, {
    description: 'Whether the event is final; until then a reorganization of the chain may remove it',
  })
  final!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'A page of token contracts.' })
export class DeveloperContractList {
  @Field(() => [DeveloperContract], { description: 'The contracts of this page, sorted by the ticker of their series' })
  items!: readonly DeveloperContract[];

  @Field(() => Int, { description: 'Number of contracts on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A token contract with the movements of its tokens.' })
export class DeveloperContractDetails extends DeveloperContract {
  @Field(() => [DeveloperContractEvent], { description: 'A page of the movements, newest first' })
  events!: readonly DeveloperContractEvent[];

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for earlier events; null when there are none (omitted over REST)',
  })
  nextToken!: string | null;
}

// The resolver adds its holders.
@ObjectType({ simpleResolvers: true, description: 'The token contract of a series.' })
export class TokenCollection extends DeveloperContract {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Block in which it was deployed' })
  deployedBlock!: string;

  @Field(() => String, { nullable: true, description: 'The latest block for which the contract was read' })
  readBlock!: string | null;

  @Field(() => Boolean, {
    description: 'Whether all known events are final, so that no reorganization can remove them',
  })
  final!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'An owner of tokens of a contract.' })
export class TokenHolder {
  @Field(() => String, { description: 'Address' })
  owner!: string;

  @Field(() => String, { description: 'Number of tokens, an integer' })
  tokenQuantity!: string;
}

export function toCollection(row: CollectionRow): Shape<TokenCollection> {
  return { ...row, standard: 'ERC-721A' };
}

const mostTokenIds = 100n;

export function toEvent(row: ChainEventRow): Shape<DeveloperContractEvent> {
  const [first, last] = [BigInt(row.firstTokenId), BigInt(row.lastTokenId)];
  const quantity = last - first + 1n;
  const shown = Number(quantity < mostTokenIds ? quantity : mostTokenIds);
  return {
    ...row,
    tokenIds: Array.from({ length: shown }, (_, index) => String(first + BigInt(index))),
    tokenQuantity: String(quantity),
  };
}

const ChainEventTypeEnum = describeEnum<MovementType>(
  'ChainEventType',
  'Kind of a movement of tokens.',
  {
    MINT: 'The tokens were created',
    TRANSFER: 'The tokens changed hands',
    BURN: 'The tokens were destroyed',
  },
  { MINT: ['Emissão', 'Mint'], TRANSFER: ['Transferência', 'Transfer'], BURN: ['Queima', 'Burn'] },
);
