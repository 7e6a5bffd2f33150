import { recordAudit } from '../../../shared/audit/record.js';
import type { RenewedSession, SessionOwner } from '../../../shared/browser-session.js';
import type { Context, Principal } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { sha256 } from '../../../shared/crypto.js';
import { newId } from '../../../shared/ids.js';
import type { AccountRow } from '../accounts/account.entity.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { lockLoggedIn, noteOrigin } from '../sessions/open-session.js';
import { originOf } from '../sessions/session-origin.js';
import { endOldest } from '../sessions/session.store.js';
import { lockFactors } from '../second-factors/factor.store.js';
import { addBrowserSession, endByCookie } from './browser-session.store.js';
import { absoluteMs, cookieHash, idleSeconds, newCookie } from './browser-session.js';

export interface OpenParts {
  readonly desk: MailDesk;
  /** Called after the commit of a change, so that this process does not wait to read it. */
  readonly forgetSessions: (ids: readonly string[]) => void;
}

/** Somebody who has just logged in. */
export interface LoggedIn {
  readonly owner: SessionOwner;
  /** The account, as read when it was authenticated; undefined for an operator or a trading credential. */
  readonly account?: AccountRow;
  readonly operatorKeyId?: string;
  /** Who the audit log names. */
  readonly actor: Pick<Principal, 'kind' | 'ownerId' | 'name'>;
  /** How the log-in was proved. */
  readonly factor: 'PASSWORD' | 'KEY' | 'PASSKEY';
  /** Accepts the proof in the transaction of the log-in. @throws {ApiError} when it was used meanwhile */
  readonly accept?: (tx: Context) => Promise<void>;
  /** The cookie that the browser had before; its session ends. */
  readonly previous?: string | undefined;
}

/**
 * Opens the session of a browser. Ends the oldest of its owner's sessions if there are more than fifty.
 * @throws {ApiError} UNAUTHORIZED when the password was changed, or the account deleted, meanwhile; FORBIDDEN when it is disabled.
 */
export async function openBrowserSession(
  context: Context,
  { desk, forgetSessions }: OpenParts,
  { owner, account, operatorKeyId, actor, factor, accept, previous }: LoggedIn,
): Promise<RenewedSession> {
  const cookie = newCookie();
  const endsAt = await inTransaction(context, async (tx) => {
    const current = account === undefined ? undefined : await lockLoggedIn(tx, 'browserLogin', account);
    if (current === undefined) await lockFactors(tx, owner.id);
    await accept?.(tx);
    const now = tx.clock.now();
    const row = {
      id: newId(now.getTime()),
      owner,
      operatorKeyId: operatorKeyId ?? null,
      ...originOf(tx),
      cookieHash: sha256(cookie),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + absoluteMs),
      idleSeconds: idleSeconds[owner.kind],
      provedAt: now,
      secondFactorAt: factor === 'PASSKEY' ? now : null,
    };
    await addBrowserSession(tx, row);
    const replaced = await endPrevious(tx, previous);
    const displaced = await endOldest(tx, owner.id);
    if (current !== undefined) await noteOrigin(tx, desk, current, row);
    await recordAudit(tx, {
      action: 'browserLogin',
      subject: { type: 'session', id: row.id },
      actor: { ...actor, id: operatorKeyId ?? row.id },
      after: { owner, factor },
    });
    afterCommit(tx, () => forgetSessions([...replaced, ...displaced]));
    return row.expiresAt;
  });
  return { cookie, endsAt };
}

async function endPrevious(tx: Context, cookie: string | undefined): Promise<string[]> {
  const hash = cookie === undefined ? undefined : cookieHash(cookie);
  const id = hash && (await endByCookie(tx, hash));
  return id === undefined ? [] : [id];
}
