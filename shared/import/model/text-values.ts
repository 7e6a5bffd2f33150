import { documentKind, bareDocument, isCnpj } from '../../tax-id.js';
import { quote, type ValueType } from './value.js';

interface TextOptions {
  readonly pattern?: string;
  /** Completes "must be …" when the pattern does not match. */
  readonly what?: string;
  readonly maxLength?: number;
}

// Control characters except tabs and line breaks, and lone surrogates.
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
      if (value.trim() === '') return { error: 'is blank' };
      if (value.length > maxLength) return { error: `is longer than ${maxLength} characters` };
      if (unprintable.test(value)) return { error: 'contains a control character' };
      return form === undefined || form.test(value) ? value : { error: `must be ${what}, and ${quote(value)} is not` };
    },
  };
}

/** One of several words, matched exactly. */
export function oneOf(...values: readonly string[]): ValueType {
  const last = values.at(-1) ?? '';
  const words = values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${last}` : last;
  return {
    form: 'text',
    sql: 'text',
    hint: words,
    schema: { type: 'string', enum: values },
    read: (value) => (values.includes(value) ? value : { error: `must be ${words}, and ${quote(value)} is not` }),
  };
}

export const flag: ValueType = {
  form: 'text',
  sql: 'boolean',
  hint: 'true or false',
  schema: { type: 'boolean' },
  read: (value) => (value === 'true' || value === 'false' ? value : { error: 'must be true or false' }),
};

/** A list of short texts, written as a PostgreSQL array. Only JSON supports it. */
export const texts: ValueType = {
  form: 'list',
  sql: 'text[]',
  hint: 'list of texts',
  schema: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 200 }, maxItems: 50 },
  read: (value) => (unprintable.test(value) ? { error: 'contains a control character' } : value),
};

/** A tax id. Never repeated in a message: errors end up in logs and tickets. */
export const document: ValueType = {
  form: 'text',
  sql: 'text',
  hint: 'CPF or CNPJ, with or without punctuation',
  schema: { type: 'string', minLength: 11, maxLength: 18 },
  read: (value) =>
    documentKind(value) === undefined
      ? { error: 'is neither a CPF nor a CNPJ: its length or its check digits are wrong' }
      : bareDocument(value),
};

export const cnpj: ValueType = {
  ...document,
  hint: 'CNPJ, with or without punctuation',
  schema: { type: 'string', minLength: 14, maxLength: 18 },
  read: (value) =>
    isCnpj(bareDocument(value))
      ? bareDocument(value)
      : { error: 'is not a CNPJ: its length or its check digits are wrong' },
};

export const url: ValueType = {
  form: 'text',
  sql: 'text',
  hint: 'address beginning with https:// or http://',
  schema: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2000 },
  read: (value) =>
    /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value) && value.length <= 2000
      ? value
      : { error: `must be an address that begins with https:// or http://, and ${quote(value)} is not` },
};
