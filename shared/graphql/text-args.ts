import {
  defaultFieldResolver,
  getNamedType,
  isObjectType,
  isScalarType,
  type GraphQLArgument,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import type { Context } from '../kernel/context.js';
import { registered } from '../registry.js';
import { identifyingText, requireVisible } from '../kernel/identifying-text.js';

export const cursorNames: readonly string[] = ['after', 'before', 'nextToken', 'since', 'lastEventId'];

type Args = Readonly<Record<string, unknown>>;
type Resolve = GraphQLFieldResolver<unknown, Context, Args>;

/** Lets an empty cursor mean none and brings look-up texts into their identifying form, in place. BAD_REQUEST for one with an invisible character. */
export function readTextArguments(schema: GraphQLSchema): void {
  const lookUps = new Set([schema.getQueryType(), schema.getSubscriptionType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const texts = textsOf(field.args);
      const cursors = texts.filter((name) => cursorNames.includes(name));
      const names = lookUps.has(type) ? texts.filter((name) => registered.lookUps.has(name)) : [];
      if (cursors.length + names.length === 0) continue;
      const read = (args: Args) => identifying(names, withoutEmpty(cursors, args));
      if (field.subscribe !== undefined) field.subscribe = through(read, field.subscribe);
      else field.resolve = through(read, field.resolve ?? defaultFieldResolver);
    }
  }
}

function textsOf(args: readonly GraphQLArgument[]): string[] {
  return args.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    return isScalarType(named) && ['String', 'ID'].includes(named.name) ? [name] : [];
  });
}

function through(read: (args: Args) => Args, resolve: Resolve): Resolve {
  return (source, args, context, info) => resolve(source, read(args), context, info);
}

function withoutEmpty(cursors: readonly string[], args: Args): Args {
  if (!cursors.some((name) => args[name] === '')) return args;
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => value !== '' || !cursors.includes(name)));
}

function identifying(names: readonly string[], args: Args): Args {
  if (names.length === 0) return args;
  const read: Record<string, unknown> = { ...args };
  for (const name of names) {
    const given = args[name];
    const identify = (text: string) =>
      registered.lookUps.get(name) === 'ANY' ? identifyingText(text) : requireVisible(name, text);
    if (typeof given === 'string') read[name] = identify(given);
    else if (Array.isArray(given))
      read[name] = given.map((one: unknown) => (typeof one === 'string' ? identify(one) : one));
  }
  return read;
}
