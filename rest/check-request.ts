import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { GraphQLSchema } from 'graphql';
import { Fault, refuse, type FaultDetail } from '../shared/errors.js';
import { inputSchema } from './openapi/inputs.js';
import { hasBody, type Route } from './route.js';

// All faults of an input at once; the size of the input is bounded by the edge.
const ajv = new Ajv({ allErrors: true, strict: true, validateFormats: false, allowUnionTypes: true });

type Values = Readonly<Record<string, unknown>>;

/** Checks what a caller sent for a route against what the OpenAPI text says. Fields that it does not name are ignored. */
export type CheckRequest = (path: Values, query: unknown, body: unknown) => Values;

/**
 * Compiles the check of a route. It answers the arguments by name, still as they came: SOFA gives them their types.
 */
export function requestCheck(view: GraphQLSchema, route: Route): CheckRequest {
  const schema = inputSchema(view, route);
  const validate = ajv.compile(schema);
  const names = Object.keys(schema.properties);
  const named: ReadonlySet<string> = new Set(names);
  return (path, query, body) => {
    const sent = hasBody(route) ? (body ?? {}) : query;
    if (!isRecord(sent)) throw new Fault('BAD_REQUEST', { details: [{ path: '', message: 'must be a JSON object' }] });
    const values: Record<string, unknown> = {};
    for (const name of names) {
      const value = path[name] ?? (Object.hasOwn(sent, name) ? sent[name] : undefined);
      if (value !== undefined) values[name] = value;
    }
    const lists = hasBody(route) ? new Set<string>() : listsIn(sent, named);
    const wrong = validate(values) ? [] : detailsOf(validate, route).filter(({ path: name }) => !lists.has(name));
    refuse('BAD_REQUEST', [...[...lists].map(listRefused), ...wrong]);
    return values;
  };
}

/** The parameters of a query that are written as lists (`page[]=1`): no such list is read, and the caller is to know. */
function listsIn(query: Values, named: ReadonlySet<string>): Set<string> {
  const written = Object.keys(query).filter((key) => key.includes('['));
  return new Set(written.map((key) => key.slice(0, key.indexOf('['))).filter((name) => named.has(name)));
}

function listRefused(path: string): FaultDetail {
  return { path, message: `must be written ${path}=…, once and without brackets` };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One detail for each field that is wrong, in the order of the errors. */
function detailsOf({ errors }: ValidateFunction, route: Route): FaultDetail[] {
  const details = new Map<string, FaultDetail>();
  for (const error of errors ?? []) {
    const path = pathOf(error);
    if (!details.has(path)) details.set(path, { path, message: messageOf(error, route.parameters[path]?.rule) });
  }
  return [...details.values()];
}

function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
  const missing: unknown = keyword === 'required' ? params['missingProperty'] : undefined;
  return typeof missing === 'string' ? [path, missing].filter((part) => part !== '').join('.') : path;
}

function messageOf({ keyword, message, params }: ErrorObject, rule: string | undefined): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'type') return `must be of type ${String(params['type'])}`;
  return rule ?? message ?? 'is not valid';
}
