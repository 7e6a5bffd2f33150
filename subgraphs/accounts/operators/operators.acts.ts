import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction, afterCommit } from '../../../shared/database/transaction.js';
import { ApiError, refuse, byRule, errorAt } from '../../../shared/kernel/errors.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { auditedKey, issueOperatorKey, type CreatedOperatorKey } from './mint-operator-key.js';
import { daysErrors, maxOperatorKeys } from './operator.js';
import {
  countWorkingKeys,
  keysOfOperators,
  setRoles,
  type OperatorRow,
  lockLinkedKey,
  lockOperator,
  setFetched,
  lockKey,
  setKeyRevoked,
  setOperatorRevoked,
  findOperator,
  lockKeyLimit,
  setKeyLimit,
  type LimitedKeyRow,
  insertOperator,
} from './operator.store.js';
import { chosenNames } from '../../../shared/kernel/chosen-names.js';
import { roles } from '../../../shared/graphql/roles.js';
import { keyHash, mintKey } from '../api-keys/key-form.js';
import { tokenHash, uselessLink } from '../tokens/one-time-token.js';
import { apiKeys, developerKeys } from '../api-keys/key-kind.js';
import { isUuid, newId } from '../../../shared/kernel/ids.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { emailErrors, textErrors, trimEmail } from '../accounts/account.js';
import { removeFactorsOf } from '../second-factors/factor.store.js';

/** Adds a second key, so that an operator's key can be replaced without interruption. A key for another operator is mailed as a link. @throws {ApiError} BAD_REQUEST; NOT_FOUND; CONFLICT for a revoked operator, or five working keys */
export async function addOperatorKey(
  context: Context,
  desk: MailDesk,
  idOrEmail: string,
  days: number,
): Promise<AddedOperator> {
  refuse('BAD_REQUEST', daysErrors(days));
  return inTransaction(context, async (tx) => {
    const operator = await requireActiveOperator(tx, idOrEmail);
    const { id, email } = operator;
    if ((await countWorkingKeys(tx, id)) >= maxOperatorKeys)
      throw new ApiError('CONFLICT', byRule('OPERATOR_KEYS_FULL', { email, max: maxOperatorKeys }));
    const key = await issueOperatorKey(tx, desk, operator, days);
    await recordAudit(tx, {
      action: 'addOperatorKey',
      subject: { type: 'operator', id },
      after: { email, ...auditedKey(key) },
    });
    return { operator, key };
  });
}

/** @throws {ApiError} BAD_REQUEST for invalid roles; FORBIDDEN for the caller's own; NOT_FOUND; CONFLICT for a revoked operator */
export async function changeOperatorRoles(
  context: Context,
  forgetKey: (prefix: string) => void,
  idOrEmail: string,
  given: readonly string[],
): Promise<OperatorRow> {
  const { chosen, errors } = chosenNames('roles', roles, given);
  refuse('BAD_REQUEST', errors);
  return inTransaction(context, async (tx) => {
    const operator = await requireActiveOperator(tx, idOrEmail);
    const { id, email } = operator;
    if (tx.principal.ownerId === id) throw new ApiError('FORBIDDEN', byRule('OWN_ROLES'));
    await setRoles(tx, id, chosen);
    const [keys = []] = await keysOfOperators(tx, [id]);
    afterCommit(tx, () => {
      for (const { prefix } of keys) forgetKey(prefix);
    });
    await recordAudit(tx, {
      action: 'changeOperatorRoles',
      subject: { type: 'operator', id },
      before: { email, roles: operator.roles },
      after: { email, roles: chosen },
    });
    return { ...operator, roles: chosen };
  });
}

/** Returns the whole key to the reader of the mail; of two requests at once one gets it. @throws {ApiError} UNPROCESSABLE for a useless link, and where the key or its operator was revoked */
export async function fetchOperatorKey(
  context: Context,
  forgetKey: (prefix: string) => void,
  token: string,
): Promise<string> {
  return inTransaction(context, async (tx) => {
    const key = await lockLinkedKey(tx, tokenHash(token));
    const operator = key && (await lockOperator(tx, key.operatorId));
    if (key === undefined || operator?.revokedAt !== null) throw uselessLink();
    const minted = mintKey('svc_op_', undefined, key.prefix);
    await setFetched(tx, key.id, keyHash(minted));
    const { id, email: name } = operator;
    await recordAudit(tx, {
      action: 'fetchOperatorKey',
      subject: { type: 'operator', id },
      actor: { kind: 'OPERATOR', ownerId: id, id: key.id, name },
      after: auditedKey(key),
    });
    afterCommit(tx, () => forgetKey(key.prefix));
    return minted.text;
  });
}

const maxRateLimit = 10_000_000;

