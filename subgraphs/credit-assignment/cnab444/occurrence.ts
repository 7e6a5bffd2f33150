import type { BrokenRule } from '../batches/broken-rule.js';
import type { Detail } from './layout.js';
import { foreignAmount } from './layout-rules.js';

/** The purpose of a record. The names are those of the published layouts. */
interface Occurrence {
  readonly act: 'assignment' | 'settlement';
  readonly meaning: string;
  /** The field that holds its amount. */
  readonly amount: keyof Detail;
  readonly needs: readonly (keyof Detail)[];
}

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

/** By code of a settlement: the amounts that count with other occurrences only, each with the rule that it breaks where it is stated. */
export const foreignAmounts: Readonly<Record<string, ReadonlyMap<string, BrokenRule>>> = Object.fromEntries(
  Object.entries(occurrences).map(([code, { act, amount }]) => {
    // What a title was reduced by before its assignment is no act of ours.
    const foreign = (['paidAmount', 'abatement'] as const).filter((field) => act === 'settlement' && field !== amount);
    const codesWith = (field: string) => codesOf().filter((other) => occurrences[other]?.amount === field);
    return [code, new Map(foreign.map((field) => [field, foreignAmount(code, codesWith(field))]))];
  }),
);

/** The purpose of a file; one file has exactly one. */
export type Act = Occurrence['act'];

/** Returns the codes of the occurrences that a file for a purpose may contain; those for any file when none is given. */
export function codesOf(act?: Act): readonly string[] {
  return Object.keys(occurrences)
    .filter((code) => act === undefined || occurrences[code]?.act === act)
    .sort();
}
