import type { RuleValue } from '../kernel/rule-error.js';
import type { PlacesIn } from '../kernel/rules.js';

/**
 * The closed registry of what can be wrong with a record or a file of an import: each is a stable code with its English text, in which `{name}` stands for a
 * value. A text completes a sentence that begins with a field, or with the name of a file; the panel has the same rules in the languages of its readers
 * (apps/panel/operator/messages/import-rules.*.ts). `{value}` of a rule about the form of a text is in quotes and cut.
 */
export const importRules = {
  // Of one value.
  FIELD_REQUIRED: 'is required',
  BLANK: 'is blank',
  TOO_LONG: 'is longer than {max} characters',
  CONTROL_CHARACTER: 'contains a control character',
  TEXT_FORM: 'must be text of the documented form, and {value} is not',
  TICKER_FORM: 'must be a ticker: up to 40 letters, digits, points, hyphens and underscores, and {value} is not',
  SLUG_FORM: 'must be a slug: up to 120 letters, digits and hyphens, and {value} is not',
  SITE_PATH_FORM: 'must be a path of the website, like /emissoes/residencial-aurora, and {value} is not',
  CODE_FORM: 'must be a code of capital letters and digits, and {value} is not',
  CONTRACT_ADDRESS_FORM: 'must be an address: 0x and 40 hexadecimal digits, and {value} is not',
  HASH_FORM: 'must be a hash: 0x and 64 hexadecimal digits in lower case, and {value} is not',
  FIELD_ONE_OF: 'must be {known}, and {value} is not',
  FLAG: 'must be true or false',
  FIELD_TAX_ID: 'is neither a CPF nor a CNPJ: its length or its check digits are wrong',
  CNPJ: 'is not a CNPJ: its length or its check digits are wrong',
  FIELD_URL_FORM: 'must be an address that begins with https:// or http://, and {value} is not',
  ISIN: 'must be an ISIN: {value} has a wrong form or check digit',
  NUMBER: 'must be a number, and {value} is not',
  WHOLE_NUMBER: 'must be a whole number, and {value} is not',
  FIELD_DECIMALS: 'has more than {max} decimals: {value}',
  FIELD_WHOLE_DIGITS: 'has more than {max} digits before the decimals',
  NOT_NEGATIVE: 'must not be negative, and {value} is',
  AT_LEAST: 'must be {min} or more, and {value} is less',
  ABOVE: 'must be greater than {limit}, and {value} is not',
  AT_MOST: 'must be {max} or less, and {value} is more',
  FROM_TO: 'must be from {min} to {max}, and {value} is not',
  FIELD_DATE_FORM: 'must be a date like 2026-12-31 (in CSV also 31/12/2026), and {value} is not',
  FIELD_MONTH_FORM: 'must be a month like 2026-12 (in CSV also 12/2026), and {value} is not',
  MOMENT_FORM: 'must be a moment with its offset, like 2026-12-31T10:00:00-03:00, and {value} is not',
  FIELD_IN_FUTURE: 'is {value}, and today is {today}: it must not be in the future',
  NOT_ENDED: 'is {value}, which has not ended: today is {today}',
  NOT_IN_CALENDAR: 'is {value}, a day that the calendar of business days does not cover',

  // Between fields of one record.
  OUT_OF_ORDER: 'is {value}, before {field}, which is {other}',
  REQUIRED_WITH: 'is required where {field} is given',
  MORE_THAN: 'is {value}, more than {field}, which is {limit}',
  LESS_THAN: 'is {value} and must not be less than {field}, which is {other}',
  NOT_THE_TOTAL: 'is {value}, but {sum} is {due}',
  ZERO_WHERE_SETTLED: 'must be 0 where status is SETTLED, but is {value}',
  ALL_WHERE_SETTLED: 'must be all {installments} where status is SETTLED',
  ONLY_WRITTEN_OFF: 'may be given only where status is WRITTEN_OFF, but status is {status}',
  PAGE_NAME: 'is {value}, whose last part is neither the slug nor the ticker of the operation',
  ONLY_WITH_INDEXER: 'is only allowed for series that follow {indexers}',
  REQUIRED_WITH_INDEXER: 'is required for series that follow {indexers}',
  BASE_OF_ISSUE_VALUE: 'must be START where amortizationOf is ISSUE_VALUE',
  MONTHLY_INDEX: 'is {value}, but {index} is monthly: give the first day of the month',
  NO_BUSINESS_DAY: 'is {value}, which is not a business day: there is no DI rate for it',
  INDEX_NUMBER: 'must be greater than 0, because {index} is an index number',
  PAID_IN_FULL: 'is required where paidAmount is the whole amount',
  NOT_PAID_IN_FULL: 'must be absent until the instalment is paid in full: paidAmount is less than amount',
  ACCRUED_AMORTIZES: 'must be 0 where interestEvent is ACCRUED',
  ONLY_WITH_PRICE: 'is only allowed with the amortization PRICE',
  SCHEDULE_BOUNDS: 'does not produce a schedule: {name} must be a whole number from {min} to {max}',
  NO_SCHEDULE: 'does not produce a schedule: {detail}',
  GIVEN_TWICE: 'is given together with {list}: give one of them',

  // Of a file.
  FOLDER_EMPTY: 'contains no file',
  FILE_FORMAT: 'is neither .json nor .csv',
  FILE_MISSING: 'does not exist',
  FILE_FORBIDDEN: 'may not be read by this user',
  FILE_UNREADABLE: 'cannot be read: {code}',
  FILE_EMPTY: 'is empty',
  CSV_ENCODING: 'is neither UTF-8 nor ISO-8859-1: save it as one of them',
  CSV_DELIMITER: 'must be a header whose columns are separated by ; or by , (not by both): see --csv-columns',
  CSV_HEADER: 'is not a header of {known}: see --csv-columns',
  CSV_COLUMN: 'is not a column of {kind}: see --csv-columns',
  CSV_COLUMN_TWICE: 'is in the header twice',
  CSV_COLUMN_MISSING: 'is a required column of {kind}, and is missing',
  CSV_CELLS: 'has {count} cells, and the header has {columns} columns',
  CSV_LINE_LENGTH: 'is longer than a million characters',
  CSV_QUOTE_OPEN: 'has an opening quote that is never closed: the rest of the file was read as its text',
  CSV_QUOTE_AFTER: 'has text after a closing quote: write a quote inside a quoted cell twice',
  CSV_QUOTE_INSIDE:
    'has a quote inside a cell that does not begin with one: quote the whole cell, and write the quote twice',
  NUMBER_STYLES:
    'is written "{value}", and {field} of line {line} "{other}": write all numbers of a file as 1234.56, or all as 1.234,56',
  NUMBER_STYLE:
    'is "{value}", which can be read as {whole} and as {value}, and no other number of the file decides which: write the decimals of at least one ({value}0, or {value},00)',
  JSON_SIZE: 'is larger than 8 MiB: put its long lists into CSV files, or its records into several files',
  JSON_ENCODING: 'is not UTF-8, as JSON has to be',
  JSON_DEPTH: 'is nested too deeply',
  JSON_FORM: 'is not JSON from here on: {detail}',
  JSON_TWICE: 'is in its object twice',
  JSON_LIST_UNKNOWN: 'is not a list of the input, such as {known}',
  JSON_LIST: 'must be a list',
  JSON_FIELD: 'is not a field here',
  JSON_FIELD_CLOSE: 'is not a field here; did you mean {close}?',
  JSON_TYPE: 'must be {types}',
  JSON_TOO_FEW: 'must NOT have fewer than {limit} items',
  JSON_TOO_MANY: 'must NOT have more than {limit} items',
  JSON_TOO_SHORT: 'must NOT have fewer than {limit} characters',
  JSON_TOO_LONG: 'must NOT have more than {limit} characters',
  JSON_VALUE: 'is not as the schema says: {detail}',

  // Between records, and between the input and what is published.
  REPEATS: 'repeats the {label} of {place}',
  NUMBER_TAKEN: 'has the number of the series of {place}',
  SAME_DAY: 'is the same as that of the instalment of {place}',
  OWNER_UNKNOWN: 'is "{value}", and there is no such {label}',
  ESTATE_NOT_KNOWN:
    'is "{value}", and there is no such patrimony; one that is new is known some seconds after its import',
  CONTRACT_UNKNOWN: 'is "{value}", and the operation has no such contract',
  ASSET_UNKNOWN: 'is "{value}", and the patrimony has no such asset',
  SERIES_UNKNOWN: 'is "{value}", and there is no such series',
  SERIES_FOREIGN: 'is "{value}", a series of another operation',
  NAME_OF_OPERATION: 'is "{value}", by which operation {ticker} is found',
  NAME_OF_PATRIMONY: 'is "{value}", by which patrimony {ticker} is found',
  NAME_RESERVED:
    'is "{value}", which is reserved for a {label} that was withdrawn by the import {import}: revert that import (revertImport), or use another name',
  SERIES_OF_OPERATION: 'is "{value}", a series of operation {ticker}',
  SERIES_OF_PATRIMONY: 'is "{value}", a series of patrimony {ticker}',
  NUMBER_OF_SERIES: 'is {value}, the number of series {ticker}',
  AFTER_OPERATION: 'is {value}, after the maturityDate of the operation, which is {other}',
  OUTSIDE_LIFE: 'is {value}, and the series lives from {from} to {to}',
  CONTRACT_OF_OPERATION: 'is that of a contract of operation {ticker}',
  BANDS_WITHOUT_START: 'must be 0 in one of the bands of an operation',
  NO_POSITIONS: 'is {value}, and there are no positions of that month, here or in the house',
  OTHER_POSITIONS: 'is {value}, and there are {count} positions of {month}, here and in the house',
  INSTALMENTS_STATED: 'is {value}, and the asset has {count} of them, numbered up to {last}',
  INSTALMENTS_COUNTED: 'of asset "{asset}" is {value}, and it has {count} of them, numbered up to {last}',
  REQUIRED_WITHOUT_INSTALMENTS: 'is required where the asset has no instalments',
  NOT_BY_INSTALMENTS: 'is {value}, and by the instalments it is {other}',
  UNLIKELY_STATUS: 'is {value}, and nextDueDate is {due}',
  PAID_TOO_MANY: 'is {value}, and {paid} were paid',
  ASSET_TRANSITION: 'becomes {value}, and the asset is {before}, from where it cannot come to that',
  PAYMENT_TAKEN_BACK:
    'is less than amount, and the instalment was paid on {day}: only an operator takes a payment back (asset reverse, reverseAssetPayment)',
  ASSET_ASSIGNED:
    'is "{value}", which originator {originator} assigned in {batch}: to correct it, write the asset off (writeOffAsset) and have the originator assign it again',
  MONTH_MISSING: 'is {value}, and there is no {index} of {month}',
  SERIES_TRANSITION: 'is {value}, and the series is {before}, from where it cannot come to that',
  SERIES_INVESTED: 'is {value}, and money has been put into the series',
  SERIES_OWES: 'is {value}, and instalments of the series are not paid',
  SERIES_WITHOUT_SCHEDULE: 'is {value}, and money has been put into the series, which has no instalments',
  PAID_LEFT_OUT:
    'leaves out instalment {number}, which was paid: an operator first takes its payment back (payment reverse, reversePayment)',
  INSTALMENT_ORDER: 'is {value}, before that of the instalment before, which is {other}',
  BEFORE_REMUNERATION: 'is {value}, not after remunerationStartDate, which is {other}',
  PAID_WITHOUT_PRICE: 'is required where paidOn is given, since the day has no unit price yet',
  AMORTIZES_TOO_MUCH: 'amortizes {share} % of the issue value, more than all',
  INCORPORATED_AFTER_AMORTIZATION:
    'incorporates interest in the issue value after a part of it was amortized, at instalment {number}: no base of the later percentages would be certain',

  // Of records that a reversal would change: whole sentences.
  RECORD_CHANGED:
    '{label} {record} has changed since: revert that change first, correct the record by an import, or take back a payment that it got since (asset reverse, payment reverse)',
  RECORD_STAYS: '{label} {record} cannot be removed: import the right value with --correct instead',
  RECORD_ORPHANED:
    '{label} {record} belongs or refers to a record that has been removed since: restore that record first',

  // Of settled records, which change only for a reason. Values have `changes` as `field before → after`, or `removed`.
  SETTLED_PAID: '{label} {record} was paid on {day}: {changes}',
  SETTLED_STATUS: '{label} {record} is {status}: {changes}',
  SETTLED_REPORT: '{label} {record} is of a month whose report is final: {changes}',
  SETTLED_PRICES: '{label} {record} has prices that are made of it: {changes}',
  SETTLED_AGE: '{label} {record} is older than {days} days: {changes}',
  SETTLED_RECEIVED: '{label} {record} has received {amount}: {changes}',
  SETTLED_EMPTIED: '{label} {record} would lose {fields}: {changes}',
} as const;