/** Sets the limit of a key in requests per minute; null restores the configured limit. Takes effect everywhere within a second; a repetition changes nothing. @throws {ApiError} BAD_REQUEST, NOT_FOUND if no key has the prefix */
export async function limitKey(
  context: Context,
  forgetKey: (prefix: string) => void,
  { prefix, rateLimit }: { readonly prefix: string; readonly rateLimit: number | null },
): Promise<LimitedKeyRow> {
  if (rateLimit !== null && (rateLimit < 1 || rateLimit > maxRateLimit)) {
    refuse('BAD_REQUEST', [errorAt('rateLimit', 'WHOLE_NUMBER_RANGE', { min: 1, max: maxRateLimit })]);
  }
  const kind = [apiKeys, developerKeys].find(({ mark }) => new RegExp(`^${mark}\\w+$`).test(prefix));
  return inTransaction(context, async (tx) => {
    const before = kind && (await lockKeyLimit(tx, kind.table, prefix));
    if (kind === undefined || before === undefined) throw new ApiError('NOT_FOUND', byRule('KEY_PREFIX_UNKNOWN'));
    await setKeyLimit(tx, kind.table, before.id, rateLimit);
    await recordAudit(tx, {
      action: 'limitKey',
      subject: { type: kind.subject, id: before.id },
      before: { prefix, rateLimit: before.rateLimit },
      after: { prefix, rateLimit },
    });
    afterCommit(tx, () => forgetKey(prefix));
    return { ...before, rateLimit };
  });
}

/** Revokes permanently; a repetition changes nothing and is no error. @throws {ApiError} NOT_FOUND */
export async function revokeOperatorKey(
  context: Context,
  forgetKey: (prefix: string) => void,
  keyId: string,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    const key = isUuid(keyId) ? await lockKey(tx, keyId) : undefined;
    if (key === undefined) throw new ApiError('NOT_FOUND', { message: 'No operator has such a key' });
    const revokedAt = key.revokedAt ?? tx.clock.now();
    if (key.revokedAt === null) await setKeyRevoked(tx, keyId, revokedAt);
    afterCommit(tx, () => forgetKey(key.prefix));
    await recordAudit(tx, {
      action: 'revokeOperatorKey',
      subject: { type: 'operator', id: key.operatorId },
      before: auditedKey(key),
      after: auditedKey({ ...key, revokedAt }),
    });
  });
}

/** Revokes all keys, too, permanently; a repetition changes nothing and is no error. @throws {ApiError} NOT_FOUND */
export async function revokeOperator(
  context: Context,
  forgetKey: (prefix: string) => void,
  idOrEmail: string,
): Promise<OperatorRow> {
  return inTransaction(context, async (tx) => {
    const operator = await requireOperator(tx, idOrEmail);
    const { id, email, roles } = operator;
    const revokedAt = operator.revokedAt ?? tx.clock.now();
    if (operator.revokedAt === null) {
      const prefixes = await setOperatorRevoked(tx, id, revokedAt);
      afterCommit(tx, () => prefixes.forEach(forgetKey));
    }
    await recordAudit(tx, {
      action: 'revokeOperator',
      subject: { type: 'operator', id },
      before: { email, roles, revokedAt: operator.revokedAt },
      after: { email, roles, revokedAt },
    });
    return { ...operator, revokedAt };
  });
}

/** Locks the operator until the end of the transaction. @throws {ApiError} NOT_FOUND */
async function requireOperator(tx: Context, idOrEmail: string): Promise<OperatorRow> {
  const id = isUuid(idOrEmail) ? idOrEmail : await findOperator(tx, idOrEmail.trim());
  const operator = id === undefined ? undefined : await lockOperator(tx, id);
  if (operator === undefined) throw new ApiError('NOT_FOUND', { message: `There is no operator ${idOrEmail}` });
  return operator;
}

/** Locks the operator like `requireOperator`, and rejects a revoked one. @throws {ApiError} NOT_FOUND, CONFLICT */
async function requireActiveOperator(tx: Context, idOrEmail: string): Promise<OperatorRow> {
  const operator = await requireOperator(tx, idOrEmail);
  if (operator.revokedAt !== null)
    throw new ApiError('CONFLICT', byRule('OPERATOR_REVOKED', { email: operator.email }));
  return operator;
}

interface OperatorInput {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly days: number;
  readonly mailLanguage: MailLanguage;
}

export interface AddedOperator {
  readonly operator: OperatorRow;
  readonly key: CreatedOperatorKey;
}

/**
 * Adds an operator with a first key, which is mailed as a link. One who was revoked is the same operator again: a person never counts twice. Keys stay revoked,
 * and second factors are enrolled anew.
 * @throws {ApiError} BAD_REQUEST for an invalid e-mail, name, roles or days; CONFLICT if an operator has the e-mail
 */
export async function addOperator(context: Context, desk: MailDesk, input: OperatorInput): Promise<AddedOperator> {
  const { chosen, errors } = chosenNames('roles', roles, input.roles);
  refuse('BAD_REQUEST', [
    ...emailErrors(input.email),
    ...textErrors('name', input.name),
    ...errors,
    ...daysErrors(input.days),
  ]);
  return inTransaction(context, async (tx) => {
    const createdAt = tx.clock.now();
    const id = newId(createdAt.getTime());
    const given = { email: trimEmail(input.email), name: identifyingText(input.name), roles: chosen };
    const operator = await insertOperator(tx, {
      id,
      ...given,
      mailLanguage: input.mailLanguage,
      createdAt,
      revokedAt: null,
    });
    if (operator === undefined) throw new ApiError('CONFLICT', byRule('OPERATOR_EXISTS', { email: given.email }));
    // Whoever has what was enrolled before the revocation may not be this person.
    if (operator.id !== id) await removeFactorsOf(tx, [operator.id]);
    const key = await issueOperatorKey(tx, desk, operator, input.days);
    const { email, name } = operator;
    await recordAudit(tx, {
      action: 'addOperator',
      subject: { type: 'operator', id: operator.id },
      after: { email, name, roles: chosen, ...auditedKey(key) },
    });
    return { operator, key };
  });
}
