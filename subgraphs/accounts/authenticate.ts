import type { Pool } from 'pg';
import type { Clock } from '../../shared/clock.js';
import type { Principal } from '../../shared/context.js';
import { sameSecret, type KeyRing } from '../../shared/crypto.js';
import type { Logger } from '../../shared/log.js';
import { recentReads } from '../../shared/recent-reads.js';
import { readStanding } from './accounts/account.store.js';
import { works } from './api-keys/api-key.js';
import { readKey } from './api-keys/api-key.store.js';
import { isDevelopers, isKeyLike, keyHash, parseKey } from './api-keys/key-form.js';
import { countUsage, type Usage } from './api-keys/usage.js';
import { readDeveloperKey } from './developer-keys/developer-key.store.js';
import { createSessions, type Sessions } from './sessions/session.js';
import { createSigningKeys, type SigningKeys } from './sessions/signing-keys.js';

/**
 * How long an instance goes on believing what it read of a key or an account. With the time of a look-up this keeps the
 * promise of one second: a revoked key and an ended session are refused everywhere by then, with no message in between.
 */
export const beliefMs = 900;

// Some 200 bytes each.
const maxBeliefs = 20_000;

/** A caller who proved who they are, and until when that holds. */
export interface Authenticated extends Principal {
  readonly kind: 'API_KEY' | 'DEVELOPER_KEY' | 'SESSION';
  /** When the key or session expires; what lives longer, such as a socket, ends then. */
  readonly expiresAt: Date;
}

/** What a request brought with it. The door decides which of these it accepts where. */
export interface Credential {
  /** From `X-API-Key`: a key for operation data, or a developer's. */
  readonly apiKey?: string | undefined;
  /** From `Authorization: Bearer`: a session token, or a key. */
  readonly bearer?: string | undefined;
}

export interface Authenticator {
  /**
   * Who is calling: by the API key when one was sent (a bad one is not made up for by a bearer), else by the bearer.
   * Answers undefined when the credential is missing, unknown, mistyped, revoked or expired.
   * - API_KEY: `id` is the key's, `ownerId` the account's, `rateLimit` the requests per minute stored with the key
   * - DEVELOPER_KEY: the same, and `scopes` are what the key may do
   * - SESSION: `id` is the session's, `ownerId` the account's, and `scopes` hold `confirmed` once the account's e-mail is
   */
  authenticate(credential: Credential): Promise<Authenticated | undefined>;
  /** Counts one request of a caller; what is counted per key is written every few seconds. */
  touch(caller: Pick<Principal, 'kind' | 'id'>): void;
  /** Writes what was counted so far. */
  flush(): Promise<void>;
  /** Reads a key again before it is believed the next time. */
  readonly forgetKey: (prefix: string) => void;
  /** Reads an account again before one of its sessions is believed the next time. */
  readonly forgetSessions: (accountId: string) => void;
  /** Writes what was counted and stops. The pool stays open: it belongs to whoever made it. */
  close(): Promise<void>;
}

export interface AuthenticatorParts {
  readonly pool: Pool;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
  /** Given by who issues sessions in the same process, so that both share one list of signing keys. */
  readonly signingKeys?: SigningKeys;
}

/** Makes callers out of credentials. A mistyped key is refused by its checksum, without a look-up. */
export function createAuthenticator(parts: AuthenticatorParts): Authenticator {
  const { pool, keyRing, clock, log } = parts;
  const usage = {
    API_KEY: countUsage({ pool, clock, log }, 'api_keys'),
    DEVELOPER_KEY: countUsage({ pool, clock, log }, 'developer_keys'),
  };
  const bothUsages = async (act: (usage: Usage) => Promise<void>) => {
    await Promise.all(Object.values(usage).map(act));
  };
  const sessions: Sessions = createSessions(parts.signingKeys ?? createSigningKeys({ pool, keyRing, clock }), clock);
  const bounds = { maxAgeMs: beliefMs, maxEntries: maxBeliefs };
  const keys = recentReads((prefix) => readKey(pool, prefix), { name: 'api-keys', ...bounds });
  const developerKeys = recentReads((prefix) => readDeveloperKey(pool, prefix), { name: 'developer-keys', ...bounds });
  const standings = recentReads((accountId) => readStanding(pool, accountId), { name: 'sessions', ...bounds });

  const byKey = async (text: string): Promise<Authenticated | undefined> => {
    const sent = parseKey(text);
    if (sent === undefined) return undefined;
    const key = await (isDevelopers(sent) ? developerKeys : keys).get(sent.prefix);
    if (key === undefined || !sameSecret(key.secretHash, keyHash(sent)) || !works(key, clock.now())) return undefined;
    const { id, accountId, rateLimit, expiresAt } = key;
    const caller = { id, ownerId: accountId, rateLimit, expiresAt };
    return 'scopes' in key
      ? { ...caller, kind: 'DEVELOPER_KEY', scopes: key.scopes }
      : { ...caller, kind: 'API_KEY', scopes: [] };
  };

  const bySession = async (token: string): Promise<Authenticated | undefined> => {
    const claims = await sessions.verify(token);
    const standing = claims && (await standings.get(claims.accountId));
    if (claims === undefined || claims.generation !== standing?.generation) return undefined;
    const { id, accountId: ownerId, expiresAt } = claims;
    return { kind: 'SESSION', id, ownerId, expiresAt, scopes: standing.confirmed ? ['confirmed'] : [] };
  };

  return {
    authenticate: async ({ apiKey, bearer }) => {
      if (apiKey !== undefined) return byKey(apiKey);
      if (bearer === undefined) return undefined;
      return isKeyLike(bearer) ? byKey(bearer) : bySession(bearer);
    },
    touch: ({ kind, id }) => {
      if (kind === 'API_KEY' || kind === 'DEVELOPER_KEY') usage[kind].count(id);
    },
    flush: () => bothUsages((one) => one.flush()),
    forgetKey: (prefix) => {
      keys.forget(prefix);
      developerKeys.forget(prefix);
    },
    forgetSessions: (accountId) => {
      standings.forget(accountId);
    },
    close: () => bothUsages((one) => one.close()),
  };
}
