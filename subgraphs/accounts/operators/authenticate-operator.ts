import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { noteAudit, type AuditNote } from '../../../shared/security/audit/record.js';
import type { AuditTrail } from '../../../shared/security/audit/trail.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import { anonymous, type CallOrigin, type Principal } from '../../../shared/kernel/context.js';
import { sameSecret } from '../../../shared/security/crypto.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { shared } from '../../../shared/memo.js';
import { keyHash, parseKey } from '../api-keys/key-form.js';
import { readOperatorKey, type KnownOperatorKey } from './operator.store.js';

export interface AuthenticatedOperator extends Principal {
  readonly kind: 'OPERATOR';
  readonly expiresAt: Date;
}

export interface OperatorAuthenticator {
  /** Returns the operator with a key; undefined, with an audit log entry, if the key is unknown or no longer works. */
  authenticate(text: string, origin: CallOrigin | undefined): Promise<AuthenticatedOperator | undefined>;
  forget(prefix: string): void;
}

export interface OperatorAuthenticatorParts {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit?: AuditTrail | undefined;
}

/** The next use of a key from a source after this time counts as a new login. */
const loginMs = 12 * 3_600_000;
const maxLogins = 10_000;

/** Authenticates operators by key. Records the first use of a key from a source, and every rejected use, in the audit log. */
export function createOperatorAuthenticator(
  { pool, clock, log, audit }: OperatorAuthenticatorParts,
  bounds: { readonly keptMs: number; readonly maxEntries: number },
): OperatorAuthenticator {
  const keys = shared<Awaited<ReturnType<typeof readOperatorKey>>>({ name: 'operator-keys', ...bounds });
  const logins = new LRUCache<string, true>({ max: maxLogins, ttl: loginMs });

  const note = (principal: Principal, origin: CallOrigin | undefined, entry: Omit<AuditNote, 'action'>) => {
    if (origin === undefined) return;
    const context = { ...origin, principal, clock, log, ...(audit === undefined ? {} : { audit }) };
    noteAudit(context, { action: 'operatorLogin', ...entry });
  };

  return {
    authenticate: async (text, origin) => {
      const sent = parseKey(text);
      const known = sent && (await keys(sent.prefix, () => readOperatorKey(pool, sent.prefix)));
      if (sent === undefined || known === undefined || !sameSecret(known.secretHash, keyHash(sent))) {
        const subject = known === undefined ? undefined : { type: 'operatorKey', id: known.id };
        const ip = origin?.ip ?? '';
        note(anonymous(ip), origin, { outcome: 'REFUSED', subject, reason: 'The key does not belong to an operator' });
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
    forget: (prefix) => keys.forget(prefix),
  };
}

function principalOf({ id, operatorId, email, roles, expiresAt, ...row }: KnownOperatorKey): AuthenticatedOperator {
  const caller = { kind: 'OPERATOR', id, ownerId: operatorId, name: email, scopes: roles, expiresAt } as const;
  const { issuedBy: keyIssuedBy, accountId } = row;
  return { ...caller, ...(keyIssuedBy !== null && { keyIssuedBy }), ...(accountId !== null && { accountId }) };
}

function whyRefused({ revokedAt, expiresAt }: KnownOperatorKey, now: Date): string | undefined {
  if (revokedAt !== null) return `The key was revoked at ${revokedAt.toISOString()}`;
  return expiresAt > now ? undefined : `The key expired at ${expiresAt.toISOString()}`;
}
