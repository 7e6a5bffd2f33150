import type { GraphQLSchema } from 'graphql';
import { Fault, refuse, type FaultDetail } from '../shared/errors.js';
import { checkInTurns, isRecord, tell, type Faults } from './check-value.js';
import { inputSchema } from './openapi/inputs.js';
import { takesJson, type Row } from './route.js';
import { rootField } from './view.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * Checks what a caller sent for a route against what the OpenAPI text says, and answers the arguments by name. Fields of
 * the body itself that the text does not name are ignored.
 * @throws {Fault} BAD_REQUEST that names everything wrong
 */
export type CheckRequest = (path: Values, query: unknown, body: unknown) => Promise<Values>;

/**
 * Makes the check of a route. The arguments stay as they came, and SOFA gives them their types; only a JSON number that
 * stands for a Decimal becomes its text.
 */
export function requestCheck(view: GraphQLSchema, row: Row): CheckRequest {
  const { properties, required } = inputSchema(view, row);
  const needed: ReadonlySet<string> = new Set(required);
  const checks = new Map<string, ReturnType<typeof checkInTurns>>();
  for (const { name, type } of rootField(view, row).field.args) {
    checks.set(name, checkInTurns(type, properties[name] ?? {}, row.parameters[name]));
  }
  const json = takesJson(row);
  return async (path, query, body) => {
    const sent = json ? (body ?? {}) : query;
    if (!isRecord(sent)) throw new Fault('BAD_REQUEST', { details: [{ path: '', message: 'must be a JSON object' }] });
    const lists = json ? new Set<string>() : listsIn(sent, checks);
    const faults: Faults = { details: [...lists].map(listRefused), total: lists.size };
    const values: Record<string, unknown> = {};
    for (const [name, check] of checks) {
      const value = name === row.text ? body : (path[name] ?? (Object.hasOwn(sent, name) ? sent[name] : undefined));
      // The text of a body has no name that its sender knows.
      const place = name === row.text ? '' : name;
      if (lists.has(name)) continue;
      if (value !== undefined) {
        const checked = check(value, place, faults);
        values[name] = checked instanceof Promise ? await checked : checked;
      } else if (needed.has(name)) tell(faults, place, 'is required');
    }
    refuse('BAD_REQUEST', faults.details, faults.total);
    return values;
  };
}

/** The parameters of a query that are written as lists (`page[]=1`): no such list is read, and the caller is to know. */
function listsIn(query: Values, named: ReadonlyMap<string, unknown>): Set<string> {
  const written = Object.keys(query).filter((key) => key.includes('['));
  return new Set(written.map((key) => key.slice(0, key.indexOf('['))).filter((name) => named.has(name)));
}

function listRefused(path: string): FaultDetail {
  return { path, message: `must be written ${path}=…, once and without brackets` };
}
