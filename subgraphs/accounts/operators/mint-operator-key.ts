import type { Context } from '../../../shared/context.js';
import { newId } from '../../../shared/ids.js';
import { keyHash, mintKey } from '../api-keys/key-form.js';
import { insertKey, type OperatorKeyRow } from './operator.store.js';

export interface CreatedOperatorKey extends OperatorKeyRow {
  /** The whole key, shown only this once. */
  readonly key: string;
}

const dayMs = 86_400_000;

/**
 * Creates a key of an operator and stores its SHA-256; `added` is false if the given key exists already. The caller has
 * checked whether the key is allowed.
 */
export async function mintOperatorKey(
  context: Context,
  { operatorId, days }: { readonly operatorId: string; readonly days: number },
  minted = mintKey('svc_op_'),
): Promise<CreatedOperatorKey & { readonly added: boolean }> {
  const createdAt = context.clock.now();
  const key = {
    id: newId(createdAt.getTime()),
    operatorId,
    prefix: minted.prefix,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + days * dayMs),
  };
  const added = await insertKey(context, { ...key, secretHash: keyHash(minted) });
  return { ...key, added, lastUsedAt: null, revokedAt: null, key: minted.text };
}

/** Returns the fields of a key for the audit log. */
export function auditedKey({ id, prefix, expiresAt, revokedAt }: OperatorKeyRow): object {
  return { keyId: id, prefix, expiresAt, revokedAt };
}
