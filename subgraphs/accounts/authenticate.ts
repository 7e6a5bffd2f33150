import type { Pool } from 'pg';
import type { AuditTrail } from '../../shared/security/audit/trail.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { CallOrigin, Principal } from '../../shared/kernel/context.js';
import { sameSecret, type KeyRing } from '../../shared/security/crypto.js';
import type { Logger } from '../../shared/kernel/log.js';
import { shared } from '../../shared/memo.js';
import { works } from './api-keys/api-key.js';
import { readKey } from './api-keys/api-key.store.js';
import { isDevelopers, isKeyLike, isOperatorKeyLike, keyHash, parseKey } from './api-keys/key-form.js';
import { openUsageCounts } from './api-keys/usage.js';
import { apiKeys, developerKeys } from './api-keys/key-kind.js';
import { type KnownBrowserSession, readByCookie } from './browser-sessions/browser-session.store.js';
import { createOperatorAuthenticator } from './operators/authenticate-operator.js';
import { createSessions, type Sessions } from './sessions/session.js';
import { readSession } from './sessions/session.store.js';
import { createSigningKeys, type SigningKeys } from './sessions/signing-keys.js';
import { LRUCache } from 'lru-cache';
import { cookieHash } from './browser-sessions/browser-session.js';

/** Together with the time of a look-up this guarantees one second: by then every instance rejects a revoked key and an ended session, without messages. */
export const beliefMs = 900;

// Some 200 bytes each.
const maxBeliefs = 20_000;

/** An authenticated caller, with the time until which the authentication is valid. */
export interface Authenticated extends Principal {
  readonly kind: 'API_KEY' | 'DEVELOPER_KEY' | 'SESSION' | 'OPERATOR';
  /** When the key or session expires; anything that outlives the request, such as a socket, ends then. */
  readonly expiresAt: Date;
}

/** The credentials of a request. The interface decides which of them it accepts. */
export interface Credential {
  /** From `X-API-Key`: a key for operation data, a developer key, or an operator key. */
  readonly apiKey?: string | undefined;
  /** From `Authorization: Bearer`: a session token, or a key. */
  readonly bearer?: string | undefined;
}

export interface Authenticator {
  /**
   * Returns the caller: by the API key if one was sent (a bearer does not make up for an invalid key), else by the bearer.
   * Undefined if the credential is missing, unknown, mistyped, revoked or expired.
   * - API_KEY: `id` is the key's, `ownerId` the account's, `rateLimit` the requests per minute that an operator gave the key
   * - DEVELOPER_KEY: the same, and `scopes` are the permissions of the key
   * - SESSION: `id` is the session's, `ownerId` the account's, and `scopes` contain `confirmed` once the account's e-mail is
   * - OPERATOR: `id` is the key's, `ownerId` the operator's, `scopes` are the roles, and `name` is the e-mail
   * @param origin where the call comes from: without it, an operator's login is not recorded in the audit log
   */
  authenticate(credential: Credential, origin?: CallOrigin): Promise<Authenticated | undefined>;
  /** Counts one request of a caller; counts per key, and when sessions were seen, are written every few seconds. */
  touch(caller: Pick<Principal, 'kind' | 'id' | 'browser'>): void;
  /** Counts one request of a key that its limit refused, in the same way. */
  noteRefusal(caller: Pick<Principal, 'kind' | 'id'>): void;
  /** Writes the counts so far. */
  flush(): Promise<void>;
  readonly forgetKey: (prefix: string) => void;
  /** Returns the session of a cookie, unless it has ended or expired. Who the caller is depends on the kind of its owner. */
  readonly findBrowserSession: (cookie: string) => Promise<KnownBrowserSession | undefined>;
  readonly forgetSessions: (ids: readonly string[]) => void;
  /** Writes the counts and stops. The pool stays open: its creator closes it. */
  close(): Promise<void>;
}

export interface AuthenticatorParts {
  readonly pool: Pool;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit?: AuditTrail;
  /** Passed by code that issues sessions in the same process, so that both share one list of signing keys. */
  readonly signingKeys?: SigningKeys;
}

