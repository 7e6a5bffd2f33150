import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { Context } from '../context.js';

/** Lets every subscription with the argument `since` go on after `context.resumeAfter`, whatever its arguments say. In place. */
export function letResume(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const { subscribe } = field;
    if (subscribe !== undefined && field.args.some(({ name }) => name === 'since'))
      field.subscribe = resuming(subscribe);
  }
}

function resuming<S>(subscribe: GraphQLFieldResolver<S, Context>): GraphQLFieldResolver<S, Context> {
  return (source, args: Record<string, unknown>, context, info) => {
    const { resumeAfter } = context;
    if (resumeAfter === undefined) return subscribe(source, args, context, info);
    // The other argument that says where to begin is not for use together with `since`.
    return subscribe(source, { ...args, since: resumeAfter, lastEventId: null }, context, info);
  };
}
