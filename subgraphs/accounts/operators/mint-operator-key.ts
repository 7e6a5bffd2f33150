import type { Context } from '../../../shared/context.js';
import { newId } from '../../../shared/ids.js';
import { keyHash, mintKey } from '../api-keys/key-form.js';
import { insertKey, type OperatorKeyRow } from './operator.store.js';

export interface CreatedOperatorKey extends OperatorKeyRow {
  /** The whole key: this is the one time that it is shown. */
  readonly key: string;
}

const dayMs = 86_400_000;

/** Makes a key of an operator and keeps its SHA-256; `added` is false for a given one that was there. Whether it may be made has been decided. */
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

/** What the audit log keeps of a key. */
export function auditedKey({ id, prefix, expiresAt, revokedAt }: OperatorKeyRow): object {
  return { keyId: id, prefix, expiresAt, revokedAt };
}
