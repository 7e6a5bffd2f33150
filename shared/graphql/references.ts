import type { GraphQLFieldResolver, GraphQLTypeResolver } from 'graphql';
import type { Context } from '../kernel/context.js';
import { ApiError } from '../kernel/errors.js';
import { demand, type PlainLevel } from './access.js';

/** Another subgraph's reference to an entity: its type and the fields of one of its keys. */
export interface Reference {
  readonly __typename: string;
  readonly [field: string]: unknown;
}

export interface ReferenceRule {
  /** Who may reach the entity by a reference. Access to its single fields is checked in addition. */
  readonly access: PlainLevel;
  /** Returns the entity, or null when there is none that the caller may see. Load through `loaderOf`: it is called once per entity. */
  resolve(context: Context, reference: Reference): object | null | Promise<object | null>;
}

export type References = Readonly<Record<string, ReferenceRule>>;

export interface EntityResolvers {
  readonly entities: GraphQLFieldResolver<unknown, Context, { representations: readonly Reference[] }>;
  readonly typeOf: GraphQLTypeResolver<object, Context>;
}

/** Resolves federation's `_entities`. Failures take their places in a complete list: graphql-jit mixes up lists with rejected promises. */
export function entityResolvers(references: References): EntityResolvers {
  const typeNames = new WeakMap<object, string>();
  const resolveOne = async (context: Context, reference: Reference): Promise<object | null> => {
    try {
      const rule = references[reference.__typename];
      if (rule === undefined)
        throw new ApiError('BAD_REQUEST', { message: `${reference.__typename} is not an entity of this subgraph` });
      demand({ level: rule.access }, context);
      const entity = await rule.resolve(context, reference);
      if (entity !== null) typeNames.set(entity, reference.__typename);
      return entity;
    } catch (error) {
      return error instanceof Error
        ? error
        : new Error('A reference resolver threw a value that is not an Error', { cause: error });
    }
  };
  return {
    entities: (_root, { representations }, context) =>
      Promise.all(representations.map((reference) => resolveOne(context, reference))),
    typeOf: (entity) => typeNames.get(entity),
  };
}
