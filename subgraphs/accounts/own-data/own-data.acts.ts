import { noteAudit, recordAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, refuse, byRule } from '../../../shared/kernel/errors.js';
import { listMailsTo, eraseMailsTo } from '../../../shared/work/mail/mail.js';
import { listHeldKeyDays, listKeys, removeKeyDays, removeKeys } from '../api-keys/api-key.store.js';
import { toKey } from '../api-keys/api-key.type.js';
import { listFollows } from '../follows/follow.store.js';
import { listRequests, removeRequestsOf } from '../request-log/request-log.store.js';
import { toLoggedRequest } from '../request-log/request-log.type.js';
import { findTotp, listPasskeys } from '../second-factors/factor.store.js';
import { findHeldAccount, listHeldActs, listHeldLinks, listHeldNetworks, listHeldSessions } from './own-data.store.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { eraseResponsesOf } from '../../../shared/graphql/idempotent-response.store.js';
import { givenPasswordErrors } from '../accounts/account.js';
import { findAccount } from '../accounts/account.store.js';
import { discardAccounts } from '../retention.js';
import { accountDeletedMail } from '../accounts/notices.mails.js';
import { isOwnPassword, provePassword } from '../accounts/prove-password.js';
import type { ResetParts } from '../accounts/accounts.acts.js';
import type { VerifyPortalUser } from '../accounts/portal.js';
import { lockCaller } from '../sessions/lock-caller.js';

/** Maximum number of rows of a kind; normal use of the service never reaches it. */
const maxRows = 10_000;
const newestRequests = { limit: maxRows, backward: false, position: [] };

/** Returns JSON. Leaves out secrets: only their hashes are stored. @param configuredLimit requests per minute of keys without their own limit @throws {ApiError} UNAUTHORIZED if the account has ended */
export async function exportMyData(context: Context, configuredLimit: number): Promise<string> {
  const { ownerId } = context.principal;
  const account = await findHeldAccount(context, ownerId);
  if (account === undefined) throw new ApiError('UNAUTHORIZED');
  noteAudit(context, { action: 'exportMyData', subject: { type: 'account', id: ownerId }, outcome: 'DONE' });
  return JSON.stringify({
    exportedAt: context.clock.now(),
    account,
    sessions: await listHeldSessions(context, ownerId),
    passkeys: await listPasskeys(context, ownerId),
    totpSince: (await findTotp(context, ownerId))?.confirmedAt ?? null,
    networks: await listHeldNetworks(context, ownerId),
    apiKeys: (await listKeys(context, 'api_keys', ownerId, maxRows)).map((row) => toKey(row, configuredLimit)),
    developerKeys: (await listKeys(context, 'developer_keys', ownerId, maxRows)).map((row) =>
      toKey(row, configuredLimit),
    ),
    keyDays: await listHeldKeyDays(context, ownerId, maxRows),
    requests: (await listRequests(context, { accountId: ownerId, since: null }, {}, newestRequests))
      .slice(0, maxRows)
      .map(({ id: _id, accountId: _accountId, exactAt: _exactAt, ...row }) => toLoggedRequest(row)),
    followedTickers: await listFollows(context, ownerId),
    links: await listHeldLinks(context, ownerId, maxRows),
    mails: await listMailsTo(context, account.email, maxRows),
    acts: await listHeldActs(context, ownerId, maxRows),
  });
}

export interface DeleteParts extends ResetParts {
  readonly verifyPortalUser: VerifyPortalUser | undefined;
}

/** Kinds of credentials whose stored responses are deleted with an account. */
const kinds = ['SESSION', 'API_KEY', 'DEVELOPER_KEY'] as const;

/**
 * Deletes the calling account, at once and permanently, with all its data here, and announces `account.deleted` for the other
 * domains. Data that they keep refers to the account only by its id. Its e-mail may register again.
 * @throws {ApiError} BAD_REQUEST for an invalid password; UNPROCESSABLE for a wrong one; TOO_MANY_REQUESTS after ten failures;
 *   UNAVAILABLE when the portal, which keeps the password, does not respond; CONFLICT when the password was changed meanwhile.
 */
export async function deleteMyAccount(context: Context, parts: DeleteParts, password: string): Promise<void> {
  refuse('BAD_REQUEST', givenPasswordErrors(password));
  const account = await findAccount(context, context.principal.ownerId);
  if (account === null) throw new ApiError('UNAUTHORIZED');
  await provePassword(context, parts.guard, account, 'password', () =>
    isOwnPassword(account, parts.verifyPortalUser, password),
  );
  await inTransaction(context, async (tx) => {
    const { id, email, passwordHash } = await lockCaller(tx);
    if (passwordHash !== account.passwordHash) throw new ApiError('CONFLICT', byRule('PASSWORD_CHANGED'));
    const keys = await removeKeys(tx, id);
    await removeKeyDays(tx, id);
    await removeRequestsOf(tx, id);
    const sessions = await discardAccounts(tx, [id]);
    await parts.guard.forgive(tx, email);
    await eraseResponsesOf(tx, id, kinds);
    await eraseMailsTo(tx, email);
    await parts.desk.queueMail(tx, accountDeletedMail(account, tx.clock.now()));
    await announce(tx, { topic: 'account.deleted', key: id, payload: { accountId: id }, internal: true });
    await recordAudit(tx, { action: 'deleteMyAccount', subject: { type: 'account', id } });
    afterCommit(tx, () => {
      parts.forgetSessions(sessions);
      keys.forEach(parts.forgetKey);
    });
  });
}
