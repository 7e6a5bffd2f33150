import { noteAudit } from '../../../shared/security/audit/record.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { listMailsTo } from '../../../shared/work/mail/mail.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { listHeldKeyDays, listKeys } from '../api-keys/api-key.store.js';
import { toApiKey } from '../api-keys/api-key.type.js';
import { listKeys as listDeveloperKeys } from '../developer-keys/developer-key.store.js';
import { toDeveloperKey } from '../developer-keys/developer-key.type.js';
import { listFollows } from '../follows/follow.store.js';
import { listRequests } from '../request-log/request-log.store.js';
import { toLoggedRequest } from '../request-log/request-log.type.js';
import { findTotp, listPasskeys } from '../second-factors/factor.store.js';
import { findHeldAccount, listHeldActs, listHeldLinks, listHeldNetworks, listHeldSessions } from './own-data.store.js';
import type { MyData } from './own-data.type.js';

/** Maximum number of rows of a kind; normal use of the service never reaches it. */
const maxRows = 10_000;
const newestRequests = { limit: maxRows, backward: false, position: [] };

/**
 * Returns all stored data of the calling account. Excludes secrets: only their hashes are stored.
 * @param configuredLimit requests per minute of keys without their own limit
 * @throws {ApiError} UNAUTHORIZED if the account has ended.
 */
export async function exportMyData(context: Context, configuredLimit: number): Promise<Shape<MyData>> {
  const { ownerId } = context.principal;
  const account = await findHeldAccount(context, ownerId);
  if (account === undefined) throw new ApiError('UNAUTHORIZED');
  noteAudit(context, { action: 'exportMyData', subject: { type: 'account', id: ownerId }, outcome: 'DONE' });
  return {
    exportedAt: context.clock.now(),
    account,
    sessions: await listHeldSessions(context, ownerId),
    passkeys: await listPasskeys(context, ownerId),
    totpSince: (await findTotp(context, ownerId))?.confirmedAt ?? null,
    networks: await listHeldNetworks(context, ownerId),
    apiKeys: (await listKeys(context, ownerId, maxRows)).map((row) => toApiKey(row, configuredLimit)),
    developerKeys: (await listDeveloperKeys(context, ownerId, maxRows)).map((row) =>
      toDeveloperKey(row, configuredLimit),
    ),
    keyDays: await listHeldKeyDays(context, ownerId, maxRows),
    requests: (await listRequests(context, { accountId: ownerId, since: null }, {}, newestRequests))
      .slice(0, maxRows)
      .map(toLoggedRequest),
    followedTickers: await listFollows(context, ownerId),
    links: await listHeldLinks(context, ownerId, maxRows),
    mails: await listMailsTo(context, account.email, maxRows),
    acts: await listHeldActs(context, ownerId, maxRows),
  };
}
