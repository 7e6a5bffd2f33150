import { brokenRule, type BrokenRule } from '../batches/broken-rule.js';
import { lineWidth, maxDetails, type Detail } from './layout.js';

/** The rules of the layout, as the sender of a file reads them when one is broken. */
export const layoutRules = {
  tooManyRecords: brokenRule(
    'TOO_MANY_RECORDS',
    `is one record too many: a file has at most ${maxDetails} details`,
    `é um registro a mais: um arquivo tem no máximo ${maxDetails} detalhes`,
  ),
  emptyFile: brokenRule(
    'FILE_EMPTY',
    'is missing: the file is empty and must have a header, details and a trailer',
    'falta: o arquivo está vazio e deve ter cabeçalho, detalhes e trailer',
  ),
  tooFewRecords: brokenRule(
    'TOO_FEW_RECORDS',
    'is the last record: a file must have a header, details and a trailer',
    'é o último registro: um arquivo deve ter cabeçalho, detalhes e trailer',
  ),
  illegible: brokenRule('CHARACTER', 'must be a printable character', 'deve ser um caractere imprimível'),
  notFilledIn: brokenRule('REQUIRED', 'must be filled in', 'deve ser preenchido'),
  text: brokenRule(
    'TEXT_FORM',
    'must be a text without control characters',
    'deve ser um texto sem caracteres de controle',
  ),
  day: brokenRule('DATE_FORM', 'must be a date, DDMMYY', 'deve ser uma data, DDMMAA'),
  amount: brokenRule(
    'AMOUNT_FORM',
    'must be an amount in centavos, digits only',
    'deve ser um valor em centavos, apenas dígitos',
  ),
} as const satisfies Record<string, BrokenRule>;

export function lineLength(line: string): BrokenRule {
  const { length } = line;
  if (length < lineWidth && Buffer.byteLength(line) === lineWidth)
    return brokenRule(
      'LINE_BYTES',
      `has ${lineWidth} bytes but ${length} characters, and must have ${lineWidth} characters: in UTF-8 letters such as ã have two bytes`,
      `tem ${lineWidth} bytes mas ${length} caracteres, e deve ter ${lineWidth} caracteres: em UTF-8 letras como ã têm dois bytes`,
    );
  return brokenRule(
    'LINE_LENGTH',
    `has ${length} characters and must have ${lineWidth}`,
    `tem ${length} caracteres e deve ter ${lineWidth}`,
  );
}

const typeNames = {
  '0': ['a header', 'um cabeçalho'],
  '1': ['a detail', 'um detalhe'],
  '9': ['the trailer', 'o trailer'],
} as const;

/** @param type of the record that has to stand there */
export function recordType(type: keyof typeof typeNames): BrokenRule {
  const [name, namePt] = typeNames[type];
  return brokenRule(
    'RECORD_TYPE',
    `must be ${type}: ${name} is expected here`,
    `deve ser ${type}: aqui se espera ${namePt}`,
  );
}

export function sequenceNumber(number: number): BrokenRule {
  return brokenRule('SEQUENCE', `must be ${number}`, `deve ser ${number}`);
}

export function recordCount(stated: string, actual: number): BrokenRule {
  return brokenRule(
    'RECORD_COUNT',
    `is ${stated}, but the file has ${actual} records`,
    `é ${stated}, mas o arquivo tem ${actual} registros`,
  );
}

export function constant(value: string): BrokenRule {
  return brokenRule('CONSTANT', `must be ${value}`, `deve ser ${value}`);
}

/** @param own the occurrences with which the amount counts */
function foreignAmount(code: string, own: readonly string[]): BrokenRule {
  const list = own.join(', ');
  return brokenRule(
    'AMOUNT_OF_OCCURRENCE',
    `must be 0 with occurrence ${code}: such an amount has a record of its own, with occurrence ${list}`,
    `deve ser 0 com a ocorrência ${code}: esse valor tem um registro próprio, com a ocorrência ${list}`,
  );
}

export function occurrenceCode(codes: readonly string[]): BrokenRule {
  const list = codes.join(', ');
  return brokenRule('OCCURRENCE', `must be one of ${list}`, `deve ser um destes: ${list}`);
}

/** The purpose of a record, named as in the published layouts. */
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

/** For each settlement code, the amounts that only other occurrences may state, each with the rule that it breaks. */
export const foreignAmounts: Readonly<Record<string, ReadonlyMap<string, BrokenRule>>> = Object.fromEntries(
  Object.entries(occurrences).map(([code, { act, amount }]) => {
    // Reductions of a title before its assignment are not recorded by us.
    const foreign = (['paidAmount', 'abatement'] as const).filter((field) => act === 'settlement' && field !== amount);
    const codesWith = (field: string) => codesOf().filter((other) => occurrences[other]?.amount === field);
    return [code, new Map(foreign.map((field) => [field, foreignAmount(code, codesWith(field))]))];
  }),
);

/** The purpose of a file; one file has exactly one. */
type Act = Occurrence['act'];

/** Returns the codes of the occurrences that a file for a purpose may contain; those for any file when none is given. */
export function codesOf(act?: Act): readonly string[] {
  return Object.keys(occurrences)
    .filter((code) => act === undefined || occurrences[code]?.act === act)
    .sort();
}
