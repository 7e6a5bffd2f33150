import type { CallOptions, Operation } from './operation.js';

/** A request before its credential: the same for every attempt. */
export interface PreparedRequest {
  /** Path and query, as in the request line. */
  readonly target: string;
  /** Serialized once: the bytes that are signed are the bytes that are sent. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The client's own settings of trading calls. */
export interface TradingDefaults {
  readonly profileId: string | undefined;
  readonly synthetic: boolean | undefined;
}

type Values = ReadonlyMap<string, unknown>;

const encoder = new TextEncoder();

/** Makes the request of a call with a JSON body, or without a body. */
export function prepare(
  operation: Operation<unknown, unknown>,
  input: object,
  options: CallOptions,
  defaults: TradingDefaults,
): PreparedRequest {
  const values = valuesOf(input);
  const body = bodyOf(operation, values);
  return {
    target: targetOf(operation.path, values, operation.query),
    body: body === undefined ? undefined : encoder.encode(JSON.stringify(body)),
    headers: {
      ...headersOf(operation, options, defaults),
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  };
}

/** Makes the request of a list as CSV. */
export function prepareCsv(
  operation: Operation<unknown, unknown>,
  input: object,
  options: CallOptions,
  defaults: TradingDefaults,
): PreparedRequest {
  const target = targetOf(operation.path, valuesOf(input), [...operation.query, 'separator']);
  return { target, body: undefined, headers: { ...headersOf(operation, options, defaults), accept: 'text/csv' } };
}

/** Makes the request of a text body. Bytes that begin like gzip are sent as compressed. */
export function prepareText(
  operation: Operation<unknown, unknown>,
  input: object,
  file: string | Uint8Array,
  options: CallOptions,
  defaults: TradingDefaults,
): PreparedRequest {
  const { type = 'text/plain', query = [] } = operation.text ?? {};
  const body = typeof file === 'string' ? encoder.encode(file) : Uint8Array.from(file);
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b;
  return {
    target: targetOf(operation.path, valuesOf(input), query),
    body,
    headers: {
      ...headersOf(operation, options, defaults),
      accept: 'application/json',
      'content-type': type,
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    },
  };
}

/** The fields of an input that have a value. */
export function valuesOf(input: object): Values {
  return new Map(Object.entries(input).filter(([, value]) => value !== undefined));
}

function targetOf(path: string, values: Values, query: readonly string[]): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, values.get(name)));
  const parameters = new URLSearchParams();
  for (const name of query) {
    const value = values.get(name);
    if (value !== undefined && value !== null) parameters.set(name, textOf(name, value));
  }
  return parameters.size === 0 ? filled : `${filled}?${parameters.toString()}`;
}

/** A part of the path. `.` and `..` would lead to another path, and an empty one to none. */
function segment(name: string, value: unknown): string {
  const text = textOf(name, value);
  if (['', '.', '..'].includes(text)) throw new TypeError(`${name} must not be empty, "." or ".."`);
  return encodeURIComponent(text);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`${name} must be text, a number or a boolean`);
}

function bodyOf({ path, query, body, decimals = [] }: Operation<unknown, unknown>, values: Values): unknown {
  if (body === undefined) return undefined;
  if (body === 'whole') return values.get('body');
  const elsewhere = new Set([...query, ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name)]);
  const fields: unknown = Object.fromEntries([...values].filter(([name]) => !elsewhere.has(name)));
  return decimals.reduce((whole, place) => withNumbers(whole, place.split(/\.|(?=\[\])/), place), fields);
}

/** Returns a body whose decimals at a place (`contracts`, `[]`, `faceValue`) are JSON numbers, as the contract of that path demands. */
function withNumbers(value: unknown, [step, ...rest]: readonly string[], place: string): unknown {
  if (step === undefined) return decimalNumber(value, place);
  if (step === '[]') return Array.isArray(value) ? value.map((one: unknown) => withNumbers(one, rest, place)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = valuesOf(value);
  return fields.has(step) ? { ...value, [step]: withNumbers(fields.get(step), rest, place) } : value;
}

/** A decimal of at most 15 digits is the same text again when its number is written as JSON. */
function decimalNumber(value: unknown, place: string): number {
  if (typeof value === 'string' && /^\d{1,13}(\.\d{1,2})?$/.test(value)) return Number(value);
  throw new TypeError(`${place} must be decimal text with at most two decimals, such as "1500.50"`);
}

function headersOf(
  { headers }: Operation<unknown, unknown>,
  options: CallOptions,
  defaults: TradingDefaults,
): Record<string, string> {
  const profileId = options.profileId ?? defaults.profileId;
  const synthetic = options.synthetic ?? defaults.synthetic ?? false;
  return {
    ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
    ...(headers.includes('X-Profile-Id') && profileId !== undefined ? { 'x-profile-id': profileId } : {}),
    ...(headers.includes('X-Synthetic') && synthetic ? { 'x-synthetic': 'true' } : {}),
  };
}

/** A UUID v4. `crypto.randomUUID` exists only on pages that are served over HTTPS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
