import { createPublicKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { openOwnPool } from '../../../shared/database/own-pool.js';
import type { Logger } from '../../../shared/log.js';
import { recentReads } from '../../../shared/recent-reads.js';
import { readSigningKeys, type SigningKeyRow } from './originator-key.store.js';

/**
 * How long an instance goes on believing what it read of a client. With the time of a look-up this keeps the promise of one
 * second: a revoked key is refused everywhere by then, with no message in between.
 */
const beliefMs = 900;
const maxBeliefs = 10_000;
/** Some 2 kB each. A key is made once and not at every reading, since its first verification costs several times another. */
const maxKeys = 10_000;

/** A client that may sign, with the keys that are good at the moment: at least one. */
export interface SigningClient {
  readonly id: string;
  readonly rateLimit?: number;
  readonly keys: readonly { readonly id: string; readonly key: KeyObject }[];
}

/** Knows clients by their ids, for the edge. */
export interface Clients {
  /** The client with an id, which is a UUID in lower case; undefined when it is unknown, suspended, or has no key. */
  readonly find: (id: string) => Promise<SigningClient | undefined>;
  /** Reads a client again before it is believed the next time. */
  readonly forget: (id: string) => void;
  /** Lets go of its connections. */
  close(): Promise<void>;
}

/**
 * Its connections are its own: a client is looked up before there is a request, which may need all of the others.
 * Nothing connects before the first look-up.
 */
export function openClients({ databaseUrl, log }: { readonly databaseUrl: string; readonly log: Logger }): Clients {
  const pool = openOwnPool(databaseUrl, log, { name: 'clients', max: 2 });
  const known = new LRUCache<string, KeyObject>({ max: maxKeys });
  const keyOf = ({ id, spki }: SigningKeyRow): KeyObject => {
    const key = known.get(id) ?? createPublicKey({ key: spki, format: 'der', type: 'spki' });
    known.set(id, key);
    return key;
  };
  const read = async (id: string): Promise<SigningClient | undefined> => {
    const rows = await readSigningKeys(pool, id);
    const [first] = rows;
    if (first === undefined) return undefined;
    return {
      id,
      keys: rows.map((row) => ({ id: row.id, key: keyOf(row) })),
      ...(first.rateLimit === null ? {} : { rateLimit: first.rateLimit }),
    };
  };
  const reads = recentReads(read, { name: 'clients', maxAgeMs: beliefMs, maxEntries: maxBeliefs });
  return {
    find: (id) => reads.get(id),
    forget: (id) => {
      reads.forget(id);
    },
    close: () => pool.end(),
  };
}
