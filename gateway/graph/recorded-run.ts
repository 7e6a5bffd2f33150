import type { OperationDefinitionNode } from 'graphql';
import { type Context, under } from '../../shared/kernel/context.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import type { Span, SpanOptions } from '../../shared/kernel/tracing/span.js';
import type { SubgraphDataSource, SubgraphDataSources } from './data-source.js';

/** Runs an operation as a span with its name and kind; its document and variables are not part of it. */
export function runRecorded(
  context: Context,
  span: Span,
  { operation, name }: OperationDefinitionNode,
  run: (context: Context) => Promise<GraphResult>,
): Promise<GraphResult> {
  const label = name?.value.slice(0, 100);
  const attributes = { 'graphql.operation.type': operation, 'graphql.operation.name': label };
  return recorded(context, span.begin(label === undefined ? operation : `${operation} ${label}`, { attributes }), run);
}

/** Wraps the data sources of a graph so that each fetch is a span, below which the subgraph's own work is recorded, in this process or another. */
export function recordFetches(sources: SubgraphDataSources): SubgraphDataSources {
  const wrapped = Object.entries(sources).map(([name, source]) => [name, recordingSource(name, source)] as const);
  return Object.fromEntries(wrapped);
}

function recordingSource(name: string, source: SubgraphDataSource): SubgraphDataSource {
  const options: SpanOptions = { kind: source.remote ? 'client' : 'internal', attributes: { 'lastro.subgraph': name } };
  return {
    ...source,
    execute: (request, context) => {
      const { span } = context;
      if (span === undefined) return source.execute(request, context);
      return recorded(context, span.begin(`subgraph ${name}`, options), (within) => source.execute(request, within));
    },
  };
}

/** Ends a span with the result: what callers did wrong is no error of the step. */
async function recorded(
  context: Context,
  span: Span,
  run: (context: Context) => Promise<GraphResult>,
): Promise<GraphResult> {
  const result = await run(under(context, span));
  const failed = result.errors?.find(({ extensions }) => Number(extensions['statusCode']) >= 500);
  span.end(failed === undefined ? undefined : String(failed.extensions['code']));
  return result;
}
