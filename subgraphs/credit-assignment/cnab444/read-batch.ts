import type { CnabFaults } from './faults.js';
import type { Detail } from './layout.js';
import { occurrences } from './occurrence.js';
import { parseCnab444 } from './parse-cnab444.js';

/** A contract as a credit batch is created with it. Money in BRL, two decimals. */
export interface CnabContract {
  readonly externalId: string;
  readonly debtorDocument: string;
  readonly faceValue: string;
  readonly dueDate: string;
}

/** What was received for a contract, which its originator names. Money in BRL, two decimals. */
export interface CnabSettlement {
  readonly externalId: string;
  readonly settledAmount: string;
  readonly settledDate: string;
}

/** The contracts of an assignment file, in its order: the first stands in line 2. */
export function readContracts(
  file: Uint8Array | string,
): { readonly contracts: readonly CnabContract[] } | { readonly faults: CnabFaults } {
  const parsed = parseCnab444(file, 'assignment');
  if ('faults' in parsed) return parsed;
  return {
    contracts: parsed.file.details.map((detail) => ({
      externalId: detail.externalId,
      debtorDocument: documentOf(detail),
      faceValue: detail.faceValue,
      dueDate: detail.dueDate,
    })),
  };
}

/**
 * The settlements of a settlement file, in its order: the first stands in line 2. An abatement need not say its day; it is then the day
 * on which the file was written.
 */
export function readSettlements(
  file: Uint8Array | string,
): { readonly settlements: readonly CnabSettlement[] } | { readonly faults: CnabFaults } {
  const parsed = parseCnab444(file, 'settlement');
  if ('faults' in parsed) return parsed;
  const { header, details } = parsed.file;
  return {
    settlements: details.map((detail) => ({
      externalId: detail.externalId,
      settledAmount: detail[amountOf(detail)],
      settledDate: detail.paidOn === '' ? header.writtenOn : detail.paidOn,
    })),
  };
}

/** The field that holds what a record assigns or settles. */
export function amountOf({ occurrence }: Pick<Detail, 'occurrence'>): keyof Detail {
  return occurrences[occurrence]?.amount ?? 'faceValue';
}

// A person's number has 11 digits, behind three zeros in a field for the 14 of a company. Some writers leave the zeros out.
function documentOf({ debtorKind, debtorDocument }: Detail): string {
  const bare = debtorDocument.trim();
  return debtorKind === '01' && bare.length === 14 && bare.startsWith('000') ? bare.slice(3) : bare;
}
