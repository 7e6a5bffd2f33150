import type { Context } from '../../../shared/kernel/context.js';
import { lockOriginator } from '../originators/originator.store.js';

/**
 * Returns the context in which an operator acts on behalf of a client: whatever it creates belongs to the client.
 * @throws {ApiError} NOT_FOUND
 */
export async function asClient(context: Context, originatorId: string): Promise<Context> {
  const { id } = await lockOriginator(context, originatorId);
  const principal = { kind: 'CLIENT', id: context.principal.id, ownerId: id, scopes: [] } as const;
  return { ...context, principal, loaders: new Map() };
}
