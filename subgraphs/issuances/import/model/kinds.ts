import type { Kind } from '../../../../shared/import/model/kind.js';
import { accounts, payments, permittedInvestments } from './cash.js';
import { completeMonths, contractPositions, contracts, covenants, provisioningBands } from './credits.js';
import { onchainContracts, onchainEvents } from './onchain.js';
import { operations, series } from './operations.js';
import { trusteeUnitPrices, unitPrices } from './prices.js';
import { assemblies, communications, documents, guarantees, obligations, participants } from './publications.js';

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