/** Creates the authenticator. A mistyped key is rejected by its checksum, without a look-up. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { pool, keyRing, clock, log } = parts;
  const usage = openUsageCounts(pool, { clock, log });
  const sessions: Sessions = createSessions(parts.signingKeys ?? createSigningKeys({ pool, keyRing, clock }), clock);
  const bounds = { keptMs: beliefMs, maxEntries: maxBeliefs };
  const keys = shared<Awaited<ReturnType<typeof readKey>>>({ name: 'api-keys', ...bounds });
  const known = shared<Awaited<ReturnType<typeof readSession>>>({ name: 'sessions', ...bounds });

  const operators = createOperatorAuthenticator(parts, bounds);
  const browsers = createBrowserLookup({ pool, clock }, bounds);

  const byKey = async (text: string, origin: CallOrigin | undefined): Promise<Authenticated | undefined> => {
    if (isOperatorKeyLike(text)) return operators.authenticate(text, origin);
    const sent = parseKey(text);
    if (sent === undefined) return undefined;
    const { prefix } = sent;
    const { table } = isDevelopers(sent) ? developerKeys : apiKeys;
    const key = await keys(prefix, () => readKey(pool, table, prefix));
    if (key === undefined || !sameSecret(key.secretHash, keyHash(sent)) || !works(key, clock.now())) return undefined;
    const { id, accountId, rateLimit, scopes, expiresAt } = key;
    const kind = isDevelopers(sent) ? 'DEVELOPER_KEY' : 'API_KEY';
    return { kind, id, ownerId: accountId, expiresAt, scopes, ...(rateLimit === null ? {} : { rateLimit }) };
  };

  const bySession = async (token: string): Promise<Authenticated | undefined> => {
    const claims = await sessions.verify(token);
    const session = claims && (await known(claims.id, () => readSession(pool, claims.id)));
    if (claims === undefined || claims.accountId !== session?.accountId) return undefined;
    const { id, accountId: ownerId, expiresAt } = claims;
    return { kind: 'SESSION', id, ownerId, expiresAt, scopes: session.confirmed ? ['confirmed'] : [] };
  };

  return {
    authenticate: async ({ apiKey, bearer }, origin) => {
      if (apiKey !== undefined) return byKey(apiKey, origin);
      if (bearer === undefined) return undefined;
      return isKeyLike(bearer) ? byKey(bearer, origin) : bySession(bearer);
    },
    findBrowserSession: browsers.find,
    touch: (caller) => usage.touch(caller),
    noteRefusal: (caller) => usage.noteRefusal(caller),
    flush: () => usage.flush(),
    forgetKey: (prefix) => {
      keys.forget(prefix);
      operators.forget(prefix);
    },
    forgetSessions: (ids) => {
      for (const id of ids) {
        known.forget(id);
        browsers.forget(id);
      }
    },
    close: () => usage.close(),
  };
}

/** Creates the look-up of the session of a cookie, unless it has ended, has expired, or had no request for too long. Rows are cached by the hash of their cookie: the cookie itself stays in no memory. */
function createBrowserLookup(
  { pool, clock }: { readonly pool: Pool; readonly clock: Clock },
  bounds: { readonly keptMs: number; readonly maxEntries: number },
) {
  const known = shared<KnownBrowserSession | undefined>({ name: 'browser-sessions', ...bounds });
  const hashes = new LRUCache<string, string>({ max: bounds.maxEntries });
  return {
    find: async (cookie: string) => {
      const bytes = cookieHash(cookie);
      if (bytes === undefined) return undefined;
      const hash = bytes.toString('base64');
      const session = await known(hash, () => readByCookie(pool, bytes));
      if (session === undefined || isOver(session, clock.now())) return undefined;
      hashes.set(session.id, hash);
      return session;
    },
    forget: (id: string) => {
      const hash = hashes.get(id);
      if (hash !== undefined) known.forget(hash);
    },
  };
}

function isOver({ expiresAt, keyExpiresAt, lastSeenAt, idleSeconds }: KnownBrowserSession, now: Date): boolean {
  if (expiresAt <= now || lastSeenAt.getTime() + idleSeconds * 1000 <= now.getTime()) return true;
  return keyExpiresAt !== null && keyExpiresAt <= now;
}
