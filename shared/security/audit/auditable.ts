import { sha256 } from '../crypto.js';
import { maskDocumentsIn } from '../../kernel/tax-id.js';

const maxTextLength = 300;
const maxItems = 50;
const maxFields = 50;
const maxDepth = 6;
const maxBytes = 16_384;

const hidden = '[hidden]';
const hiddenEmail = '[e-mail]';
/**
 * Names of secret values: any with "password" or "secret" in it, and those that end in what is also a domain term (`accessToken`, `apiKey`), but not
 * `tokenQuantity`, `tokens`, `publicKey` or a page's `nextToken`.
 */
const secretNames = [
  /password|passphrase|secret|private/i,
  /(?:(?<!next[-_]?)token|(?:access|refresh|bearer|session|reset|auth|id)[-_]?tokens|credentials?|authorization|signature)$/i,
  /(?:token|credential|authorization|signature)[-_]?(?:hash|digest|text|value|header)$/i,
  /(?:^|api|operator|developer|whole|master|signing|encryption|access|session)[-_]?key(?:[-_]?(?:hash|digest|text|value|material|pem))?$/i,
];
/** Field names whose values a person wrote as an explanation. */
const reasonNames = /reason$/i;

/** Plain JSON of at most 16 KiB: secrets hidden, tax ids by their last digits, long texts by length and SHA-256. Undefined for a missing value. */
export function auditable(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  const plain = plainOf(value, '', 0);
  const text = JSON.stringify(plain);
  return Buffer.byteLength(text) > maxBytes ? summaryOf(text) : plain;
}

function plainOf(value: unknown, name: string, depth: number): unknown {
  if (value === null || value === undefined) return null;
  if (secretNames.some((form) => form.test(name))) return hidden;
  switch (typeof value) {
    case 'string':
      return textOf(reasonNames.test(name) ? withoutEmails(value) : value);
    case 'number':
      return Number.isFinite(value) ? textOrNumber(value) : String(value);
    case 'boolean':
      return value;
    case 'object':
      return depth >= maxDepth ? '[deeper]' : objectOf(value, name, depth);
    default:
      return typeof value === 'bigint' ? textOf(value.toString()) : `[${typeof value}]`;
  }
}

/** A number may be a tax id, too. */
function textOrNumber(value: number): unknown {
  const text = textOf(String(value));
  return text === String(value) ? value : text;
}

function objectOf(value: object, name: string, depth: number): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return summaryOf(value);
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item) => plainOf(item, name, depth + 1));
    return value.length > maxItems ? [...items, `[${value.length - maxItems} more]`] : items;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && typeof field !== 'function');
  const kept = fields
    .slice(0, maxFields)
    .map(([key, field]) => [wellFormed(key).slice(0, 100), plainOf(field, key, depth + 1)] as const);
  return Object.fromEntries(fields.length > maxFields ? [...kept, ['…', `${fields.length - maxFields} more`]] : kept);
}

function textOf(text: string): string {
  if (text.length > maxTextLength) return summaryOf(text);
  return wellFormed(maskDocumentsIn(text));
}

/** Hides the e-mail addresses in a text: the log cannot be erased, and a person's data must be. */
export function withoutEmails(text: string): string {
  return text.replace(/[^\s@<>()"',;:]{1,64}@[^\s@<>()"',;:]+/g, hiddenEmail);
}

export function plainWithoutEmails(value: unknown): unknown {
  const text = JSON.stringify(value);
  return JSON.parse(text, (_name, field: unknown) => (typeof field === 'string' ? withoutEmails(field) : field));
}

function summaryOf(content: string | Uint8Array): string {
  return `[${Buffer.byteLength(content)} bytes, SHA-256 ${sha256(content).toString('hex')}]`;
}

/** Replaces what PostgreSQL's jsonb rejects: NUL and lone surrogates. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\uFFFD');
}
