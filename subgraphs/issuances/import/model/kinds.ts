import { type Kind, kind, optional, required, type Parent } from '../../../../shared/import/model/kind.js';
import { accounts, payments, permittedInvestments } from './cash.js';
import { completeMonths, contractPositions, contracts, covenants, provisioningBands } from './credits.js';
import { operations, series, ofOperation, toSeries } from './operations.js';
import { trusteeUnitPrices, unitPrices } from './prices.js';
import { assemblies, communications, documents, guarantees, obligations, participants } from './publications.js';
import { instant } from '../../../../shared/import/model/date-values.js';
import { decimal, integer } from '../../../../shared/import/model/number-values.js';
import { label, text, url } from '../../../../shared/import/model/text-values.js';

const address = text({ pattern: '^0x[0-9a-fA-F]{40}$', rule: 'CONTRACT_ADDRESS_FORM' });
const tokens = decimal(30, 0, { min: '0' });

const onchainContracts = kind('onchainContracts', {
  label: 'on-chain contract',
  description: 'Smart contracts of the operation. REST: blockchain. One that is not listed keeps its values.',
  table: 'issuances.onchain_contracts',
  parent: ofOperation,
  unique: true,
  recorded: false,
  key: ['chainId', 'address'],
  fields: [
    optional(
      'trancheTicker',
      label,
      'Ticker of the series that the contract tokenizes, if any.',
      'AURORA1S1',
      toSeries,
    ),
    required('chainId', integer(1), 'Number of the chain (EIP-155).', 137),
    required('network', label, 'Name of the chain.', 'Polygon'),
    required('address', address, 'Address of the contract.', '0x52908400098527886e0f7030069857d2e4169ee7'),
    required('standard', label, 'Token standard.', 'ERC-721A'),
    required('name', label, 'Name of the token.', 'Residencial Aurora 1'),
    required('symbol', label, 'Symbol of the token.', 'AURORA1'),
    required('tokenQuantity', tokens, 'Number of tokens that represent the series.', 50000),
    required('totalSupply', tokens, 'Number of minted tokens.', 48500),
    required('deployedAt', instant, 'Time of the deployment.', '2025-03-20T13:00:00Z'),
    optional('explorerUrl', url, 'URL of the contract in a block explorer.', null),
  ],
});

const ofContract: Parent = {
  kind: onchainContracts,
  columns: [
    { name: 'owner_chain', sql: 'integer', folds: false, field: undefined, known: undefined },
    { name: 'owner_address', sql: 'text', folds: true, field: undefined, known: undefined },
  ],
  source: {
    owner: [['contract_id', 'k.id']],
    join: 'JOIN known_onchain_contracts k ON k.chain_id = s.owner_chain AND k.address = lower(s.owner_address)',
    affected: 'k.operation_id',
  },
};

const onchainEvents = kind('onchainEvents', {
  label: 'on-chain event',
  description: 'Events of the contract. Events that are not listed remain.',
  table: 'issuances.onchain_events',
  parent: ofContract,
  list: 'events',
  key: ['transactionHash', 'logIndex'],
  hasId: false,
  recorded: false,
  fields: [
    required(
      'transactionHash',
      text({ pattern: '^0x[0-9a-f]{64}$', rule: 'HASH_FORM' }),
      'Hash of the transaction.',
      `0x${'4e3a'.repeat(16)}`,
    ),
    required('logIndex', integer(0), 'Position of the log in its block.', 3),
    required('blockNumber', decimal(18, 0, { min: '0' }), 'Number of the block.', 71234567),
    required('type', label, 'A free label: MINT, TRANSFER, BURN, PAYMENT.', 'MINT'),
    optional('from', address, 'Sender.', null, { column: 'from_address' }),
    optional('to', address, 'Receiver.', '0x8617e340b3d01fa5f11f306f4090fd50e238070d', { column: 'to_address' }),
    optional('tokenQuantity', tokens, 'Number of moved tokens.', 500),
    required('occurredAt', instant, 'Time of the block.', '2025-03-20T13:05:12Z'),
  ],
});

/** All kinds of records, parents before children: the order in which they are written. */
export const kinds: readonly Kind[] = [
  operations,
  series,
  unitPrices,
  trusteeUnitPrices,
  guarantees,
  documents,
  obligations,
  payments,
  accounts,
  permittedInvestments,
  assemblies,
  communications,
  participants,
  onchainContracts,
  onchainEvents,
  contracts,
  contractPositions,
  completeMonths,
  provisioningBands,
  covenants,
];
