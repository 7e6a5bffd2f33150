import type { FetchNode } from '@apollo/query-planner';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Context } from '../shared/context.js';
import { isRecord } from '../shared/is-record.js';
import type { GraphResult } from '../shared/subgraph/executor.js';
import type { Variables } from '../shared/subgraph/variables.js';
import { compileEntityRewrites, compileRewrites, renamedKeys, type Rewrite } from './data-rewrites.js';
import { documentOf } from './fetches.js';
import { copied, isPlain, merge, own, type Data } from './merge.js';
import { compileRepresentation } from './representation.js';
import type { Path } from './merge-errors.js';
import type { SubgraphDataSources } from './data-source.js';

/** Data of one run that its steps share. */
export interface Run {
  readonly context: Context;
  readonly variables: Variables;
  /** Data that subgraphs have returned so far, under the response names of the planned document. */
  readonly data: Data;
  /** Errors of the run, with their places in the caller's document. */
  readonly errors: GraphQLError[];
}

/** A part of a plan. It never rejects for an error of a subgraph, which becomes an error of the run. */
export type Step = (run: Run) => Promise<void>;

export interface FetchTools {
  readonly sources: SubgraphDataSources;
  readonly supergraphSchema: GraphQLSchema;
  /** Returns the caller's response name for one of the planned document. */
  readonly callerName: (name: string) => string;
}

type Ask = (run: Run, representations?: readonly Data[]) => Promise<GraphResult>;
type Received = (run: Run, result: GraphResult, holders?: readonly Data[], place?: Path) => void;

/** Compiles a fetch of root fields. Its data belong to each object at `path`; the root itself has the empty path. */
export function rootFetch(fetch: FetchNode, path: readonly string[], tools: FetchTools): Step {
  const ask = askOf(fetch, tools);
  const received = receiver(fetch, tools);
  const eachHolder = walker(path);
  return guarded(async (run) => {
    const holders: Data[] = [];
    let first: Path = [];
    eachHolder(run.data, (holder, place) => {
      if (holders.push(holder) === 1) first = [...place];
    });
    if (holders.length > 0) received(run, await ask(run), holders, first);
  });
}

/** Compiles the handling of the response to a fetch of root fields. */
export function receiver(fetch: FetchNode, tools: FetchTools): Received {
  const rewrite = compileRewrites(tools.supergraphSchema, fetch.outputRewrites);
  const placed = placing(fetch, tools);
  return (run, { data, errors = [] }, holders = [run.data], place = []) => {
    for (const error of errors) run.errors.push(placed(error, error.path && [...place, ...error.path]));
    if (!isRecord(data)) return;
    rewrite?.(data);
    for (const [at, holder] of holders.entries()) merge(holder, at === 0 ? data : copied(data));
  };
}

/** Compiles a fetch of further fields of the entities at `path`. Without such an entity no request is sent. */
export function entityFetch(fetch: FetchNode, path: readonly string[], tools: FetchTools): Step {
  const { supergraphSchema, sources } = tools;
  const ask = askOf(fetch, tools);
  const placed = placing(fetch, tools);
  const represent = compileRepresentation(supergraphSchema, fetch.requires ?? []);
  const rewriteInput = compileRewrites(supergraphSchema, fetch.inputRewrites);
  const rewriteOutput = compileEntityRewrites(supergraphSchema, fetch);
  const remote = sources[fetch.serviceName]?.remote ?? false;
  const eachEntity = walker(path);

  return guarded(async (run) => {
    const entities: Data[] = [];
    const representations: Data[] = [];
    eachEntity(run.data, (entity) => {
      const representation = represent(entity);
      if (representation === undefined) return;
      rewriteInput?.(representation);
      entities.push(entity);
      representations.push(representation);
    });
    if (entities.length === 0) return;
    const asked = remote ? distinct(representations) : { representations };
    const { data, errors = [] } = await ask(run, asked.representations);
    if (errors.length > 0) {
      const placesOf = entityPlaces(run, eachEntity, entities, asked.indexes);
      for (const error of errors) {
        for (const place of placesOf(error)) run.errors.push(placed(error, place));
      }
    }
    if (isRecord(data))
      mergeEntities(entities, entitiesIn(data, asked.representations.length), asked.indexes, rewriteOutput);
  });
}

