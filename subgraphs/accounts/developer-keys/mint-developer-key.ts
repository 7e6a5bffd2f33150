import type { Context } from '../../../shared/context.js';
import { newId } from '../../../shared/ids.js';
import { keyLifetimeMs } from '../api-keys/api-key.js';
import { keyHash, mintKey } from '../api-keys/key-form.js';
import type { DeveloperScope } from './developer-key.js';
import { addKey, type ListedKey, type Unused } from './developer-key.store.js';

export type CreatedDeveloperKey = Omit<ListedKey, keyof Unused> & {
  /** The whole key: this is the one time that it is shown. */
  readonly key: string;
};

/**
 * Makes a key of an account and keeps its SHA-256. Whether it may be made has been decided.
 * @param rateLimit requests per minute of its own; null for what is configured
 */
export async function mintDeveloperKey(
  context: Context,
  rateLimit: number | null,
  { accountId, name, scopes }: { accountId: string; name: string; scopes: readonly DeveloperScope[] },
  minted = mintKey('svc_dev_'),
): Promise<CreatedDeveloperKey> {
  const createdAt = context.clock.now();
  const key = {
    id: newId(createdAt.getTime()),
    prefix: minted.prefix,
    name,
    scopes,
    rateLimit,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + keyLifetimeMs),
  };
  await addKey(context, { ...key, accountId, secretHash: keyHash(minted) });
  return { ...key, key: minted.text };
}
