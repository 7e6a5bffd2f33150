import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import type { Context } from '../../../shared/context.js';
import { refuse } from '../../../shared/errors.js';
import { declaredAccess, type AccessLevel } from '../../../shared/subgraph/access.js';

/**
 * Makes a schema that of the sandbox, in place: every query, mutation and subscription that takes `synthetic` refuses a caller of trading
 * who does not send it as true. One place, so that no field can forget it.
 * @throws {Error} where a field for callers of trading does not take it
 */
export function requireSynthetic(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const field of roots.flatMap((type) => Object.values(type?.getFields() ?? {}))) {
    if (!field.args.some(({ name }) => name === 'synthetic')) {
      if (levels.has(declaredAccess(field.extensions)?.level)) throw new Error(`${field.name} does not take synthetic`);
      continue;
    }
    if (field.subscribe === undefined) field.resolve = refusing(field.resolve ?? defaultFieldResolver);
    else field.subscribe = refusing(field.subscribe);
  }
}

/** The levels of fields for callers of trading. Login and refresh are for anyone. */
const levels: ReadonlySet<AccessLevel | undefined> = new Set<AccessLevel>(['trader', 'market']);

/** Who is let in by a field of trading. An API key reads the markets alone; elsewhere the field refuses it after this. */
const callers: ReadonlySet<Context['principal']['kind']> = new Set(['TRADER', 'API_KEY']);

type Resolve = GraphQLFieldResolver<unknown, Context, Record<string, unknown>>;

function refusing(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    // Everyone else is refused by the field itself, which says what to send.
    if (callers.has(context.principal.kind) && args['synthetic'] !== true) {
      const message = 'must be true: this is the sandbox, which has synthetic data only';
      refuse('BAD_REQUEST', [{ path: 'synthetic', message }]);
    }
    return resolve(source, args, context, info);
  };
}
