import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Clock } from '../../../shared/kernel/clock.js';
import { shared } from '../../../shared/memo.js';
import { readByCookie, type KnownBrowserSession } from './browser-session.store.js';
import { cookieHash } from './browser-session.js';

/** Finds the sessions of browsers, for the edge. */
export interface BrowserLookup {
  /** Returns the session of a cookie, unless it has ended, has expired, or had no request for too long. */
  readonly find: (cookie: string) => Promise<KnownBrowserSession | undefined>;
  /** Drops a session from the cache, so that it is read again. */
  readonly forget: (id: string) => void;
}

/** Creates the look-up. Rows are cached by the hash of their cookie: the cookie itself stays in no memory. */
export function createBrowserLookup(
  { pool, clock }: { readonly pool: Pool; readonly clock: Clock },
  bounds: { readonly keptMs: number; readonly maxEntries: number },
): BrowserLookup {
  const known = shared<KnownBrowserSession | undefined>({ name: 'browser-sessions', ...bounds });
  const hashes = new LRUCache<string, string>({ max: bounds.maxEntries });
  return {
    find: async (cookie) => {
      const bytes = cookieHash(cookie);
      if (bytes === undefined) return undefined;
      const hash = bytes.toString('base64');
      const session = await known(hash, () => readByCookie(pool, bytes));
      if (session === undefined || isOver(session, clock.now())) return undefined;
      hashes.set(session.id, hash);
      return session;
    },
    forget: (id) => {
      const hash = hashes.get(id);
      if (hash !== undefined) known.forget(hash);
    },
  };
}

function isOver({ expiresAt, keyExpiresAt, lastSeenAt, idleSeconds }: KnownBrowserSession, now: Date): boolean {
  if (expiresAt <= now || lastSeenAt.getTime() + idleSeconds * 1000 <= now.getTime()) return true;
  return keyExpiresAt !== null && keyExpiresAt <= now;
}
