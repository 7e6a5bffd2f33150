import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { AuditNote } from '../../../shared/audit/act.js';
import { noteAudit } from '../../../shared/audit/record.js';
import type { AuditTrail } from '../../../shared/audit/trail.js';
import type { Clock } from '../../../shared/clock.js';
import { anonymous, type CallOrigin, type Principal } from '../../../shared/context.js';
import { sameSecret } from '../../../shared/crypto.js';
import type { Logger } from '../../../shared/log.js';
import { recentReads, type RecentReadsOptions } from '../../../shared/recent-reads.js';
import { keyHash, parseKey } from '../api-keys/key-form.js';
import { readOperatorKey, type KnownOperatorKey } from './operator.store.js';

/** An operator, and until when the key works. */
export interface AuthenticatedOperator extends Principal {
  readonly kind: 'OPERATOR';
  readonly expiresAt: Date;
}

export interface OperatorAuthenticator {
  /** Whose key a text is; undefined, and a note in the audit log, where it is nobody's or no longer works. */
  authenticate(text: string, origin: CallOrigin | undefined): Promise<AuthenticatedOperator | undefined>;
  /** Reads a key again before it is believed the next time. */
  forget(prefix: string): void;
}

export interface OperatorAuthenticatorParts {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit?: AuditTrail | undefined;
}

/** A key that was not used from a source for so long counts as a new login. */
const loginMs = 12 * 3_600_000;
const maxLogins = 10_000;

/** Makes operators out of keys. The first use of a key from a source, and every refused use, is noted in the audit log. */
export function createOperatorAuthenticator(
  { pool, clock, log, audit }: OperatorAuthenticatorParts,
  bounds: Omit<RecentReadsOptions, 'name'>,
): OperatorAuthenticator {
  const keys = recentReads((prefix) => readOperatorKey(pool, prefix), { name: 'operator-keys', ...bounds });
  const logins = new LRUCache<string, true>({ max: maxLogins, ttl: loginMs });

  const note = (principal: Principal, origin: CallOrigin | undefined, entry: Omit<AuditNote, 'action'>) => {
    if (origin === undefined) return;
    const context = { ...origin, principal, clock, log, ...(audit === undefined ? {} : { audit }) };
    noteAudit(context, { action: 'operatorLogin', ...entry });
  };

  return {
    authenticate: async (text, origin) => {
      const sent = parseKey(text);
      const known = sent && (await keys.get(sent.prefix));
      if (sent === undefined || known === undefined || !sameSecret(known.secretHash, keyHash(sent))) {
        const subject = known === undefined ? undefined : { type: 'operatorKey', id: known.id };
        const ip = origin?.ip ?? '';
        note(anonymous(ip), origin, { outcome: 'REFUSED', subject, reason: 'The key is no operator’s' });
        return undefined;
      }
      const principal = principalOf(known);
      const reason = whyRefused(known, clock.now());
      if (reason !== undefined) {
        note(principal, origin, { outcome: 'REFUSED', reason });
        return undefined;
      }
      const login = `${known.id} ${origin?.ip ?? ''}`;
      if (origin !== undefined && !logins.has(login)) {
        logins.set(login, true);
        note(principal, origin, { outcome: 'DONE', after: { roles: known.roles } });
      }
      return principal;
    },
    forget: (prefix) => {
      keys.forget(prefix);
    },
  };
}

function principalOf({ id, operatorId, email, roles, expiresAt }: KnownOperatorKey): AuthenticatedOperator {
  return { kind: 'OPERATOR', id, ownerId: operatorId, name: email, scopes: roles, expiresAt };
}

function whyRefused({ revokedAt, expiresAt }: KnownOperatorKey, now: Date): string | undefined {
  if (revokedAt !== null) return `The key was revoked at ${revokedAt.toISOString()}`;
  return expiresAt > now ? undefined : `The key expired at ${expiresAt.toISOString()}`;
}
