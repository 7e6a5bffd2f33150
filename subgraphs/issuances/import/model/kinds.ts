import { accounts, payments, permittedInvestments } from './cash.js';
import { contractPositions, contracts, covenants, provisioningBands } from './credits.js';
import type { Kind, Parent } from './kind.js';
import { onchainContracts, onchainEvents } from './onchain.js';
import { operations, series, trusteeUnitPrices, unitPrices } from './operations.js';
import { assemblies, communications, documents, guarantees, obligations, participants } from './publications.js';

/** Every kind of record, parents before what belongs to them: the order in which they are written. */
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
  provisioningBands,
  covenants,
];

export const csvKinds: readonly Kind[] = kinds.filter((kind) => kind.csv);

const owners: Readonly<Record<Parent, Kind | undefined>> = {
  none: undefined,
  operation: operations,
  series,
  contract: contracts,
  onchainContract: onchainContracts,
};

/** The lists that an object of this kind holds in JSON. */
export function childrenOf(kind: Kind): readonly Kind[] {
  return kinds.filter((child) => owners[child.parent] === kind);
}