function askOf(fetch: FetchNode, { sources }: FetchTools): Ask {
  const { serviceName, variableUsages = [] } = fetch;
  const source = sources[serviceName];
  if (source === undefined) throw new Error(`There is no data source for the subgraph ${serviceName}`);
  const document = documentOf(fetch);
  return (run, representations) => {
    const variables: Record<string, unknown> = {};
    for (const name of variableUsages) {
      if (Object.hasOwn(run.variables, name)) variables[name] = run.variables[name];
    }
    if (representations !== undefined) variables['representations'] = representations;
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

interface Asked {
  readonly representations: readonly Data[];
  /** For each entity, the index of its representation; left out where that is its own index. */
  readonly indexes?: readonly number[];
}

/** Returns each distinct representation once: requests over the network should be small. */
function distinct(representations: readonly Data[]): Asked {
  const known = new Map<string, number>();
  const once: Data[] = [];
  const indexes = representations.map((representation) => {
    const text = JSON.stringify(representation);
    const index = known.get(text) ?? once.push(representation) - 1;
    known.set(text, index);
    return index;
  });
  return { representations: once, indexes };
}

function entitiesIn(data: Data, expected: number): readonly unknown[] {
  const received = data['_entities'];
  if (Array.isArray(received) && received.length === expected) return received;
  throw new Error('The subgraph did not return one entity or null for each reference');
}

function mergeEntities(
  entities: readonly Data[],
  received: readonly unknown[],
  indexes: readonly number[] | undefined,
  rewrite: Rewrite | undefined,
): void {
  const merged = new Set<unknown>();
  for (let at = 0; at < entities.length; at++) {
    const [entity, more] = [entities[at], received[indexes?.[at] ?? at]];
    if (entity === undefined || !isRecord(more)) continue;
    if (merged.has(more)) {
      merge(entity, copied(more));
      continue;
    }
    if (indexes !== undefined) merged.add(more);
    if (rewrite !== undefined) {
      more['__typename'] ??= entity['__typename'];
      rewrite(more);
    }
    merge(entity, more);
  }
}

/** Finds the paths of the entities that an error of `_entities` is about; one unknown path for an error of all of them. */
function entityPlaces(
  { data }: Run,
  eachEntity: Walk,
  entities: readonly Data[],
  indexes: readonly number[] | undefined,
): (error: GraphQLError) => readonly (Path | undefined)[] {
  const indexOf = new Map(entities.map((entity, at) => [entity, indexes?.[at] ?? at]));
  const places = new Map<unknown, Path[]>();
  eachEntity(data, (entity, place) => {
    const index = indexOf.get(entity);
    if (index !== undefined) places.set(index, [...(places.get(index) ?? []), [...place]]);
  });
  return ({ path = [] }) => {
    const [, failed, ...rest] = path;
    return places.get(failed)?.map((place) => [...place, ...rest]) ?? [undefined];
  };
}

/** Compiles how an error of a fetch gets its place in the caller's document. */
function placing(
  fetch: FetchNode,
  { callerName }: FetchTools,
): (error: GraphQLError, path: Path | undefined) => GraphQLError {
  const renamed = renamedKeys(fetch);
  return (error, place) => {
    const path = place?.map((key) => (typeof key === 'number' ? key : callerName(renamed.get(key) ?? key)));
    return new GraphQLError(error.message, { path, extensions: error.extensions, originalError: error });
  };
}

/** Finds each object at a path. The `place` that it passes is valid during the call only. */
type Walk = (root: Data, found: (entity: Data, place: Path) => void) => void;

/** Compiles a path whose keys are response names, and `@` for all items of a list. */
function walker(path: readonly string[]): Walk {
  const keys = path.map((name) => ({ name, plain: isPlain(name) }));
  return (root, found) => {
    const place: (string | number)[] = [];
    const walk = (value: unknown, depth: number): void => {
      const key = keys[depth];
      if (key === undefined) {
        if (isRecord(value)) found(value, place);
      } else if (key.name === '@') {
        if (!Array.isArray(value)) return;
        for (let at = 0; at < value.length; at++) {
          place.push(at);
          walk(value[at], depth + 1);
          place.pop();
        }
      } else if (isRecord(value)) {
        place.push(key.name);
        walk(key.plain ? value[key.name] : own(value, key.name), depth + 1);
        place.pop();
      }
    };
    walk(root, 0);
  };
}
