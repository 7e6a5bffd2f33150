import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';

// The resolver adds events.
@ObjectType({ simpleResolvers: true, description: 'A contract of an operation on a public chain.' })
export class OnchainContract {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => Int, { description: 'Chain id (EIP-155)' })
  chainId!: number;

  @Field(() => String, { description: 'Name of the network' })
  network!: string;

  @Field(() => String, { description: 'Address' })
  address!: string;

  @Field(() => String, { description: 'Standard: ERC-721A…' })
  standard!: string;

  @Field(() => String, { description: 'Name of the token' })
  name!: string;

  @Field(() => String, { description: 'Symbol of the token' })
  symbol!: string;

  @Field(() => String, { nullable: true, description: 'Ticker of the series that it tokenizes' })
  seriesTicker!: string | null;

  @Field(() => DecimalScalar, { description: 'Number of tokens into which the series is divided' })
  tokenQuantity!: string;

  @Field(() => DecimalScalar, { description: 'Number of existing tokens' })
  totalSupply!: string;

  @Field(() => DateTimeScalar, { description: 'Time of deployment' })
  deployedAt!: Date;

  @Field(() => String, { nullable: true, description: 'The contract in a block explorer' })
  explorerUrl!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An event of a contract on its chain.' })
export class OnchainEvent {
  @Field(() => String, { description: 'Hash of the transaction' })
  transactionHash!: string;

  @Field(() => Int, { description: 'Position of the event in its block' })
  logIndex!: number;

  @Field(() => String, { description: 'Number of the block' })
  blockNumber!: string;

  @Field(() => String, { description: 'Type, a free label: MINT, TRANSFER…' })
  type!: string;

  @Field(() => String, { nullable: true, description: 'Address of the sender' })
  fromAddress!: string | null;

  @Field(() => String, { nullable: true, description: 'Address of the recipient' })
  toAddress!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Number of tokens' })
  tokenQuantity!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of the event' })
  occurredAt!: Date;
}

/** A contract with the operation whose series it tokenizes. */
@ObjectType({
  simpleResolvers: true,
  description: 'A contract on a public chain, in a list of the contracts of all operations.',
})
export class PublicContract extends OnchainContract {
  @Field(() => String, { description: 'Ticker of the operation' })
  operationTicker!: string;
}

export const PublicContractConnection = connectionType(PublicContract, {
  name: 'PublicContract',
  nodes: 'contracts of public operations',
  order: 'by chain and address',
});
