import { isUtf8 } from 'node:buffer';
import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isRecord } from '../../kernel/is-record.js';
import { childrenOf, rootsOf, type ImportDomain } from '../domain.js';
import { broken, type BrokenImportRule } from '../import-rules.js';
import { nameOf, type Field, type Kind } from '../model/kind.js';
import { readRecord } from '../model/read-record.js';
import { definitionName, importSchema } from '../model/schema.js';
import type { Values } from '../model/value.js';
import { wholeOf, type FileContent } from './file-content.js';
import { parseJson, printPath, type JsonDocument } from './json-document.js';
import type { Intake } from './source.js';

/** A JSON file is held in memory completely, with the location of each of its parts; larger data belongs in CSV files, or in several files. */
export const maxJsonBytes = 8 * 1024 * 1024;

export async function readJsonFile(content: FileContent, file: number, intake: Intake): Promise<void> {
  const whole = (line: number, error: BrokenImportRule) => {
    intake.errors.add(file, line, '', error);
  };
  if (content.bytes > maxJsonBytes) {
    whole(0, broken('JSON_SIZE'));
    return;
  }
  const bytes = await wholeOf(content);
  if (!isUtf8(bytes)) {
    whole(0, broken('JSON_ENCODING'));
    return;
  }
  const document = parseJson(bytes.toString('utf8').replace(/^\ufeff/, ''));
  if ('error' in document) {
    whole(document.line, document.error);
    return;
  }
  const { records, errors } = findRoots(document.value, intake.domains);
  for (const { path: at, error } of [...document.repeated, ...errors])
    intake.errors.add(file, document.lineOf(at), printPath(at), error);
  for (const record of records) await readRoot(document, record, file, intake);
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inside, step) =>
      typeof inside === 'object' && inside !== null
        ? (inside as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    value,
  );
}

async function readRoot(document: JsonDocument, root: RootRecord, file: number, intake: Intake): Promise<void> {
  const { path, kind, domain } = root;
  const found = schemaErrors(domain, kind, at(document.value, path)).map((error) => ({
    ...error,
    path: [...path, ...error.path],
  }));
  const visit: Visit = { document, root, file, intake, shape: new Set(), content: new Map() };
  for (const error of found) {
    if (error.aboutContent) visit.content.set(printPath(error.path), error);
    else {
      visit.shape.add(printPath(error.path));
      report(visit, error.path, error.error);
    }
  }
  await readObject(visit, { kind, path, position: 0, owner: [] });
  for (const { path, error } of visit.content.values()) report(visit, path, error);
}

interface Visit {
  readonly document: JsonDocument;
  readonly root: RootRecord;
  readonly file: number;
  readonly intake: Intake;
  readonly shape: Set<string>;
  /** Schema errors about content, by path, until a field's reader reports a better message. */
  readonly content: Map<string, SchemaError>;
}

function report({ document, file, intake, content }: Visit, path: Path, error: BrokenImportRule): void {
  content.delete(printPath(path));
  intake.errors.add(file, document.lineOf(path), printPath(path), error);
}

interface Place {
  readonly kind: Kind;
  readonly path: Path;
  readonly position: number;
  /** Undefined if the enclosing record has no name: then it is checked, but not imported. */
  readonly owner: readonly string[] | undefined;
}

async function readObject(visit: Visit, place: Place): Promise<void> {
  const { document, file, intake, shape } = visit;
  const { kind, path, owner, position } = place;
  const object = at(document.exact, path);
  if (!isRecord(object)) return;
  const misshapen = (field: Field) => shape.size > 0 && shape.has(printPath([...path, ...field.name.split('.')]));
  const { values, errors } = readRecord(
    kind,
    (field) => (misshapen(field) ? null : textOf(at(object, field.name.split('.')))),
    intake.day,
  );
  const own = errors.filter(({ field }) => !shape.has(printPath([...path, ...field.split('.')])));
  for (const { field, error } of own) report(visit, [...path, ...field.split('.')], error);
  if (owner !== undefined && errors.length === 0 && !kind.fields.some(misshapen)) {
    await intake.add(kind, {
      place: { file, line: document.lineOf(path), path: printPath(path) },
      owner,
      values,
      position,
    });
    await expand(visit, place, object, values);
  } else if (kind.referredTo) noteFaulty(visit, place, object);
  await readLists(visit, place, values);
}

async function readLists(visit: Visit, { kind, path, owner }: Place, values: Readonly<Values>): Promise<void> {
  const name = nameOf(kind, owner, values);
  for (const child of childrenOf(visit.root.domain, kind)) {
    const list = at(visit.document.exact, [...path, child.list]);
    if (!Array.isArray(list)) continue;
    if (child.replaces) visit.intake.stateList(child, name?.[0] ?? '');
    for (const position of list.keys()) {
      await readObject(visit, { kind: child, path: [...path, child.list, position], position, owner: name });
    }
  }
}

