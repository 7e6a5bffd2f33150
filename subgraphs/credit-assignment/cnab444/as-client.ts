import type { Context } from '../../../shared/context.js';
import { lockOriginator } from '../originators/originator.store.js';

/**
 * The context in which an operator acts in the name of a client: what it makes is the client's.
 * @throws {ApiError} NOT_FOUND
 */
export async function asClient(context: Context, originatorId: string): Promise<Context> {
  const { id } = await lockOriginator(context, originatorId);
  const principal = { kind: 'CLIENT', id: context.principal.id, ownerId: id, scopes: [] } as const;
  return { ...context, principal, loaders: new Map() };
}
