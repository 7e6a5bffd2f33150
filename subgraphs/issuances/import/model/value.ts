import { Decimal } from '../../../../shared/decimal.js';
import { documentKind, bareDocument, isCnpj } from '../../../../shared/documents.js';
import { isIsin } from './isin.js';

/** A fragment of a JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What `read` answers for a text that is no such value; `fault` completes a sentence that begins with the field's name. */
export interface Misread {
  readonly fault: string;
}

/**
 * The kinds of values that the input holds. `read` takes a text in its plain form (a point before the decimals, ISO dates) and
 * answers the text that PostgreSQL gets; CSV files in Brazilian form are brought to the plain form before.
 */
export interface ValueType {
  /** What the CSV reader has to undo before `read`. */
  readonly form: 'text' | 'number' | 'date' | 'month' | 'list';
  /** Column type in the staging table. */
  readonly sql: string;
  readonly schema: JsonSchema;
  /** How a person is told what belongs into a CSV column. */
  readonly hint: string;
  readonly read: (text: string) => string | Misread;
}

/** A value in a message: short, in quotes, on one line. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return `"${line.length > 40 ? `${line.slice(0, 39)}…` : line}"`;
}

interface TextOptions {
  readonly pattern?: string;
  /** Completes "must be …" when the pattern does not match. */
  readonly what?: string;
  readonly maxLength?: number;
}

// Control characters save tabs and line breaks, and halves of characters.
const unprintable = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** Text without control characters, and not blank. */
export function text({
  pattern,
  what = 'text of the documented form',
  maxLength = 10_000,
}: TextOptions = {}): ValueType {
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return {
    form: 'text',
    sql: 'text',
    hint: pattern === undefined ? 'text' : what,
    schema: { type: 'string', minLength: 1, maxLength, ...(pattern === undefined ? {} : { pattern }) },
    read: (value) => {
      if (value.trim() === '') return { fault: 'is blank' };
      if (value.length > maxLength) return { fault: `is longer than ${maxLength} characters` };
      if (unprintable.test(value)) return { fault: 'contains a control character' };
      return form === undefined || form.test(value) ? value : { fault: `must be ${what}, and ${quote(value)} is not` };
    },
  };
}

/** One of some words, as they stand. */
export function oneOf(...values: readonly string[]): ValueType {
  const last = values.at(-1) ?? '';
  const words = values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${last}` : last;
  return {
    form: 'text',
    sql: 'text',
    hint: words,
    schema: { type: 'string', enum: values },
    read: (value) => (values.includes(value) ? value : { fault: `must be ${words}, and ${quote(value)} is not` }),
  };
}

interface DecimalOptions {
  readonly min?: string;
  readonly above?: string;
  readonly max?: string;
}

/** A decimal that NUMERIC(digits, places) holds exactly: nothing is ever rounded. */
export function decimal(digits: number, places: number, { min, above, max }: DecimalOptions = {}): ValueType {
  const whole = digits - places;
  const signed = min?.startsWith('-') === true || (min === undefined && above === undefined);
  const bounds = {
    ...(min && { minimum: Number(min) }),
    ...(above && { exclusiveMinimum: Number(above) }),
    ...(max && { maximum: Number(max) }),
  };
  return {
    form: 'number',
    sql: `numeric(${digits}, ${places})`,
    hint: `decimal, at most ${places} decimals${boundsText({ ...(min && { min }), ...(above && { above }), ...(max && { max }) })}`,
    schema: {
      type: ['string', 'number'],
      pattern: `^${signed ? '-?' : ''}[0-9]{1,${whole}}${places === 0 ? '' : `(\\.[0-9]{1,${places}})?`}$`,
      ...bounds,
    },
    read: (value) => {
      if (!/^-?\d+(\.\d+)?$/.test(value)) return { fault: `must be a number, and ${quote(value)} is none` };
      const [before = '', after = ''] = value.replace('-', '').split('.');
      if (after.replace(/0+$/, '').length > places) return { fault: placesFault(places, value) };
      if (before.replace(/^0+/, '').length > whole)
        return { fault: `has more than ${whole} digits before the decimals` };
      return boundsFault(value, min, above, max) ?? (places === 0 ? (value.split('.')[0] ?? '') : value);
    },
  };
}

function placesFault(places: number, value: string): string {
  return places === 0
    ? `must be a whole number, and ${quote(value)} is not`
    : `has more than ${places} decimals: ${quote(value)}`;
}

function boundsText({ min, above, max }: DecimalOptions): string {
  if (min !== undefined && max !== undefined) return `, from ${min} to ${max}`;
  if (min !== undefined) return min === '0' ? ', not negative' : `, ${min} or more`;
  return above === undefined ? '' : `, greater than ${above}`;
}

function boundsFault(value: string, min?: string, above?: string, max?: string): Misread | undefined {
  if (min === '0' && max === undefined) {
    return value.startsWith('-') && /[1-9]/.test(value)
      ? { fault: `must not be negative, and ${value} is` }
      : undefined;
  }
  const number = new Decimal(value);
  if (min !== undefined && number.lessThan(min)) return { fault: `must be ${min} or more, and ${value} is less` };
  if (above !== undefined && number.lessThanOrEqualTo(above))
    return { fault: `must be greater than ${above}, and ${value} is not` };
  if (max !== undefined && number.greaterThan(max)) return { fault: `must be ${max} or less, and ${value} is more` };
  return undefined;
}

/** Reais with cents, not negative. */
export const money = decimal(24, 2, { min: '0' });

/** A whole number that fits PostgreSQL's integer. */
export function integer(min: number, max = 2_147_483_647): ValueType {
  return {
    form: 'number',
    sql: 'integer',
    hint: max === 2_147_483_647 ? `whole number, ${min} or more` : `whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    read: (value) => {
      const number = /^-?\d{1,15}(\.0+)?$/.test(value) ? Number(value) : Number.NaN;
      if (Number.isNaN(number)) return { fault: `must be a whole number, and ${quote(value)} is not` };
      return number >= min && number <= max
        ? String(number)
        : { fault: `must be from ${min} to ${max}, and ${value} is not` };
    },
  };
}

