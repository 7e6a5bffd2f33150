import { parse, validate, type GraphQLSchema } from 'graphql';
import type { Context } from '../../shared/kernel/context.js';
import type { ErrorExtensions } from '../../shared/kernel/errors.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import { testKeyRing } from './context.js';

export interface Outcome {
  readonly data: Record<string, unknown> | null;
  /** The extensions of the first error. */
  readonly error?: ErrorExtensions & { readonly message: string };
}

/** Runs valid documents on the schema of a domain; what the context of a call has of its own comes last. */
export function runOn(schema: GraphQLSchema, context: Context) {
  const executor = createExecutor(schema, testKeyRing);
  return async (text: string, variables: Record<string, unknown>, over: Partial<Context>): Promise<Outcome> => {
    const document = parse(text);
    const invalid = validate(schema, document);
    if (invalid.length > 0) throw new Error(invalid.map(({ message }) => message).join('\n'));
    const caller = { ...context, loaders: new Map(), ...over };
    const { data, errors } = await executor.execute({ document, variables }, caller);
    const [error] = errors ?? [];
    // Errors of the executor carry the extensions of an error of the house.
    const extensions = error?.extensions as unknown as ErrorExtensions;
    return { data: data ?? null, ...(error && { error: { ...extensions, message: error.message } }) };
  };
}
