import { getNamedType, getNullableType, isInputObjectType, isListType, type GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Context } from '../context.js';

/**
 * Passes mutations that take a list of input objects their arguments as GraphQL coerced them, in place: type-graphql would copy each of 50,000 items
 * into an instance of its class, in one turn of the event loop.
 * @param instances the instances of the resolver classes
 */
export function leaveListsPlain(schema: GraphQLSchema, instances: ReadonlyMap<unknown, object>): void {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const { target, methodName, schemaName, params = [] } of getMetadataStorage().mutations) {
    const instance = instances.get(target);
    const field = fields[schemaName];
    if (instance === undefined || field === undefined) continue;
    const method: unknown = Reflect.get(instance, methodName);
    const list = field.args.some(
      ({ type }) => isListType(getNullableType(type)) && isInputObjectType(getNamedType(type)),
    );
    if (!list || typeof method !== 'function') continue;
    const values = params
      .toSorted((left, right) => left.index - right.index)
      .map((param) => {
        if (param.kind === 'arg') return (args: Readonly<Record<string, unknown>>) => args[param.name];
        if (param.kind === 'context') return (_args: unknown, context: Context) => context;
        throw new Error(`${schemaName} takes a list of input objects: it can have arguments and the context only`);
      });
    field.resolve = (_source, args: Readonly<Record<string, unknown>>, context: Context): unknown =>
      Reflect.apply(
        method,
        instance,
        values.map((value) => value(args, context)),
      );
  }
}
