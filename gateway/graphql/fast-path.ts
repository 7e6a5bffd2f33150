import type { FastifyRequest } from 'fastify';
import { isRecord } from '../../shared/kernel/is-record.js';
import type { Admitted } from '../graph/limits/cost-budget.js';
import type { Operations } from './operations.js';

export interface FastPathRun {
  readonly admitted: Admitted;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Values of `Accept` for which Apollo Server responds with `application/json`. */
export const plainAccepts: ReadonlySet<unknown> = new Set([undefined, '*/*', 'application/json']);
const plainFields: ReadonlySet<string> = new Set(['query', 'variables', 'operationName']);

/** Returns the run of a plain POST whose document was admitted before, which saves Apollo Server's part; undefined for every other request. */
export function fastPathRun(
  { method, headers, body }: FastifyRequest,
  operations: Operations,
): FastPathRun | undefined {
  if (method !== 'POST' || !plainAccepts.has(headers.accept) || !isRecord(body)) return undefined;
  for (const field of Object.keys(body)) if (!plainFields.has(field)) return undefined;
  const { query, operationName = null, variables = null } = body;
  if (typeof query !== 'string' || (operationName !== null && typeof operationName !== 'string')) return undefined;
  if (variables !== null && !isRecord(variables)) return undefined;
  const admitted = operations.recall(query, operationName);
  return admitted === undefined ? undefined : { admitted, variables: variables ?? {} };
}
