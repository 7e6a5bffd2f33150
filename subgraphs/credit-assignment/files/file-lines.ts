import { identified, type NewContract } from '../credit-batches/check-contracts.js';
import type { NewSettlement } from '../settlement-batches/check-settlements.js';
import type { FileErrors, FilePlace } from './file-errors.js';

export type FileContract = NewContract & { readonly line: number };

/** A payment as a file has it: for a contract under its originator's name for it. */
export type FilePayment = Omit<NewSettlement, 'contractId'> & { readonly line: number; readonly externalId: string };

export interface FileLines<Line> {
  readonly errors: FileErrors;
  readonly lines: readonly Line[];
  /** Returns where a field of one of them, or the whole line, is in the file; fields have the names that a batch gives them. */
  placeAt(index: number, field?: string): FilePlace;
}

/** The fields of a contract that a line may leave out, where each is one text. */
export const optionalTerms = [
  'debtorName',
  'debtorUf',
  'purchasePrice',
  'baseDate',
  'interestRate',
  'dayCount',
  'coobligation',
  'assignorDocument',
  'invoiceKey',
  'type',
] as const;

type OptionalTerm = (typeof optionalTerms)[number];
type Texts = Readonly<Record<'externalId' | 'debtorDocument' | 'faceValue' | 'dueDate', string>> &
  Readonly<Partial<Record<OptionalTerm, string>>>;

const truths: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Returns the contract of the texts of a line; an empty one is left out. */
export function contractOf({ externalId, debtorDocument, faceValue, dueDate, ...texts }: Texts): NewContract {
  const given = optionalTerms.flatMap((name) => (texts[name] ? [[name, texts[name]] as const] : []));
  const terms: Partial<Record<OptionalTerm, string>> = Object.fromEntries(given);
  const { coobligation } = terms;
  return identified({
    ...{ externalId, debtorDocument, faceValue, dueDate, ...terms },
    ...(coobligation === undefined ? {} : { coobligation: truths[coobligation.toLowerCase()] ?? coobligation }),
  });
}
