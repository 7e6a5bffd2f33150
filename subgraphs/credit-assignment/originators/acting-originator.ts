import type { ActName } from '../../../shared/registry.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, refuse, requireFound, byRule, errorAt } from '../../../shared/kernel/errors.js';
import { visibleOriginators } from './visible-originators.js';

/** The caller is the client itself, or its account. @param originatorId null when the caller sees only one @throws {ApiError} NOT_FOUND, BAD_REQUEST for a caller who sees several and names none */
export async function asOriginator(context: Context, originatorId: string | null): Promise<Context> {
  const visible = await visibleOriginators(context);
  if (originatorId === null && visible.length > 1)
    refuse('BAD_REQUEST', [errorAt('originatorId', 'ORIGINATOR_CHOICE')]);
  if (originatorId === null && visible.length === 0) throw new ApiError('NOT_FOUND', byRule('NO_ORIGINATOR'));
  const ownerId = originatorId === null ? visible[0] : visible.find((id) => id === originatorId.toLowerCase());
  return asClient(context, requireFound(ownerId, 'There is no such client'));
}

/** Whatever is created in the result belongs to the client. */
export function asClient(context: Context, ownerId: string): Context {
  const { id, kind: actor } = context.principal;
  return { ...context, principal: { kind: 'CLIENT', id, ownerId, scopes: [], actor }, loaders: new Map() };
}

/** An act for a client: its name in the audit log, and the type of what it creates or changes. */
export interface ClientAct {
  readonly action: ActName;
  readonly type: 'creditBatch' | 'settlementBatch';
}

/**
 * Runs an act of a client: for a signed request as the client itself, or for a person of its account whom an operator permitted to send, with an entry in
 * the audit log.
 * @param originatorId as for `asOriginator`
 * @param act gets the context of the client, and returns the changed record
 * @throws {ApiError} the errors of `asOriginator`, FORBIDDEN without the permission, and the errors of the act
 */
export async function actAsOriginator<Row extends { readonly id: string }>(
  context: Context,
  originatorId: string | null,
  { action, type }: ClientAct,
  act: (client: Context) => Promise<Row>,
): Promise<Row> {
  const client = await asOriginator(context, originatorId);
  if (context.principal.kind === 'CLIENT') return act(client);
  return inTransaction(client, async (tx) => {
    await requireMaySend(tx);
    const row = await act(tx);
    const after = { originatorId: client.principal.ownerId };
    await recordAudit(tx, { action, subject: { type, id: row.id }, after, actor: context.principal });
    return row;
  });
}

/** Rejects an account that may not send for a client; an operator who withdraws that meanwhile waits for the end of the transaction. */
async function requireMaySend({ manager, principal }: Context): Promise<void> {
  const maySend = await manager.value<boolean>(
    `SELECT account_may_send AND status = 'ACTIVE' FROM credit_assignment.originators WHERE id = $1 FOR SHARE`,
    [principal.ownerId],
  );
  if (maySend !== true) throw new ApiError('FORBIDDEN', byRule('MAY_NOT_SEND'));
}
