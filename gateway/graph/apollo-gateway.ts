import { createHash } from 'node:crypto';
import { createRequire, Module } from 'node:module';
import type { ApolloGateway, GraphQLDataSource } from '@apollo/gateway';
import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  print,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../../shared/kernel/context.js';
import { ApiError } from '../../shared/kernel/errors.js';
import type { Variables } from '../../shared/graphql/variables.js';
import type { SubgraphDataSources } from './data-source.js';
import { mergeErrors, type Joint } from './merge-errors.js';
import type { OperationExecutor } from './operation.js';

export interface LoadedGateway {
  readonly apiSchema: GraphQLSchema;
  readonly subgraphs: readonly string[];
  /** The gateway as Apollo Server takes it: loaded already, and not stopped with a server. */
  readonly forServer: ServerGateway;
  /** Returns the executor of a valid document with one operation. Apollo Gateway plans it when it first runs. */
  executorOf(document: DocumentNode, sources: SubgraphDataSources): OperationExecutor;
}

export type ServerGateway = Pick<ApolloGateway, 'onSchemaLoadOrUpdate' | 'load' | 'stop'>;

/** State of one run for its data sources: graphs over the same supergraph share a gateway, each with its own subgraphs. */
class Run {
  /** Whether an idempotency key was refused, so that nothing ran. */
  refused = false;

  constructor(
    readonly context: Context,
    readonly sources: SubgraphDataSources,
  ) {}
}

type Result = Awaited<ReturnType<ApolloGateway['executor']>>;
type Request = Parameters<ApolloGateway['executor']>[0];

/** Memory for Apollo Gateway's plans, in MiB: it plans only what the accelerator does not run. */
const planStoreMiB = 10;

/** Modules that Apollo Gateway loads only for its telemetry: 700 modules, a third of its time and memory. */
const telemetry = [
  ...['sdk-metrics', 'exporter-metrics-otlp-http', 'resources'],
  ...['alibaba-cloud', 'aws', 'azure', 'gcp'].map((cloud) => `resource-detector-${cloud}`),
];

/** Switches Apollo Gateway's telemetry off: modules that are known already, if empty, are not loaded. */
function withoutTelemetry(): void {
  // oxlint-disable-next-line no-restricted-properties -- it has no option for that
  process.env['APOLLO_TELEMETRY_DISABLED'] = '1';
  const require = createRequire(createRequire(import.meta.url).resolve('@apollo/gateway'));
  for (const name of telemetry) {
    const path = require.resolve(`@opentelemetry/${name}`);
    require.cache[path] ??= Object.assign(new Module(path), { loaded: true });
  }
}

/** Loads Apollo Gateway. Its telemetry is off, and so is its read of plans by callers. */
export async function loadGateway(supergraphSdl: string): Promise<LoadedGateway> {
  withoutTelemetry();
  // Loading the package takes half a second, which a command that never reaches the graph does not spend.
  const { ApolloGateway } = await import('@apollo/gateway');
  const subgraphs: string[] = [];
  const gateway = new ApolloGateway({
    supergraphSdl,
    validateSupergraph: false,
    __exposeQueryPlanExperimental: false,
    experimental_approximateQueryPlanStoreMiB: planStoreMiB,
    queryPlannerConfig: { exposeDocumentNodeInFetchNode: true },
    buildService: ({ name }) => {
      subgraphs.push(name);
      return dataSource(name);
    },
  });
  const loaded = await gateway.load();
  const { schema: apiSchema } = loaded;
  return {
    apiSchema,
    subgraphs,
    forServer: {
      onSchemaLoadOrUpdate: (listener) => {
        listener({ apiSchema, coreSupergraphSdl: supergraphSdl });
        return () => undefined;
      },
      load: () => Promise.resolve(loaded),
      stop: () => Promise.resolve(),
    },
    executorOf: (document, sources) => {
      const queryHash = createHash('sha256').update(print(document)).digest('hex');
      return {
        run: async (variables, context) => {
          const run = new Run(context, sources);
          const result = await loaded.executor(requestOf({ document, queryHash, variables, run })).catch(refuse);
          const { data, errors } = mergeErrors(jointOf(result), context);
          return { ...(run.refused ? {} : { data }), ...(errors === undefined ? {} : { errors }) };
        },
        subscribe: () => {
          const message = 'The subgraphs cannot resolve the fields of this subscription together: select fewer of them';
          return Promise.reject(new ApiError('BAD_REQUEST', { message }));
        },
      };
    },
  };
}

interface RequestParts {
  readonly document: DocumentNode;
  readonly queryHash: string;
  readonly variables: Variables;
  readonly run: Run;
}

function requestOf({ document, queryHash, variables, run }: RequestParts): Request {
  const read = { request: { variables }, document, queryHash, context: run, metrics: {}, logger: run.context.log };
  // Apollo Gateway reads these few of the fields that a request of Apollo Server has.
  return read as unknown as Request;
}

/** @throws {ApiError} BAD_REQUEST: Apollo Gateway rejects only what it cannot plan, and returns all other errors. */
function refuse(cause: unknown): never {
  const message =
    cause instanceof GraphQLError
      ? cause.message
      : 'The subgraphs cannot resolve these fields together: select fewer of them, or reach their objects by another field';
  throw new ApiError('BAD_REQUEST', { message, cause });
}

/** Creates the data source of a subgraph, which runs the document of a fetch where the run's graph has that subgraph. */
function dataSource(name: string): GraphQLDataSource {
  return {
    process: async ({ request: { variables }, context: run, ...options }) => {
      const source = run instanceof Run ? run.sources[name] : undefined;
      if (!(run instanceof Run) || source === undefined || !('document' in options))
        throw new Error(`A fetch of ${name} came without its document or its run`);
      const { data, errors } = await source.execute({ document: options.document, variables }, run.context);
      // A key is for the mutations of one subgraph.
      if (data === undefined && run.context.idempotency !== undefined) run.refused ||= isMutation(options.document);
      return { data: data ?? null, ...(errors === undefined ? {} : { errors: errors.map((error) => error.toJSON()) }) };
    },
  };
}

function isMutation(document: DocumentNode): boolean {
  return getOperationAST(document)?.operation === OperationTypeNode.MUTATION;
}

function jointOf({ data = null, errors = [], extensions }: Result): Joint {
  const completion: unknown = extensions?.['valueCompletion'];
  const missing = (Array.isArray(completion) ? completion : []).map((error: unknown) =>
    error instanceof GraphQLError ? error.path : undefined,
  );
  return { data, errors, missing };
}
