import { defaultFieldResolver, type GraphQLField, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import { declaredAccess, type AccessLevel } from '../../../shared/graphql/access.js';

type Field = GraphQLField<unknown, Context, Record<string, unknown>>;
type Resolve = GraphQLFieldResolver<unknown, Context, Record<string, unknown>>;

/** Changes the schema in place: every operation that takes `synthetic` rejects a trading caller who does not send it as true. @throws {Error} where a field for callers of trading does not take it */
export function requireSynthetic(schema: GraphQLSchema): void {
  const queries: Readonly<Record<string, Field>> = schema.getQueryType()?.getFields() ?? {};
  const mutations: Readonly<Record<string, Field>> = schema.getMutationType()?.getFields() ?? {};
  const attemptAt = (name: string): Resolve | undefined => {
    const field = name === 'createOrder' ? queries['previewOrder'] : mutations[name];
    if (field === undefined || name === 'createOrder') return field?.resolve;
    return rolledBack.has(name) ? inVain(resolverOf(field)) : undefined;
  };
  for (const field of Object.values(queries)) guard(field, resolverOf(field));
  // A form has the errors of its mutation.
  for (const field of Object.values(mutations)) guard(field, attemptAt(field.name.replace(/Result$/, '')));
  const subscriptions: Readonly<Record<string, Field>> = schema.getSubscriptionType()?.getFields() ?? {};
  for (const field of Object.values(subscriptions)) guard(field);
}

/** Mutations that write in their own transaction only, so that they can be tried. */
const rolledBack: ReadonlySet<string> = new Set([
  'addWithdrawalAddress',
  'createProfile',
  'createQuote',
  'updateProfile',
  'withdraw',
]);

/** The access levels of fields for trading callers. Login and refresh are open to anyone. */
const levels: ReadonlySet<AccessLevel | undefined> = new Set<AccessLevel>(['trader', 'market']);

/** The callers that trading fields accept. An API key may only read the markets; other fields reject it later. */
const callers: ReadonlySet<Context['principal']['kind']> = new Set(['TRADER', 'API_KEY']);

/** @param attempt does what the field would do and changes nothing, to find the errors that are named beside the missing `synthetic` */
function guard(field: Field, attempt?: Resolve): void {
  if (!field.args.some(({ name }) => name === 'synthetic')) {
    if (levels.has(declaredAccess(field.extensions)?.level))
      throw new Error(`${field.name} does not support synthetic`);
    return;
  }
  if (field.subscribe === undefined) field.resolve = refusing(resolverOf(field), attempt);
  else field.subscribe = refusing(field.subscribe);
}

const resolverOf = ({ resolve = defaultFieldResolver }: Field): Resolve => resolve;

function refusing(resolve: Resolve, attempt?: Resolve): Resolve {
  return async (source, args, context, info) => {
    // All others are rejected by the field itself, which says what to send.
    if (callers.has(context.principal.kind) && args['synthetic'] !== true) {
      const issues =
        attempt === undefined ? [] : await issuesOf(() => attempt(source, { ...args, synthetic: true }, context, info));
      refuse('BAD_REQUEST', [errorAt('synthetic', 'SANDBOX_SYNTHETIC'), ...issues]);
    }
    return resolve(source, args, context, info);
  };
}

/** Argument that causes an error without details. */
const argumentOf: Readonly<Partial<Record<string, string>>> = {
  MARKET_NOT_AVAILABLE: 'symbol',
  BELOW_MINIMUM: 'amount',
};

async function issuesOf(attempt: () => unknown): Promise<readonly ErrorDetail[]> {
  try {
    await attempt();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) return [];
    const path = argumentOf[error.code];
    if (path !== undefined) return [{ path, message: error.message }];
    return error.code === 'BAD_REQUEST' || error.code === 'UNPROCESSABLE' ? (error.extensions.details ?? []) : [];
  }
}

function inVain(resolve: Resolve): Resolve {
  return (source, args, context, info) =>
    inTransaction(context, async (tx) => {
      await resolve(source, args, tx, info);
      throw new ApiError('CONFLICT', { message: 'This was an attempt' });
    });
}
