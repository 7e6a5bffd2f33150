import type { KeyRing } from '../../../shared/crypto.js';
import { formatCurrency, formatMonth, formatRemuneration, type Indexer } from '../../../shared/format/format.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { agingLabel } from '../reports/bands.js';
import type { InventoryItem } from './inventory.type.js';

/** What of a credit contract the inventory reads. Name, document and external id of a debtor are not among it. */
export interface InventoryContract {
  readonly id: string;
  readonly type: string;
  readonly status: ContractStatus;
  readonly originalValue: string;
  readonly outstandingBalance: string;
  readonly indexer: Indexer;
  readonly rate: string;
  readonly issueDate: string;
  readonly maturityDate: string;
  readonly installments: number;
  readonly paidInstallments: number;
  readonly daysLate: number;
  readonly uf: string | null;
}

export const contractStatuses = ['ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF'] as const;
export type ContractStatus = (typeof contractStatuses)[number];

const statusLabels: Readonly<Record<ContractStatus, string>> = {
  ACTIVE: 'Ativo',
  SETTLED: 'Liquidado',
  DEFAULTED: 'Inadimplente',
  WRITTEN_OFF: 'Baixado',
};

/** A state with fewer debtors than this does not show: its inhabitants would be known by it. */
export const fewestDebtors = 5;

/**
 * The name under which a contract appears in an inventory: stable, different in every operation, and nothing can be
 * concluded from it without the house's key.
 */
export function opaqueId(keyRing: KeyRing, operationId: string, contractId: string): string {
  return keyRing.hmac('issuances/inventory', `${operationId}/${contractId}`).subarray(0, 16).toString('base64url');
}

/** Contracts in the order of their opaque ids: always the same, and as good as drawn by lot. */
export function inventoryOrder(keyRing: KeyRing, operationId: string, contractIds: readonly string[]): string[] {
  return contractIds
    .map((id) => ({ id, opaque: opaqueId(keyRing, operationId, id) }))
    .sort((left, right) => (left.opaque < right.opaque ? -1 : 1))
    .map(({ id }) => id);
}

/** @param shownUfs the states with at least `fewestDebtors` debtors */
export function toInventoryItem(
  opaque: string,
  contract: InventoryContract,
  shownUfs: ReadonlySet<string>,
): Shape<InventoryItem> {
  return {
    id: opaque,
    tipo: contract.type,
    valorOriginal: formatCurrency(contract.originalValue),
    saldoDevedor: formatCurrency(contract.outstandingBalance),
    taxa: formatRemuneration({ indexer: contract.indexer, indexerPercent: '100', rate: contract.rate }),
    dataEmissao: formatMonth(contract.issueDate),
    dataVencimento: formatMonth(contract.maturityDate),
    parcelas: contract.installments,
    parcelasPagas: contract.paidInstallments,
    diasAtraso: contract.daysLate,
    faixaAtraso: agingLabel(contract.daysLate),
    uf: contract.uf !== null && shownUfs.has(contract.uf) ? contract.uf : null,
    status: statusLabels[contract.status],
  };
}
