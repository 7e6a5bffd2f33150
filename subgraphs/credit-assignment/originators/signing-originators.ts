import { createPublicKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { openOwnPool } from '../../../shared/database/own-pool.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { shared } from '../../../shared/memo.js';
import { hasLinkedOriginator, readSigningKeys, type SigningKeyRow } from './originator-key.store.js';

/** Together with the time of a look-up this keeps the promise of one second: by then every instance rejects a revoked key, without any message between them. */
const beliefMs = 900;
const maxBeliefs = 10_000;
/** Some 2 kB each. Parsed keys are reused, since the first verification with a key costs several times a later one. */
const maxKeys = 10_000;

/** A client that may sign, with its valid keys: at least one. */
export interface SigningOriginator {
  readonly id: string;
  readonly rateLimit?: number;
  readonly keys: readonly { readonly id: string; readonly key: KeyObject }[];
}

export interface SigningOriginators {
  /** Finds the client with an id, which is a UUID in lower case; undefined when it is unknown, suspended, or has no key. */
  readonly find: (id: string) => Promise<SigningOriginator | undefined>;
  readonly isLinked: (accountId: string) => Promise<boolean>;
  readonly forget: (id: string) => void;
  close(): Promise<void>;
}

/** Has connections of its own: a client is looked up before its request runs, which may need all the others. Nothing connects before the first look-up. */
export function openSigningOriginators({
  databaseUrl,
  log,
}: {
  readonly databaseUrl: string;
  readonly log: Logger;
}): SigningOriginators {
  const pool = openOwnPool(databaseUrl, log, { name: 'clients', max: 2 });
  const known = new LRUCache<string, KeyObject>({ max: maxKeys });
  const keyOf = ({ id, spki }: SigningKeyRow): KeyObject => {
    const key = known.get(id) ?? createPublicKey({ key: spki, format: 'der', type: 'spki' });
    known.set(id, key);
    return key;
  };
  const read = async (id: string): Promise<SigningOriginator | undefined> => {
    const rows = await readSigningKeys(pool, id);
    const [first] = rows;
    if (first === undefined) return undefined;
    return {
      id,
      keys: rows.map((row) => ({ id: row.id, key: keyOf(row) })),
      ...(first.rateLimit === null ? {} : { rateLimit: first.rateLimit }),
    };
  };
  const bounds = { keptMs: beliefMs, maxEntries: maxBeliefs };
  const reads = shared<SigningOriginator | undefined>({ name: 'clients', ...bounds });
  const links = shared<boolean>({ name: 'linked-accounts', ...bounds });
  return {
    find: (id) => reads(id, () => read(id)),
    isLinked: (accountId) => links(accountId, () => hasLinkedOriginator(pool, accountId)),
    forget: (id) => reads.forget(id),
    close: () => pool.end(),
  };
}
