import type { Context } from '../../../shared/kernel/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { bindSubject, subjectOf } from '../../../shared/graphql/in-steps.js';
import { consumeToken, emailOfToken } from '../tokens/one-time-token.store.js';
import { openSession, type OpenedSession, type SessionParts } from '../sessions/open-session.js';
import { findOpened, liveSessionIds } from '../sessions/session.store.js';
import { confirm, findAccount, takeTurn } from './account.store.js';
import { uselessLink } from './useless-link.js';

/**
 * Confirms the registration that a link was mailed for, with the name, company and password given in it. Opens a session.
 * @throws {ApiError} UNPROCESSABLE for a link that is unknown, used or expired.
 */
export async function verifyEmail(context: Context, parts: SessionParts, token: string): Promise<OpenedSession> {
  await parts.sessions.prepare();
  const opened = subjectOf(context);
  if (opened !== undefined) return sessionOfEarlierRun(context, parts, opened);
  return inTransaction(context, async (tx) => {
    const email = await emailOfToken(tx, token);
    if (email === undefined) throw uselessLink();
    await takeTurn(tx, email);
    const accountId = await consumeToken(tx, token, 'CONFIRM');
    if (accountId === undefined) throw uselessLink();
    const account = await confirm(tx, accountId);
    // Its own sessions gain permissions now.
    const changed = await liveSessionIds(tx, accountId);
    afterCommit(tx, () => parts.forgetSessions(changed));
    const session = await openSession(tx, parts, 'verifyEmail', account);
    await bindSubject(tx, session.id);
    return session;
  });
}

/** Returns the session that an earlier run of the same request has opened: it has used up the link. */
async function sessionOfEarlierRun(context: Context, { sessions }: SessionParts, id: string): Promise<OpenedSession> {
  const session = await findOpened(context, id);
  const account = session && (await findAccount(context, session.accountId));
  // The account was deleted since.
  if (account == null || session === undefined) throw uselessLink();
  return { id, accessToken: await sessions.issue(session), account };
}
