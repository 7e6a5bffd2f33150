import { Field, ObjectType } from 'type-graphql';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import { OnchainContract } from './onchain.type.js';

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
