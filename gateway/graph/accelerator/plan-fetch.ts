import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { isRecord } from '../../../shared/kernel/is-record.js';
import type { GraphResult } from '../../../shared/graphql/executor.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import { compileRewrites, renamedKeys } from './data-rewrites.js';
import type { SubgraphDataSources } from '../data-source.js';
import { compileEntities, type Representatives } from './entities.js';
import { copied, merge, type Data } from './merge.js';
import type { Path } from '../merge-errors.js';
import type { FetchNode } from './plan.js';
import { placedWalkOf } from './walk.js';

/** Data of one run that its steps share. */
export interface Run {
  readonly context: Context;
  readonly variables: Variables;
  /** Data that subgraphs have returned so far, under the response names of the planned document. */
  readonly data: Data;
  /** Errors of the run, with their places in the planned document. */
  readonly errors: GraphQLError[];
}

/** A part of a plan. It never rejects for an error of a subgraph, which becomes an error of the run. */
export type Step = (run: Run) => Promise<void>;

export interface FetchTools {
  readonly sources: SubgraphDataSources;
  readonly supergraphSchema: GraphQLSchema;
}

type Ask = (run: Run, representations?: Variables) => Promise<GraphResult>;
type Received = (run: Run, result: GraphResult, holders?: readonly Data[], place?: Path) => void;

/** Compiles a fetch. */
export function fetchStep(fetch: FetchNode, tools: FetchTools): Step {
  return guarded(fetch.entities.length === 0 ? rootFetch(fetch, tools) : entityFetch(fetch, tools));
}

/** Compiles a fetch of root fields. Its data belong to each object at its path. */
function rootFetch(fetch: FetchNode, tools: FetchTools): Step {
  const ask = askOf(fetch, tools);
  const received = receiver(fetch, tools);
  const eachHolder = placedWalkOf(tools.supergraphSchema, fetch.path);
  return async (run) => {
    const holders: Data[] = [];
    let first: Path = [];
    eachHolder(run.data, [], (holder, place) => {
      if (holders.push(holder) === 1) first = place;
    });
    if (holders.length > 0) received(run, await ask(run), holders, first);
  };
}

/** Compiles the handling of the response to a fetch of root fields. */
export function receiver(fetch: FetchNode, tools: FetchTools): Received {
  const rewrite = compileRewrites(tools.supergraphSchema, fetch.rewrites);
  const placed = placing(fetch);
  return (run, { data, errors = [] }, holders = [run.data], place = []) => {
    for (const error of errors) run.errors.push(placed(error, error.path && [...place, ...error.path]));
    if (!isRecord(data)) return;
    rewrite?.(data);
    for (const [at, holder] of holders.entries()) merge(holder, at === 0 ? data : copied(data));
  };
}

/** Compiles a fetch of further fields of entities. Without such an entity no request is sent. */
function entityFetch(fetch: FetchNode, tools: FetchTools): Step {
  const ask = askOf(fetch, tools);
  const placed = placing(fetch);
  const requests = fetch.entities.map((request) => {
    const { variable } = request;
    const isShared = fetch.entities.some((other) => other !== request && other.variable === variable);
    return { variable, collect: compileEntities(tools.supergraphSchema, fetch.document, request, isShared) };
  });

  return async (run) => {
    const byVariable: Record<string, Representatives> = {};
    const asked = requests.map(({ variable, collect }) =>
      collect(run.data, (byVariable[variable] ??= { representations: [], known: new Map() })),
    );
    const variables: Record<string, readonly Data[]> = {};
    let count = 0;
    for (const [name, { representations }] of Object.entries(byVariable)) {
      variables[name] = representations;
      count += representations.length;
    }
    if (count === 0) return;
    const { data, errors = [] } = await ask(run, variables);
    for (const error of errors) {
      const about = asked.find(({ name }) => name === error.path?.[0]);
      for (const place of about?.placesOf(error) ?? [undefined]) run.errors.push(placed(error, place));
    }
    if (isRecord(data)) for (const one of asked) one.merge(data[one.name]);
  };
}

function askOf({ subgraph, document, variables: names }: FetchNode, { sources }: FetchTools): Ask {
  const source = sources[subgraph];
  if (source === undefined) throw new Error(`There is no data source for the subgraph ${subgraph}`);
  return (run, representations) => {
    const variables: Record<string, unknown> = { ...representations };
    for (const name of names) {
      if (Object.hasOwn(run.variables, name)) variables[name] = run.variables[name];
    }
    return source.execute({ document, variables }, run.context);
  };
}

/** Turns any other failure of a step into an error of the run, without a place. */
function guarded(step: Step): Step {
  return async (run) => {
    try {
      await step(run);
    } catch (error) {
      const originalError = error instanceof Error ? error : new Error('A fetch failed', { cause: error });
      run.errors.push(new GraphQLError(originalError.message, { originalError }));
    }
  };
}

/** Compiles how an error of a fetch gets its place in the planned document. */
function placing(fetch: FetchNode): (error: GraphQLError, path: Path | undefined) => GraphQLError {
  const renamed = renamedKeys(fetch);
  return (error, place) => {
    const path = place?.map((key) => (typeof key === 'number' ? key : (renamed.get(key) ?? key)));
    return new GraphQLError(error.message, { path, extensions: error.extensions, originalError: error });
  };
}
