import type { Context } from '../../../shared/context.js';
import { ApiError, requireFound } from '../../../shared/errors.js';
import { visibleOriginators } from '../originators/visible-originators.js';

/**
 * Returns the context of a client of credit assignment for a caller who sees its batches: the client itself, or its account.
 * @param originatorId the client; null when the caller sees only one
 * @throws {ApiError} NOT_FOUND, BAD_REQUEST for a caller who sees several and names none
 */
export async function asOriginator(context: Context, originatorId: string | null): Promise<Context> {
  const visible = await visibleOriginators(context);
  if (originatorId === null && visible.length > 1) {
    const message = 'must be given: the account is linked with several clients';
    throw new ApiError('BAD_REQUEST', { details: [{ path: 'originatorId', message }] });
  }
  const ownerId = originatorId === null ? visible[0] : visible.find((id) => id === originatorId.toLowerCase());
  const id = requireFound(ownerId, 'There is no such client');
  return {
    ...context,
    principal: { kind: 'CLIENT', id: context.principal.id, ownerId: id, scopes: [] },
    loaders: new Map(),
  };
}
