import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { ImportDomain } from '../domain.js';
import { broken, type BrokenImportRule } from '../import-rules.js';
import type { Kind } from '../model/kind.js';
import { definitionName, importSchema } from '../model/schema.js';

/** A schema error at a part of a record. */
export interface SchemaError {
  readonly path: readonly (string | number)[];
  readonly error: BrokenImportRule;
  /** Whether it concerns the content of a text or number rather than its type: the reader of that field may have a better message. */
  readonly aboutContent: boolean;
}

function compile(domain: ImportDomain, kind: Kind) {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, verbose: true });
  addFormats.default(ajv);
  const schema = importSchema(domain);
  ajv.addSchema(schema, domain.schema.name);
  const validate = ajv.getSchema(`${domain.schema.name}#/$defs/${definitionName(kind)}`);
  if (validate === undefined) throw new Error(`The schema of the import defines no ${kind.label}`);
  return validate;
}

const compiled = new WeakMap<Kind, ReturnType<typeof compile>>();

/** Returns all schema errors of a value as a record of a kind. */
export function schemaErrors(domain: ImportDomain, kind: Kind, value: unknown): SchemaError[] {
  const validate = compiled.get(kind) ?? compile(domain, kind);
  compiled.set(kind, validate);
  return validate(value) === true ? [] : (validate.errors ?? []).map((error) => schemaErrorOf(error, value));
}

const contentKeywords = new Set([
  'pattern',
  'format',
  'enum',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
]);

function schemaErrorOf(error: ErrorObject, value: unknown): SchemaError {
  const path = pathOf(error.instancePath, value);
  const { keyword, params } = error;
  const name = String(params['missingProperty'] ?? params['additionalProperty'] ?? '');
  if (keyword === 'required') return { path: [...path, name], error: broken('FIELD_REQUIRED'), aboutContent: false };
  if (keyword === 'additionalProperties') {
    const close = closeTo(name, error.parentSchema);
    const unknown = close === undefined ? broken('JSON_FIELD') : broken('JSON_FIELD_CLOSE', { close });
    return { path: [...path, name], error: unknown, aboutContent: false };
  }
  if (keyword === 'type')
    return { path, error: broken('JSON_TYPE', { types: typeNames(params['type']) }), aboutContent: false };
  return { path, error: bySchema(error), aboutContent: contentKeywords.has(keyword) };
}

const limitRules = {
  minItems: 'JSON_TOO_FEW',
  maxItems: 'JSON_TOO_MANY',
  minLength: 'JSON_TOO_SHORT',
  maxLength: 'JSON_TOO_LONG',
} as const;

/** Returns the rule of an error of ajv, in whose words it is. */
function bySchema({ keyword, params, message = 'is not valid' }: ErrorObject): BrokenImportRule {
  const [, rule] = Object.entries(limitRules).find(([name]) => name === keyword) ?? [];
  return rule === undefined
    ? { ...broken('JSON_VALUE', { detail: message }), message }
    : { ...broken(rule, { limit: String(params['limit']) }), message };
}

/** Converts an instance path to steps; a step into a list is a number. */
function pathOf(pointer: string, value: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  let at: unknown = value;
  for (const part of pointer.split('/').slice(1)) {
    const step = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(at) ? Number(step) : step);
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[step] : undefined;
  }
  return path;
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typeNames(type: unknown): string {
  const names = [type].flat().map((name) => words[String(name)] ?? String(name));
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}` : names.join('');
}

/** Returns the known name that was probably meant: equal except for case, or one letter off. */
function closeTo(name: string, schema: unknown): string | undefined {
  const properties = typeof schema === 'object' && schema !== null && 'properties' in schema ? schema.properties : {};
  return Object.keys(properties ?? {}).find((known) => isClose(known.toLowerCase(), name.toLowerCase()));
}

function isClose(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [restOne, restOther] = [one.slice(start), other.slice(start)];
  return [restOne, restOne.slice(1)].some((left) => [restOther, restOther.slice(1)].includes(left));
}
