import type { FetchNode, FlattenNode } from '@apollo/query-planner';
import { GraphQLError } from 'graphql';
import type { Context } from '../shared/context.js';
import type { Answer } from '../shared/subgraph/execute.js';
import type { Variables } from '../shared/subgraph/variables.js';
import { documentOf } from './fetches.js';
import { isData, merge, own, type Data } from './merge.js';
import type { Schemas } from './planned-route.js';
import { compileRepresentation } from './representation.js';
import type { Path } from './shown.js';
import type { Sources } from './source.js';

/** What the steps of one run work on. */
export interface Run {
  readonly context: Context;
  readonly variables: Variables;
  /** What subgraphs have answered so far, in the names of the caller's document. */
  readonly data: Data;
  /** What failed, with places in the caller's document. */
  readonly faults: GraphQLError[];
}

/** A part of a plan. It rejects for nothing that a subgraph does: that is among the faults of the run. */
export type Step = (run: Run) => Promise<void>;

/** A fetch of fields of the root; undefined for one that needs more than that. */
export function rootFetch(fetch: FetchNode, sources: Sources): Step | undefined {
  const ask = askOf(fetch, sources);
  if (ask === undefined || fetch.requires !== undefined) return undefined;
  return guarded(async (run) => {
    const { data, errors = [] } = await ask(run);
    for (const error of errors) run.faults.push(placed(error, error.path));
    if (isData(data)) merge(run.data, data);
  });
}

/**
 * A fetch of more fields of the entities that stand at `path`; undefined for one that needs more than that. Where no such
 * entity stands, nobody is asked.
 */
export function entityFetch(
  fetch: FetchNode,
  path: FlattenNode['path'],
  sources: Sources,
  { supergraphSchema }: Schemas,
): Step | undefined {
  const ask = askOf(fetch, sources);
  const keys = path.filter((key) => typeof key === 'string');
  if (ask === undefined || fetch.requires === undefined || keys.length < path.length) return undefined;
  const represent = compileRepresentation(supergraphSchema, fetch.requires);
  return guarded(async (run) => {
    const entities: Data[] = [];
    const representations: Data[] = [];
    eachAt(run.data, keys, (entity) => {
      const representation = represent(entity);
      if (representation === undefined) return;
      entities.push(entity);
      representations.push(representation);
    });
    if (entities.length === 0) return;
    const { data, errors } = await ask(run, representations);
    if (errors !== undefined) addFaults(run, errors, keys, entities);
    if (isData(data)) mergeEntities(entities, data['_entities']);
  });
}

type Ask = (run: Run, representations?: readonly Data[]) => Promise<Answer>;

/** Undefined where what is asked or answered has to be rewritten. */
function askOf(fetch: FetchNode, sources: Sources): Ask | undefined {
  const { serviceName, variableUsages = [], inputRewrites, outputRewrites, contextRewrites } = fetch;
  const source = sources[serviceName];
  const rewritten = [inputRewrites, outputRewrites, contextRewrites].some((rewrites) => rewrites !== undefined);
  // A variable of the caller by this name would stand where the representations have to.
  if (source === undefined || rewritten || variableUsages.includes('representations')) return undefined;
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

/** What else goes wrong is a fault of the run as well, without a place. */
function guarded(step: Step): Step {
  return async (run) => {
    try {
      await step(run);
    } catch (error) {
      const originalError = error instanceof Error ? error : new Error('A fetch failed', { cause: error });
      run.faults.push(new GraphQLError(originalError.message, { originalError }));
    }
  };
}

function mergeEntities(entities: readonly Data[], received: unknown): void {
  if (!Array.isArray(received) || received.length !== entities.length) {
    throw new Error('A subgraph has to answer each reference, be it with null');
  }
  for (const [at, entity] of entities.entries()) {
    const more: unknown = received[at];
    if (isData(more)) merge(entity, more);
  }
}

/** The faults of `_entities`, each at the entity's own place. */
function addFaults(
  { data, faults }: Run,
  errors: readonly GraphQLError[],
  keys: readonly string[],
  entities: readonly Data[],
): void {
  const places = new Map<unknown, Path>();
  eachAt(data, keys, (entity, place) => places.set(entity, [...place]));
  for (const error of errors) {
    const [, at, ...rest] = error.path ?? [];
    const place = typeof at === 'number' ? places.get(entities[at]) : undefined;
    faults.push(placed(error, place && [...place, ...rest]));
  }
}

function placed(error: GraphQLError, path: Path | undefined): GraphQLError {
  return new GraphQLError(error.message, { path, extensions: error.extensions, originalError: error });
}

/** Each object at a path whose keys are response names, and `@` for all items of a list. */
function eachAt(root: Data, keys: readonly string[], found: (entity: Data, place: Path) => void): void {
  const place: (string | number)[] = [];
  const walk = (value: unknown, depth: number): void => {
    const key = keys[depth];
    if (key === '@') {
      if (!Array.isArray(value)) return;
      for (let at = 0; at < value.length; at++) {
        place.push(at);
        walk(value[at], depth + 1);
        place.pop();
      }
    } else if (key === undefined) {
      if (isData(value)) found(value, place);
    } else if (isData(value)) {
      place.push(key);
      walk(own(value, key), depth + 1);
      place.pop();
    }
  };
  walk(root, 0);
}
