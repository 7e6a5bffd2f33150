import { executeSync, OperationTypeNode, print, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GraphResult } from '../../shared/subgraph/executor.js';
import { rootNames } from '../../shared/subgraph/root-names.js';
import { coerceInTurns, type Variables } from '../../shared/subgraph/variables.js';
import type { OperationExecutor, Prepared } from './operation.js';

/**
 * Executes a query that selects nothing but the schema, on the schema that callers see; undefined for any other operation. Apollo Gateway's library
 * does not know the newest fields of introspection.
 */
export function introspectionExecutor(
  { document, operation }: Prepared,
  apiSchema: GraphQLSchema,
): OperationExecutor | undefined {
  if (operation.operation !== OperationTypeNode.QUERY) return undefined;
  const names = rootNames(document);
  if (!names.some(isMeta) || !names.every((name) => isMeta(name) || name === '__typename')) return undefined;
  const introspect = reader(apiSchema, document);
  const run = async (given: Variables): Promise<GraphResult> => ({
    data: introspect(await coerceInTurns(apiSchema, operation, given)),
  });
  return { run, subscribe: run };
}

const isMeta = (name: string) => name === '__schema' || name === '__type';

type Data = NonNullable<GraphResult['data']> | null;

/** The last results for each schema. One has megabytes, and is read again by every tool that is opened. */
const results = new WeakMap<GraphQLSchema, LRUCache<string, { readonly data: Data }>>();
const maxResults = 4;

/** Returns the function that reads what a document selects of the schema. */
function reader(schema: GraphQLSchema, document: DocumentNode): (variables: Variables) => Data {
  const known = results.get(schema) ?? new LRUCache({ max: maxResults });
  results.set(schema, known);
  const text = print(document);
  return (variableValues) => {
    const key = JSON.stringify([text, variableValues]);
    const kept = known.get(key);
    if (kept !== undefined) return kept.data;
    const { data, errors } = executeSync({ schema, document, rootValue: {}, variableValues });
    if (errors !== undefined) throw new Error('The introspection of the schema failed', { cause: errors[0] });
    known.set(key, { data: data ?? null });
    return data ?? null;
  };
}