export type ImportRuleCode = keyof typeof importRules;

/** What is wrong, as a rule with its values, and the English text that they make. */
export interface BrokenImportRule {
  readonly message: string;
  readonly rule: ImportRuleCode;
  readonly values: readonly RuleValue[];
}

/** The names of the values of a rule. */
type NamesOf<Code extends ImportRuleCode> = PlacesIn<(typeof importRules)[Code]>;

/** The values of a rule, as an argument where it has any. */
type Given<Code extends ImportRuleCode, Value> = [NamesOf<Code>] extends [never]
  ? []
  : [values: Readonly<Record<NamesOf<Code>, Value>>];

/** Returns a broken rule: `broken('TOO_LONG', { max: 200 })`. */
export function broken<Code extends ImportRuleCode>(
  rule: Code,
  ...[given]: Given<Code, string | number>
): BrokenImportRule {
  return brokenBy(rule, Object.entries<string | number>(given ?? {}));
}

/** Returns a broken rule with values that come from elsewhere, such as a check in SQL. */
export function brokenBy(
  rule: ImportRuleCode,
  given: readonly (readonly [name: string, value: string | number])[],
): BrokenImportRule {
  const values = given.map(([name, value]) => ({ name, value: String(value) }));
  const texts = new Map(values.map(({ name, value }) => [name, value]));
  const message = importRules[rule].replace(/\{(\w+)\}/g, (_place, name: string) => texts.get(name) ?? '');
  return { rule, values, message };
}

