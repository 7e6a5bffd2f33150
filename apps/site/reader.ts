import { fileURLToPath } from 'node:url';
import { gravest } from '../../gateway/graph/graph-error.js';
import type { Graph } from '../../gateway/graph/graph.js';
import { graphqlFiles, operationRootsIn, readEach } from '../../gateway/graph/operation-file.js';
import { website, type Context } from '../../shared/kernel/context.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import type { Operations } from './graph/operations.js';

export interface Reader {
  /** Runs a document of `graph/`. @throws {ApiError} the gravest error of its result */
  readonly read: <Name extends keyof Operations>(
    name: Name,
    variables: Operations[Name]['variables'],
  ) => Promise<Operations[Name]['data']>;
  /** Returns data that no document has read, as one of the results. */
  readonly note: <Value>(value: Value) => Value;
  readonly results: readonly GraphResult[];
}

/** An address of no caller (RFC 5737): a page is the same for everyone. */
const nobody = '192.0.2.0';

export function pageDocuments(): ReadonlyMap<string, string> {
  return graphqlFiles(fileURLToPath(new URL('./graph/', import.meta.url)));
}

/** Creates the reader of a request. `pay` is called before each read, and ends the request where it throws. */
type CreateReader = (context: Context, pay?: () => Promise<void>) => Reader;

/** Prepares every document of `graph/`. @throws {Error} that names every document that does not fit the graph */
export function createReaders(graph: Graph): CreateReader {
  const checked = readEach('apps/site/graph', pageDocuments(), (name, document) => {
    operationRootsIn(graph.apiSchema, name, document);
    return [name, graph.prepare(document, { assumeValid: true })] as const;
  });
  const prepared = new Map(checked);
  return (request, pay) => {
    const context: Context = { ...request, principal: website, ip: nobody, userAgent: undefined };
    const results: GraphResult[] = [];
    let reads = 0;
    return {
      results,
      note: (value) => {
        results[reads] = { data: { value } };
        reads += 1;
        return value;
      },
      read: async <Name extends keyof Operations>(name: Name, variables: Operations[Name]['variables']) => {
        const operation = prepared.get(name);
        if (operation === undefined) throw new Error(`There is no apps/site/graph/${name}.graphql`);
        const at = reads;
        reads += 1;
        await pay?.();
        const result = await graph.run(operation, variables, context);
        if (result.errors !== undefined) throw gravest(result.errors);
        results[at] = result;
        // The types are generated from the document that ran.
        return result.data as Operations[Name]['data'];
      },
    };
  };
}
