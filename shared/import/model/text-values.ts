import { identifyingText, isVisible } from '../../kernel/identifying-text.js';
import { documentKind, bareDocument, isCnpj } from '../../kernel/tax-id.js';
import { textOfImportRule, type ImportRuleCode } from '../../registry.js';
import { broken, brokenBy } from '../import-rules.js';
import { quote, type ValueType } from './value.js';

/** A rule about the form of a text, whose English text says what it must be. */
type TextFormRule = Extract<ImportRuleCode, `${string}_FORM`>;

interface TextOptions {
  readonly pattern?: string;
  readonly rule?: TextFormRule;
  readonly maxLength?: number;
  /** Whether all of its characters must be seen, since something is found by it. */
  readonly identifies?: boolean;
}

// Control characters except tabs and line breaks, and lone surrogates.
const unprintable = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** Text without control characters, and not blank, in the form of `identifyingText`. */
export function text({
  pattern,
  rule = 'TEXT_FORM',
  maxLength = 10_000,
  identifies = false,
}: TextOptions = {}): ValueType {
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return {
    form: 'text',
    sql: 'text',
    // When it is read: kinds of records are made before the rules of domains are registered.
    get hint() {
      return pattern === undefined ? 'text' : hintOf(rule);
    },
    schema: { type: 'string', minLength: 1, maxLength, ...(pattern === undefined ? {} : { pattern }) },
    read: (given) => {
      const value = identifyingText(given);
      if (value === '') return { error: broken('BLANK') };
      if (value.length > maxLength) return { error: broken('TOO_LONG', { max: maxLength }) };
      if (unprintable.test(value) || (identifies && !isVisible(value.replace(/[\t\n\r]/g, ' '))))
        return { error: broken('CONTROL_CHARACTER') };
      return form === undefined || form.test(value) ? value : { error: brokenBy(rule, [['value', quote(value)]]) };
    },
  };
}

/** Returns the middle of the rule's sentence `must be …, and {value} is not`. */
function hintOf(rule: TextFormRule): string {
  return textOfImportRule(rule).slice('must be '.length, -', and {value} is not'.length);
}

export const label = text({ maxLength: 200, identifies: true });

export function oneOf(...values: readonly string[]): ValueType {
  const last = values.at(-1) ?? '';
  const words = values.length > 1 ? `${values.slice(0, -1).join(', ')} or ${last}` : last;
  return {
    form: 'text',
    sql: 'text',
    hint: words,
    schema: { type: 'string', enum: values },
    read: (value) =>
      values.includes(value) ? value : { error: broken('FIELD_ONE_OF', { known: words, value: quote(value) }) },
  };
}

export const flag: ValueType = {
  form: 'text',
  sql: 'boolean',
  hint: 'true or false',
  schema: { type: 'boolean' },
  read: (value) => (value === 'true' || value === 'false' ? value : { error: broken('FLAG') }),
};

/** A list of short texts, written as a PostgreSQL array. Only JSON supports it. */
export const texts: ValueType = {
  form: 'list',
  sql: 'text[]',
  hint: 'list of texts',
  schema: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 200 }, maxItems: 50 },
  read: (value) => (unprintable.test(value) ? { error: broken('CONTROL_CHARACTER') } : value),
};

/** A tax id. Never repeated in a message: errors end up in logs and tickets. */
export const document: ValueType = {
  form: 'text',
  sql: 'text',
  hint: 'CPF or CNPJ, with or without punctuation',
  schema: { type: 'string', minLength: 11, maxLength: 18 },
  read: (value) => (documentKind(value) === undefined ? { error: broken('FIELD_TAX_ID') } : bareDocument(value)),
};

export const cnpj: ValueType = {
  ...document,
  hint: 'CNPJ, with or without punctuation',
  schema: { type: 'string', minLength: 14, maxLength: 18 },
  read: (value) => (isCnpj(bareDocument(value)) ? bareDocument(value) : { error: broken('CNPJ') }),
};

export const url: ValueType = {
  form: 'text',
  sql: 'text',
  hint: 'address beginning with https:// or http://',
  schema: { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2000 },
  read: (value) =>
    /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value) && value.length <= 2000
      ? value
      : { error: broken('FIELD_URL_FORM', { value: quote(value) }) },
};
