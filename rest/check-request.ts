import { ApiError, refuse, type ErrorDetail, byRule } from '../shared/kernel/errors.js';
import { cursorNames } from '../shared/graphql/text-args.js';
import { checkInTurns, addError, isObject, wordCheck, type ErrorList } from './check-value.js';
import { isSeparator, separators } from '../shared/kernel/format/csv-line.js';
import { inputSchema } from './openapi/inputs.js';
import type { Operations } from './operations.js';
import { headerParameters, queryParameters, separatorParameters, takesJson, type Row } from './route.js';

type Values = Readonly<Record<string, unknown>>;

/** A request as the caller sent it: the parts that can hold arguments. */
export interface Sent {
  readonly path: Values;
  readonly query: unknown;
  /** Names of the query parameters whose values are not percent-encoded UTF-8. */
  readonly unreadable: ReadonlySet<string>;
  readonly body: unknown;
  readonly headers: Values;
}

/** Returns the arguments by name; unknown fields of the body are ignored. @throws {ApiError} BAD_REQUEST that names every error */
export type CheckRequest = (sent: Sent) => Promise<Values>;

export interface CheckOptions {
  /** Whether this is the sandbox. A missing mode is reported with all other errors; as the only error it is left to the graph, which knows the errors of the act. */
  readonly sandbox?: boolean;
}

/** Makes the check of a route. The arguments keep their types, and SOFA coerces them; only a JSON number that stands for a Decimal becomes its text. */
export function requestCheck(operations: Operations, row: Row, { sandbox = false }: CheckOptions = {}): CheckRequest {
  const { properties, required } = inputSchema(operations, row);
  const needed: ReadonlySet<string> = new Set(required);
  const checks = new Map<string, ReturnType<typeof checkInTurns>>();
  const json = takesJson(row);
  for (const { name, type } of operations(row.operation).variables) {
    const parameter = row.parameters[name];
    const schema = properties[name] ?? {};
    const ofText = json ? undefined : wordCheck(schema, parameter?.rule);
    const check = ofText ?? checkInTurns(type, schema, parameter);
    checks.set(name, parameter?.header !== undefined && schema.type === 'boolean' ? flagCheck : check);
  }
  const inHeader = headerParameters(row);
  const inQuery = queryParameters(row);
  const elsewhere = json ? Object.entries(row.elsewhere ?? {}) : [];
  return async ({ path, query, unreadable, body, headers }) => {
    const sent = json ? (body ?? {}) : query;
    if (!isObject(sent))
      throw new ApiError('BAD_REQUEST', { details: [{ path: '', message: 'must be a JSON object' }] });
    const lists = json ? new Set<string>() : listsIn(sent, checks);
    const errors: ErrorList = { details: [...lists].map(listRefused), total: lists.size };
    const values: Record<string, unknown> = {};
    const withoutMode: string[] = [];
    const valueOf = (name: string): unknown => {
      const header = inHeader.get(name);
      if (header !== undefined) return headers[header];
      // An empty text is a text, such as a file without a line.
      if (name === row.text) return body ?? '';
      const value = path[name] ?? (Object.hasOwn(sent, name) ? sent[name] : undefined);
      return value === '' && cursorNames.includes(name) ? undefined : value;
    };
    for (const [name, check] of checks) {
      const { header, trueInSandbox = false } = row.parameters[name] ?? {};
      if (sandbox && trueInSandbox && valueOf(name) !== 'true') {
        withoutMode.push(header ?? name);
        continue;
      }
      if (lists.has(name)) continue;
      if (inQuery.has(name) && unreadable.has(name)) {
        addError(errors, name, 'must be percent-encoded UTF-8');
        continue;
      }
      const value = valueOf(name);
      if (!json && name !== row.text && Array.isArray(value)) {
        addError(errors, name, `must be given once, not ${value.length} times`);
        continue;
      }
      // A text body has no argument name that its sender knows.
      const place = name === row.text ? '' : (row.parameters[name]?.header ?? name);
      if (value !== undefined) {
        const before = errors.total;
        const checked = check(value, place, errors);
        values[name] = checked instanceof Promise ? await checked : checked;
        if (value === '' && inQuery.has(name) && errors.total === before) addError(errors, name, 'must not be empty');
      } else if (needed.has(name)) addError(errors, place, 'is required');
    }
    for (const [name, way] of elsewhere) if (Object.hasOwn(sent, name)) addError(errors, name, way);
    if (row.csv !== undefined) checkSeparators(sent, errors);
    if (errors.total > 0) for (const place of withoutMode) addError(errors, place, byRule('SANDBOX_SYNTHETIC').message);
    refuse('BAD_REQUEST', errors.details, errors.total);
    return values;
  };
}

function checkSeparators(query: Values, errors: ErrorList): void {
  const given = separatorParameters.filter((name) => query[name] !== undefined);
  const wrong = given.filter((name) => !isSeparator(query[name]));
  for (const name of wrong) addError(errors, name, `must be ${separators.join(' or ')}`);
  const [one, other] = given;
  if (wrong.length > 0 || one === undefined || other === undefined || query[one] === query[other]) return;
  addError(errors, other, `must equal ${one}: send only one of them`);
}

/** Returns the query parameters that are written as lists (`page[]=1`): no list is read from a query, and the caller must learn that. */
function listsIn(query: Values, named: ReadonlyMap<string, unknown>): Set<string> {
  const written = Object.keys(query).filter((key) => key.includes('['));
  return new Set(written.map((key) => key.slice(0, key.indexOf('['))).filter((name) => named.has(name)));
}

function listRefused(path: string): ErrorDetail {
  return { path, message: `must be given once and without brackets: ${path}=…` };
}

/** Checks a boolean in a header: only `true` and `false` are accepted, so that a typing error is not taken for false. */
function flagCheck(value: unknown, place: string, errors: ErrorList): unknown {
  if (value === 'true' || value === 'false') return value === 'true';
  return addError(errors, place, 'must be true or false');
}
