import type { Detail } from './layout.js';
import { codesOf, occurrences } from './occurrence.js';
import { readCnab444, type Outcome } from './parse-cnab444.js';

/** A contract for the creation of a credit batch. Money in BRL, two decimals. */
export interface CnabContract {
  readonly externalId: string;
  readonly debtorDocument: string;
  readonly faceValue: string;
  readonly dueDate: string;
}

/** A payment for a contract, under its originator's name for it. Money in BRL, two decimals. */
export interface CnabSettlement {
  readonly externalId: string;
  /** The field that holds the amount. */
  readonly amountField: keyof Detail;
  readonly settledAmount: string;
  readonly settledDate: string;
}

/** Returns the contracts of an assignment file, in its order: the first is in line 2. */
export async function readContracts(
  file: Uint8Array | string,
): Promise<Outcome<{ readonly contracts: readonly CnabContract[] }>> {
  const read = await readCnab444(file, codesOf('assignment'), (detail) => ({
    externalId: detail.externalId,
    debtorDocument: documentOf(detail),
    faceValue: detail.faceValue,
    dueDate: detail.dueDate,
  }));
  return 'errors' in read ? read : { contracts: read.kept };
}

/**
 * Returns the settlements of a settlement file, in its order: the first is in line 2. An abatement without a day takes the day
 * on which the file was written.
 */
export async function readSettlements(
  file: Uint8Array | string,
): Promise<Outcome<{ readonly settlements: readonly CnabSettlement[] }>> {
  const read = await readCnab444(file, codesOf('settlement'), (detail) => ({
    externalId: detail.externalId,
    amountField: amountOf(detail),
    settledAmount: detail[amountOf(detail)],
    settledDate: detail.paidOn,
  }));
  if ('errors' in read) return read;
  const { writtenOn } = read.header;
  return {
    settlements: read.kept.map((each) => (each.settledDate === '' ? { ...each, settledDate: writtenOn } : each)),
  };
}

function amountOf({ occurrence }: Pick<Detail, 'occurrence'>): keyof Detail {
  return occurrences[occurrence]?.amount ?? 'faceValue';
}

// A CPF has 11 digits, after three zeros in a field as wide as the 14 of a CNPJ. Some writers leave the zeros out.
function documentOf({ debtorKind, debtorDocument }: Detail): string {
  const bare = debtorDocument.trim();
  return debtorKind === '01' && bare.length === 14 && bare.startsWith('000') ? bare.slice(3) : bare;
}
