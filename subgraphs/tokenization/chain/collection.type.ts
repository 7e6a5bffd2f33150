import { ObjectType } from 'type-graphql';
import type { MovementType } from './movement.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { fields, flag, id, int, list, nullable, of, text, texts, time } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'The token contract of a series, in a list of the REST API.' })
export class DeveloperContract extends fields({
  address: text('Address, with its checksum (EIP-55)'),
  chainId: int('Number of the chain (EIP-155)'),
  network: text('Name of the chain'),
  standard: text('Token standard'),
  name: nullable.text('Name of the token; null until the contract was read'),
  symbol: nullable.text('Symbol of the token; null until the contract was read'),
  trancheTicker: text('Ticker of the series whose units the tokens are'),
  tokenQuantity: text('Number of units of the series, an integer'),
  totalSupply: nullable.text('Number of existing tokens, an integer; null until the contract was read'),
  deployedAt: nullable.time('Time of its deployment; null until the contract was read'),
  explorerUrl: nullable.text('URL of the contract in a block explorer'),
  readAt: nullable.time('Time at which these values were last read from the contract; null until it was read'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A movement of tokens of a contract.' })
export class DeveloperContractEvent extends fields({
  block: text('Number of the block'),
  transaction: text('Hash of the transaction'),
  logIndex: int('Position in the block; that of the first log when several logs are combined'),
  type: of(() => ChainEventTypeEnum, 'Kind of the movement'),
  from: text('Previous owner; the zero address for created tokens'),
  to: text('New owner; the zero address for destroyed tokens'),
  tokenIds: texts('The first 100 token ids, out of all from `firstTokenId` to `lastTokenId`'),
  firstTokenId: text('Id of the first token'),
  lastTokenId: text('Id of the last token'),
  tokenQuantity: text('Number of tokens, an integer'),
  occurredAt: time('Time of the block'),
  final: flag('Whether the event is final; until then a reorganization of the chain may remove it'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A page of token contracts.' })
export class DeveloperContractList extends fields({
  items: list(() => DeveloperContract, 'The contracts of this page, sorted by the ticker of their series'),
  count: int('Number of contracts on all pages'),
  nextToken: nullable.text('Token to pass for the next page; null on the last page (omitted over REST)'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A token contract with the movements of its tokens.' })
export class DeveloperContractDetails extends fields(
  {
    events: list(() => DeveloperContractEvent, 'A page of the movements, newest first'),
    nextToken: nullable.text('Token to pass for earlier events; null when there are none (omitted over REST)'),
  },
  DeveloperContract,
) {}

@ObjectType({ simpleResolvers: true, description: 'The token contract of a series.' })
export class TokenCollection extends fields(
  {
    id: id('Id (UUID)'),
    deployedBlock: text('Block in which it was deployed'),
    readBlock: nullable.text('The latest block for which the contract was read'),
    final: flag('Whether all known events are final, so that no reorganization can remove them'),
  },
  DeveloperContract,
) {}

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
