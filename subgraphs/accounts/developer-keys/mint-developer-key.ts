import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { keyLifetimeMs } from '../api-keys/api-key.js';
import { keyHash, mintKey } from '../api-keys/key-form.js';
import type { DeveloperScope } from './developer-key.js';
import { addKey, type ListedKey, type Unused } from './developer-key.store.js';

export type CreatedDeveloperKey = Omit<ListedKey, keyof Unused> & {
  /** The whole key, shown only this once. */
  readonly key: string;
};

/**
 * Creates a key of an account and stores its SHA-256. The caller has checked whether the key is allowed.
 * @param rateLimit its own requests per minute; null to use the configuration
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
