import type { GraphQLSchema } from 'graphql';
import { Directive, Extensions } from 'type-graphql';
import { z } from 'zod';
import { guardedBelow } from './response-cache.js';

export interface SharedRunRule {
  /** Results for a reader who joins a run: all events from then on, or the latest state and those after it, of which a slow reader skips some. */
  readonly begins: 'events' | 'latest';
  /** To whom a run is the same: all who are permitted, or only those who are the same caller. */
  readonly readers: 'everyone' | 'equal';
}

export const sharedRunRule = z.object({
  begins: z.enum(['events', 'latest']),
  readers: z.enum(['everyone', 'equal']),
});

/** Carries the declarations into the supergraph, since a gateway knows nothing else of a subgraph in another process. */
export const sharedRunLink = `extend schema
  @link(url: "https://lastro.localhost/sharedRun/v1.0", import: ["@sharedRun"])
  @composeDirective(name: "@sharedRun")
directive @sharedRun(begins: String!, readers: String!) on FIELD_DEFINITION`;

/** Lets readers with the same selection and arguments share a run. With `everyone`, all of this subgraph below it must be the same for all. */
export function SharedRun(rule: SharedRunRule): MethodDecorator {
  const extend = Extensions({ sharedRun: rule });
  const direct = Directive(`@sharedRun(begins: "${rule.begins}", readers: "${rule.readers}")`);
  return (target, name, descriptor) => {
    extend(target, name, descriptor);
    direct(target, name, descriptor);
  };
}

const declaredForm = z.object({ sharedRun: sharedRunRule });

/** @throws when the field is no subscription, is shared by everyone above a field with its own access, or reports events that cannot be resumed */
export function requireSharedRuns(subgraph: string, plain: GraphQLSchema): void {
  for (const type of [plain.getQueryType(), plain.getMutationType()]) {
    for (const { name, extensions } of Object.values(type?.getFields() ?? {})) {
      if (declaredForm.safeParse(extensions).success)
        throw new Error(`${subgraph}: ${name} is not a subscription, and its readers cannot share a run`);
    }
  }
  for (const { name, extensions, type, args } of Object.values(plain.getSubscriptionType()?.getFields() ?? {})) {
    const rule = declaredForm.safeParse(extensions).data?.sharedRun;
    if (rule === undefined) continue;
    const guarded = rule.readers === 'everyone' ? guardedBelow(plain, type, new Set()) : undefined;
    if (guarded !== undefined)
      throw new Error(`${subgraph}: everyone shares the runs of ${name}, but not everyone may read ${guarded}`);
    // A reader who falls behind the others is ended, and subscribes again after the last event that it has.
    if (rule.begins === 'events' && !args.some((argument) => argument.name === 'since'))
      throw new Error(`${subgraph}: readers of ${name} share its events, and need the argument \`since\` to go on`);
  }
}
