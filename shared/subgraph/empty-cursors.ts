import {
  defaultFieldResolver,
  isObjectType,
  isScalarType,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../context.js';

/** Arguments that are cursors, where they are texts that may be left out. */
export const cursorNames: readonly string[] = ['after', 'before', 'nextToken', 'since'];

type Resolve = GraphQLFieldResolver<unknown, Context, Record<string, unknown>>;

/** Lets an empty cursor mean none, in place: callers without a cursor send the one that they would have. */
export function takeEmptyCursors(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const cursors = field.args.flatMap((one) => {
        const isText = isScalarType(one.type) && ['String', 'ID'].includes(one.type.name);
        return isText && cursorNames.includes(one.name) ? [one.name] : [];
      });
      if (cursors.length === 0) continue;
      if (field.subscribe !== undefined) field.subscribe = withoutEmpty(cursors, field.subscribe);
      else field.resolve = withoutEmpty(cursors, field.resolve ?? defaultFieldResolver);
    }
  }
}

function withoutEmpty(cursors: readonly string[], resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    const given = cursors.some((name) => args[name] === '')
      ? Object.fromEntries(Object.entries(args).filter(([name, value]) => value !== '' || !cursors.includes(name)))
      : args;
    return resolve(source, given, context, info);
  };
}