/** Adds the child records derived from a record that has no list of them. */
async function expand(visit: Visit, { kind, path, owner }: Place, object: object, values: Readonly<Values>) {
  const { document, file, intake } = visit;
  const expansion = kind.expand?.(values, intake.day);
  if (expansion === undefined) return;
  if ('error' in expansion) {
    report(visit, [...path, expansion.field], expansion.error);
    return;
  }
  const { list, field, records } = expansion;
  const child = childrenOf(visit.root.domain, kind).find((one) => one.list === list);
  if (child === undefined) throw new Error(`A ${kind.label} has no list ${list}`);
  if (list in object) {
    report(visit, [...path, field], broken('GIVEN_TWICE', { list }));
    return;
  }
  const name = nameOf(kind, owner, values) ?? [];
  intake.stateList(child, name[0] ?? '');
  const at = [...path, field];
  const place = { file, line: document.lineOf(at), path: printPath(at) };
  for (const [position, own] of records.entries()) {
    await intake.add(child, { place, owner: name, values: own, position });
  }
}

function noteFaulty({ intake }: Visit, { kind, owner }: Place, object: object): void {
  const name = (textOf(at(object, [kind.key.at(-1) ?? ''])) ?? '').replaceAll('\u0000', '');
  intake.noteFaulty(kind, kind.unique ? '' : (owner ?? []).join(), name);
}

/** Returns the text of an exact value, as a CSV cell would hold it; a list becomes a PostgreSQL array. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return null;
  return `{${value.map((item) => `"${String(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

type Path = readonly (string | number)[];

interface RootRecord {
  readonly path: Path;
  readonly kind: Kind;
  readonly domain: ImportDomain;
}

export interface RootError {
  readonly path: Path;
  readonly error: BrokenImportRule;
}

interface Root {
  readonly kind: Kind;
  readonly domain: ImportDomain;
}

/** Finds the records of a file: one, a list, or named lists. Outside of a named list the kind is inferred from the fields. */
function findRoots(
  value: unknown,
  domains: readonly ImportDomain[],
): { readonly records: readonly RootRecord[]; readonly errors: readonly RootError[] } {
  const roots = domains.flatMap((domain) => rootsOf(domain).map((kind) => ({ kind, domain })));
  if (Array.isArray(value)) {
    return { records: value.map((item, at) => ({ path: [at], ...closestRoot(item, roots) })), errors: [] };
  }
  const named = (name: string) => roots.find(({ kind }) => kind.list === name);
  const entries: [string, unknown][] = isRecord(value) ? Object.entries(value) : [];
  if (!entries.some(([name, list]) => named(name) !== undefined && Array.isArray(list))) {
    return { records: [{ path: [], ...closestRoot(value, roots) }], errors: [] };
  }
  const records: RootRecord[] = [];
  const errors: RootError[] = [];
  for (const [name, list] of entries) {
    const root = named(name);
    if (root !== undefined && Array.isArray(list)) {
      records.push(...list.map((_, at) => ({ path: [name, at], ...root })));
    } else if (name !== '$schema') {
      const known = roots[0]?.kind.list ?? '';
      const error = root === undefined ? broken('JSON_LIST_UNKNOWN', { known }) : broken('JSON_LIST');
      errors.push({ path: [name], error });
    }
  }
  return { records, errors };
}

/** Returns the kind with the most names in common, then with the fewest required ones missing; the first kind if nothing matches. */
function closestRoot(value: unknown, roots: readonly Root[]): Root {
  const names = new Set(isRecord(value) ? Object.keys(value) : []);
  const scored = roots.map((root) => {
    const own = new Set(root.kind.fields.map(({ name }) => name.split('.')[0] ?? ''));
    const lists = root.domain.kinds.filter(({ parent }) => parent?.kind === root.kind).map(({ list }) => list);
    const required = root.kind.fields.filter((field) => field.required).map(({ name }) => name);
    return {
      root,
      shared: [...own, ...lists].filter((name) => names.has(name)).length,
      missing: required.filter((name) => !names.has(name)).length,
    };
  });
  const known = scored.filter(({ shared }) => shared > 0);
  const [best] = known.sort((one, other) => other.shared - one.shared || one.missing - other.missing);
  const root = best?.root ?? roots[0];
  if (root === undefined) throw new Error('No domain accepts JSON files');
  return root;
}

interface SchemaError {
  readonly path: readonly (string | number)[];
  readonly error: BrokenImportRule;
  /** Whether it concerns the content of a text or number rather than its type: the reader of that field may have a better message. */
  readonly aboutContent: boolean;
}

function compile(domain: ImportDomain, kind: Kind) {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, verbose: true });
  addFormats.default(ajv);
  const schema = importSchema(domain);
  ajv.addSchema(schema, domain.schema.name);
  const validate = ajv.getSchema(`${domain.schema.name}#/$defs/${definitionName(kind)}`);
  if (validate === undefined) throw new Error(`The schema of the import defines no ${kind.label}`);
  return validate;
}

const compiled = new WeakMap<Kind, ReturnType<typeof compile>>();

function schemaErrors(domain: ImportDomain, kind: Kind, value: unknown): SchemaError[] {
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
