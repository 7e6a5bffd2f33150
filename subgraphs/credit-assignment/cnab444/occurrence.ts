import type { Detail } from './layout.js';

/** What a record is for. The names are those of the published layouts. */
interface Occurrence {
  readonly act: 'assignment' | 'settlement';
  readonly meaning: string;
  /** The field with its amount. */
  readonly amount: keyof Detail;
  /** Fields that it cannot do without. */
  readonly needs: readonly (keyof Detail)[];
}

/** The occurrences that are taken, by code. */
export const occurrences: Readonly<Record<string, Occurrence>> = {
  '01': {
    act: 'assignment',
    meaning: 'acquisition of titles',
    amount: 'faceValue',
    needs: ['externalId', 'dueDate', 'debtorDocument'],
  },
  '04': { act: 'settlement', meaning: 'abatement', amount: 'abatement', needs: ['externalId'] },
  '14': { act: 'settlement', meaning: 'partial payment', amount: 'paidAmount', needs: ['externalId', 'paidOn'] },
  '75': { act: 'settlement', meaning: 'paid by the assignor', amount: 'paidAmount', needs: ['externalId', 'paidOn'] },
  '77': { act: 'settlement', meaning: 'paid by the debtor', amount: 'paidAmount', needs: ['externalId', 'paidOn'] },
};

/** What a file is for; one file does one of them. */
export type Act = Occurrence['act'];

/** The codes of the occurrences that a file for an act may have; for any file when no act is named. */
export function codesOf(act?: Act): readonly string[] {
  return Object.keys(occurrences)
    .filter((code) => act === undefined || occurrences[code]?.act === act)
    .sort();
}