/** Whether a text is the code of a rule. */
export function isImportRule(code: string): code is ImportRuleCode {
  return Object.hasOwn(importRules, code);
}

/**
 * Returns the SQL columns `rule` and `given` of a check that finds a violation: `violation('OUTSIDE_LIFE', { value: 's.date', … })`.
 * @param values SQL expressions
 */
export function violation<Code extends ImportRuleCode>(rule: Code, ...[values]: Given<Code, string>): string {
  return `'${rule}' AS rule, ${givenBy(values ?? {})} AS given`;
}

/** Returns SQL of the values of a rule; a value of NULL is an empty text. */
export function givenBy(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([name, sql]) => `'${name}', coalesce((${sql})::text, '')`);
  return `jsonb_build_object(${pairs.join(', ')})`;
}

/** The values of a rule about a settled record that its kind knows. */
type SettledValues<Code extends ImportRuleCode> = Readonly<
  Record<Exclude<NamesOf<Code>, 'label' | 'record' | 'changes'>, string>
>;

/**
 * Returns SQL of why a record is settled, for `settled` of a kind: `settledBy('SETTLED_PAID', { day: 'o.paid_on' })`. It is NULL where a value is.
 * @param values SQL expressions
 */
export function settledBy<Code extends Extract<ImportRuleCode, `SETTLED_${string}`>>(
  rule: Code,
  values: SettledValues<Code>,
): string {
  const entries = Object.entries<string>(values);
  const known = entries.map(([, sql]) => `(${sql}) IS NOT NULL`);
  const pairs = entries.map(([name, sql]) => `'${name}', (${sql})::text`);
  return `CASE WHEN ${known.join(' AND ') || 'true'} THEN jsonb_build_object(${[`'rule', '${rule}'`, ...pairs].join(', ')}) END`;
}
