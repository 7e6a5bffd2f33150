import { ObjectType } from 'type-graphql';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { decimal, fields, id, int, nullable, text, time } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'A contract of an operation on a public chain.' })
export class OnchainContract extends fields({
  id: id('Id (UUID)'),
  chainId: int('Chain id (EIP-155)'),
  network: text('Name of the network'),
  address: text('Address'),
  standard: text('Standard: ERC-721A…'),
  name: text('Name of the token'),
  symbol: text('Symbol of the token'),
  seriesTicker: nullable.text('Ticker of the series that it tokenizes'),
  tokenQuantity: decimal('Number of tokens into which the series is divided'),
  totalSupply: decimal('Number of existing tokens'),
  deployedAt: time('Time of deployment'),
  explorerUrl: nullable.text('The contract in a block explorer'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A contract on a public chain, in a list of the contracts of all operations.',
})
export class PublicContract extends fields(
  {
    operationTicker: text('Ticker of the operation'),
  },
  OnchainContract,
) {}

export const PublicContractConnection = connectionType(PublicContract, {
  name: 'PublicContract',
  nodes: 'contracts of public operations',
  order: 'by chain and address',
});
