import { getOperationAST, Kind, type DocumentNode, type GraphQLError, type GraphQLSchema } from 'graphql';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { compileEntityRewrites, compileRewrites, type Rewrite } from './data-rewrites.js';
import { copied, isPlain, merge, type Data } from './merge.js';
import type { Path } from '../merge-errors.js';
import type { EntityRequest } from './plan.js';
import { compileRepresentation } from './representation.js';
import { placedWalkOf, walkOf } from './walk.js';

export interface Representatives {
  readonly representations: Data[];
  readonly known: Map<string, number>;
}

export interface CollectedEntities {
  readonly name: string;
  /** Merges what the subgraph returned into the entities. @throws when it is not one entity or null for each representation */
  merge(received: unknown): void;
  /** Finds the places of the entities that an error is about; one unknown place for an error of all of them. */
  placesOf(error: GraphQLError): readonly (Path | undefined)[];
}

/** Compiles a function that collects entities from the data of a run. @param isShared whether another request of the fetch has the same variable */
export function compileEntities(
  schema: GraphQLSchema,
  document: DocumentNode,
  request: EntityRequest,
  isShared: boolean,
): (data: Data, representatives: Representatives) => CollectedEntities {
  const { name, paths } = request;
  const { keyOf, represent } = compileRepresentation(schema, request.requires);
  // The same key could stand for another representation in another request.
  const prefix = isShared ? `${request.name} ` : '';
  const rewriteInput = compileRewrites(schema, request.inputRewrites);
  const mergeEach = compileMerge(leafNames(document, name), compileEntityRewrites(schema, request));
  const walks = paths.map((path) => walkOf(schema, path));
  const placedWalks = paths.map((path) => placedWalkOf(schema, path));

  return (data, { representations, known }) => {
    const entities: Data[] = [];
    const indexes: number[] = [];
    const add = (entity: Data, key: string): number | undefined => {
      const representation = represent(entity);
      if (representation === undefined) return undefined;
      rewriteInput?.(representation);
      const index = representations.push(representation) - 1;
      known.set(key, index);
      return index;
    };
    const found = (entity: Data): void => {
      const own = keyOf(entity);
      if (own === undefined) return;
      const key = prefix + own;
      const index = known.get(key) ?? add(entity, key);
      if (index === undefined) return;
      entities.push(entity);
      indexes.push(index);
    };
    for (const walk of walks) walk(data, found);
    return {
      name,
      merge: (received) => {
        if (!Array.isArray(received) || received.length !== representations.length)
          throw new Error('The subgraph did not return one entity or null for each reference');
        mergeEach(entities, indexes, received);
      },
      placesOf: ({ path: [, failed, ...rest] = [] }) => {
        const indexOf = new Map(entities.map((entity, at) => [entity, indexes[at]]));
        const places: Path[] = [];
        for (const walk of placedWalks) {
          walk(data, [], (entity, place) => {
            if (indexOf.get(entity) === failed) places.push([...place, ...rest]);
          });
        }
        return places.length === 0 ? [undefined] : places;
      },
    };
  };
}

type MergeEach = (entities: readonly Data[], indexes: readonly number[], received: readonly unknown[]) => void;

/** Compiles the merging of what was received into each entity. @param leaves - the names of all fields, if none of them has fields */
function compileMerge(leaves: readonly string[] | undefined, rewrite: Rewrite | undefined): MergeEach {
  if (leaves !== undefined && rewrite === undefined) {
    return (entities, indexes, received) => {
      for (let at = 0; at < entities.length; at++) {
        const [entity, more] = [entities[at], received[indexes[at] ?? at]];
        if (entity === undefined || !isRecord(more)) continue;
        for (const name of leaves) {
          const value = more[name];
          if (value !== undefined) entity[name] = value;
        }
      }
    };
  }
  return (entities, indexes, received) => {
    const merged = new Set<unknown>();
    for (let at = 0; at < entities.length; at++) {
      const [entity, more] = [entities[at], received[indexes[at] ?? at]];
      if (entity === undefined || !isRecord(more)) continue;
      if (merged.has(more)) {
        merge(entity, copied(more));
        continue;
      }
      merged.add(more);
      if (rewrite !== undefined) {
        more['__typename'] ??= entity['__typename'];
        rewrite(more);
      }
      merge(entity, more);
    }
  };
}

/** Returns the response names of the fields that a document selects of its entities; undefined where some have fields, or unusual names. */
function leafNames(document: DocumentNode, name: string): readonly string[] | undefined {
  const root = getOperationAST(document)?.selectionSet.selections.find(
    (one) => one.kind === Kind.FIELD && (one.alias ?? one.name).value === name,
  );
  const names = new Set<string>();
  const fragments = root?.kind === Kind.FIELD ? (root.selectionSet?.selections ?? []) : [];
  for (const fragment of fragments) {
    if (fragment.kind !== Kind.INLINE_FRAGMENT) return undefined;
    for (const field of fragment.selectionSet.selections) {
      if (field.kind !== Kind.FIELD || field.selectionSet !== undefined) return undefined;
      names.add((field.alias ?? field.name).value);
    }
  }
  return [...names].every(isPlain) ? [...names] : undefined;
}