const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a text is a day of the calendar, as `2026-12-31`, in the years in which a security can live. */
export function isDay(value: string): boolean {
  const [, year = '', month = '', day = ''] = dayForm.exec(value) ?? [];
  if (year < '1900' || year > '2199' || month < '01' || month > '12' || day < '01') return false;
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

export const date: ValueType = {
  form: 'date',
  sql: 'date',
  hint: 'date, 2026-12-31 or 31/12/2026',
  schema: { type: 'string', format: 'date' },
  read: (value) => (isDay(value) ? value : { fault: `must be a date like 2026-12-31, and ${quote(value)} is not` }),
};

/** A month, kept as its first day. */
export const month: ValueType = {
  form: 'month',
  sql: 'date',
  hint: 'month, 2026-12 or 12/2026',
  schema: { type: 'string', pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' },
  read: (value) =>
    isDay(`${value}-01`) ? `${value}-01` : { fault: `must be a month like 2026-12, and ${quote(value)} is not` },
};

const instantForm =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** A moment with its offset from UTC. */
export const instant: ValueType = {
  form: 'text',
  sql: 'timestamptz',
  hint: 'moment with offset, 2026-12-31T10:00:00-03:00',
  schema: { type: 'string', format: 'date-time' },
  read: (value) =>
    isDay(instantForm.exec(value)?.[1] ?? '')
      ? value
      : { fault: `must be a moment with its offset, like 2026-12-31T10:00:00-03:00, and ${quote(value)} is not` },
};

export const flag: ValueType = {
  form: 'text',
  sql: 'boolean',
  hint: 'true or false',
  schema: { type: 'boolean' },
  read: (value) => (value === 'true' || value === 'false' ? value : { fault: 'must be true or false' }),
};

/** A list of short texts, written as a PostgreSQL array. Only JSON has it. */
export const texts: ValueType = {
  form: 'list',
  sql: 'text[]',
  hint: 'list of texts',
  schema: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 200 }, maxItems: 50 },
  read: (value) => (unprintable.test(value) ? { fault: 'contains a control character' } : value),
};

/** A tax identifier. Never repeated in a message: faults end up in logs and tickets. */
export const document: ValueType = {
  form: 'text',
  sql: 'text',
  hint: 'CPF or CNPJ, with or without punctuation',
  schema: { type: 'string', minLength: 11, maxLength: 18 },
  read: (value) =>
    documentKind(value) === undefined
      ? { fault: 'is no CPF and no CNPJ: its length or its check digits are wrong' }
      : bareDocument(value),
};

export const cnpj: ValueType = {
  ...document,
  hint: 'CNPJ, with or without punctuation',
  schema: { type: 'string', minLength: 14, maxLength: 18 },
  read: (value) =>
    isCnpj(bareDocument(value))
      ? bareDocument(value)
      : { fault: 'is no CNPJ: its length or its check digits are wrong' },
};

export const isin: ValueType = {
  form: 'text',
  sql: 'text',
  hint: 'ISIN',
  schema: { type: 'string', pattern: '^[A-Z]{2}[A-Z0-9]{9}[0-9]$' },
  read: (value) =>
    isIsin(value) ? value : { fault: `must be an ISIN, and the form or the check digit of ${quote(value)} is wrong` },
};

export const url: ValueType = {
  form: 'text',
  sql: 'text',
  hint: 'address beginning with https:// or http://',
  schema: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2000 },
  read: (value) =>
    /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value) && value.length <= 2000
      ? value
      : { fault: `must be an address that begins with https:// or http://, and ${quote(value)} is not` },
};

const states = 'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO';
export const uf: ValueType = { ...oneOf(...states.split(' ')), hint: 'state, two letters' };

export function isMisread(read: string | Misread): read is Misread {
  return typeof read !== 'string';
}
