import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import type { Context } from '../../../shared/context.js';
import { refuse } from '../../../shared/errors.js';
import { errorAt } from '../../../shared/rule-error.js';
import { declaredAccess, type AccessLevel } from '../../../shared/subgraph/access.js';

/**
 * Turns a schema into that of the sandbox, in place: every query, mutation and subscription that takes `synthetic` rejects a trading caller
 * who does not send it as true. It is done in one place, so that no field can forget it.
 * @throws {Error} where a field for callers of trading does not take it
 */
export function requireSynthetic(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const field of roots.flatMap((type) => Object.values(type?.getFields() ?? {}))) {
    if (!field.args.some(({ name }) => name === 'synthetic')) {
      if (levels.has(declaredAccess(field.extensions)?.level))
        throw new Error(`${field.name} does not support synthetic`);
      continue;
    }
    if (field.subscribe === undefined) field.resolve = refusing(field.resolve ?? defaultFieldResolver);
    else field.subscribe = refusing(field.subscribe);
  }
}

/** The access levels of fields for trading callers. Login and refresh are open to anyone. */
const levels: ReadonlySet<AccessLevel | undefined> = new Set<AccessLevel>(['trader', 'market']);

/** The callers that trading fields accept. An API key may only read the markets; other fields reject it later. */
const callers: ReadonlySet<Context['principal']['kind']> = new Set(['TRADER', 'API_KEY']);

type Resolve = GraphQLFieldResolver<unknown, Context, Record<string, unknown>>;

function refusing(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    // All others are rejected by the field itself, which says what to send.
    if (callers.has(context.principal.kind) && args['synthetic'] !== true) {
      refuse('BAD_REQUEST', [errorAt('synthetic', 'SANDBOX_SYNTHETIC')]);
    }
    return resolve(source, args, context, info);
  };
}
