import type { Indexer } from '../../securities/indexer.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import { agingLabel } from '../../securities/aging.js';
import * as bands from './bands.js';
import { noRate, rangeOf } from './bands.js';
import type { InventoryItem } from './inventory.type.js';
import { partition, type Dimension } from './partition.js';

export const contractStatuses = ['ACTIVE', 'SETTLED', 'DEFAULTED', 'WRITTEN_OFF'] as const;
export type ContractStatus = (typeof contractStatuses)[number];

const statusLabels: Readonly<Record<ContractStatus, string>> = {
  ACTIVE: 'Ativo',
  SETTLED: 'Liquidado',
  DEFAULTED: 'Inadimplente',
  WRITTEN_OFF: 'Baixado',
};

/** Published data of credits is shared by at least this many debtors. */
export const fewestDebtors = 5;

/** The fields of a credit contract that the inventory reads. They exclude name, tax id and external id of the debtor. */
export interface InventoryContract {
  readonly id: string;
  /** A number that contracts of the same debtor share, for counting. */
  readonly debtor: number;
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

export type PublishedFields = Omit<Shape<InventoryItem>, 'id'>;

export interface InventoryGroup {
  readonly contractIds: readonly string[];
  readonly fields: PublishedFields;
}

/** Groups have at least five debtors and depend only on the terms of contracts, never on payments: see the README. None exist for fewer than five debtors. Yields to other requests. */
export async function generalize(contracts: readonly InventoryContract[]): Promise<InventoryGroup[]> {
  const records = {
    size: contracts.length,
    persons: contracts.map(({ debtor }) => debtor),
    dimensions: dimensionsOf(contracts),
  };
  const groups: InventoryGroup[] = [];
  await eachInTurns(await partition(records, fewestDebtors), (group) => {
    const members = group.flatMap((at) => contracts[at] ?? []);
    groups.push({ contractIds: members.map(({ id }) => id), fields: publish(members) });
  });
  return groups;
}

/** Lists the terms of the contracts, the most useful to an analyst first. */
function dimensionsOf(contracts: readonly InventoryContract[]): Dimension[] {
  const ordered = (bandOf: (contract: InventoryContract) => number): Dimension => ({
    kind: 'ORDERED',
    values: contracts.map(bandOf),
  });
  const named = (nameOf: (contract: InventoryContract) => string): Dimension => {
    const numbers = new Map([...new Set(contracts.map(nameOf))].sort().map((name, number) => [name, number]));
    return { kind: 'NAMED', values: contracts.map((contract) => numbers.get(nameOf(contract)) ?? 0) };
  };
  return [
    named(indexingOf),
    named(({ type }) => type),
    ordered(({ originalValue }) => bands.amountBand(originalValue)),
    ordered(({ rate }) => bands.rateBand(rate)),
    ordered(({ maturityDate }) => bands.halfYearOf(bands.monthNumber(maturityDate))),
    ordered(({ issueDate }) => bands.halfYearOf(bands.monthNumber(issueDate))),
    ordered(({ installments }) => installments),
    named(({ uf }) => uf ?? ''),
  ];
}

/** Returns the index of a credit; `NONE` where no rate is known of it, which is stored as a fixed rate of zero. */
function indexingOf({ indexer, rate }: InventoryContract): InventoryContract['indexer'] | 'NONE' {
  return indexer === 'PREFIXED' && Number(rate) === 0 ? 'NONE' : indexer;
}

/** Returns fields that hold for every one of some credits. */
function publish(members: readonly InventoryContract[]): PublishedFields {
  const range = (bandOf: (contract: InventoryContract) => number) => rangeOf(members.map(bandOf));
  const common = <T>(valueOf: (contract: InventoryContract) => T): T | null => {
    const values = new Set(members.map(valueOf));
    return values.size === 1 ? ([...values][0] ?? null) : null;
  };
  const indexer = common(indexingOf);
  const installments = common((one) => one.installments);
  return {
    tipo: common((one) => one.type),
    valorOriginal: bands.showAmounts(range((one) => bands.amountBand(one.originalValue))),
    saldoDevedor: bands.showAmounts(range((one) => bands.amountBand(one.outstandingBalance))),
    taxa:
      indexer === null || indexer === 'NONE'
        ? indexer && noRate
        : bands.showRates(
            indexer,
            range((one) => bands.rateBand(one.rate)),
          ),
    dataEmissao: bands.showMonths(range((one) => bands.monthNumber(one.issueDate))),
    dataVencimento: bands.showMonths(range((one) => bands.monthNumber(one.maturityDate))),
    parcelas:
      installments === null
        ? bands.showInstalments(range((one) => bands.instalmentBand(one.installments)))
        : String(installments),
    parcelasPagas: bands.showInstalments(range((one) => bands.instalmentBand(one.paidInstallments))),
    diasAtraso: bands.showDaysLate(range((one) => bands.latenessBand(one.daysLate))),
    faixaAtraso: common((one) => agingLabel(one.daysLate)),
    uf: common((one) => one.uf),
    status: common((one) => statusLabels[one.status]),
  };
}
