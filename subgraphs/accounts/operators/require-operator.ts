import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { byRule } from '../../../shared/rule-error.js';
import { isUuid } from '../../../shared/ids.js';
import { findOperator, lockOperator, type OperatorRow } from './operator.store.js';

/**
 * Returns the operator with an id or an e-mail, locked until the end of the transaction.
 * @throws {ApiError} NOT_FOUND
 */
export async function requireOperator(tx: Context, idOrEmail: string): Promise<OperatorRow> {
  const id = isUuid(idOrEmail) ? idOrEmail : await findOperator(tx, idOrEmail.trim());
  const operator = id === undefined ? undefined : await lockOperator(tx, id);
  if (operator === undefined) throw new ApiError('NOT_FOUND', { message: `There is no operator ${idOrEmail}` });
  return operator;
}

/**
 * Does the same for an operator who is not revoked.
 * @throws {ApiError} NOT_FOUND, CONFLICT
 */
export async function requireActiveOperator(tx: Context, idOrEmail: string): Promise<OperatorRow> {
  const operator = await requireOperator(tx, idOrEmail);
  if (operator.revokedAt !== null)
    throw new ApiError('CONFLICT', byRule('OPERATOR_REVOKED', { email: operator.email }));
  return operator;
}
