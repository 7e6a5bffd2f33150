import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { keyHash, mintKey } from '../api-keys/key-form.js';
import { mintToken, tokenHash } from '../tokens/one-time-token.js';
import { insertKey, listAdministrators, type OperatorKeyRow, type OperatorRow } from './operator.store.js';
import { keyIssuedMail, keyLinkMail, newOperatorKeyMail } from '../accounts/notices.mails.js';

export interface CreatedOperatorKey extends OperatorKeyRow {
  /** The whole key, shown only this once; null where its owner fetches it by a link in mail. */
  readonly key: string | null;
}

const dayMs = 86_400_000;
const linkMs = 24 * 3_600_000;

/**
 * Creates a key for an operator and mails its owner. The caller reads the key only where it is the owner, or has a shell on the machine; else its secret is made
 * when the owner fetches it by the link of the mail: whoever issues a key to somebody else must not be able to act as two persons. The other administrators hear of
 * it, since the owner may be the issuer under another address. The caller has checked whether the key is allowed.
 */
export async function issueOperatorKey(
  tx: Context,
  desk: MailDesk,
  operator: OperatorRow,
  days: number,
): Promise<CreatedOperatorKey> {
  const { principal, isCommand, clock } = tx;
  const isOwn = principal.kind === 'OPERATOR' && principal.ownerId === operator.id;
  const issuedBy = isOwn ? principal.keyIssuedBy : principal.kind === 'OPERATOR' ? principal.ownerId : undefined;
  const isShown = isOwn || isCommand === true || principal.kind === 'SYSTEM';
  const token = isShown ? undefined : mintToken();
  const minted = mintKey('svc_op_');
  const key = keyOf(tx, operator.id, days, minted.prefix, token === undefined ? null : linkMs);
  await insertKey(tx, {
    ...key,
    secretHash: keyHash(minted),
    issuedBy: issuedBy ?? null,
    linkHash: token === undefined ? null : tokenHash(token),
  });
  const mail =
    token === undefined
      ? newOperatorKeyMail(operator, clock.now())
      : keyLinkMail(operator, clock.now(), desk.links.operatorKey(operator, token));
  await desk.queueMail(tx, mail);
  if (principal.kind === 'OPERATOR' && !isOwn)
    for (const administrator of await listAdministrators(tx, [operator.id, principal.ownerId]))
      await desk.queueMail(tx, keyIssuedMail(administrator, clock.now(), operator.email, principal.name ?? ''));
  return { ...key, key: token === undefined ? minted.text : null };
}

/** Stores the demo's key, unless it exists; `added` is true if it was new. */
export async function addGivenKey(
  tx: Context,
  operatorId: string,
  days: number,
  minted: ReturnType<typeof mintKey>,
): Promise<OperatorKeyRow & { readonly added: boolean }> {
  const key = keyOf(tx, operatorId, days, minted.prefix, null);
  return {
    ...key,
    added: await insertKey(tx, { ...key, secretHash: keyHash(minted), issuedBy: null, linkHash: null }),
  };
}

function keyOf(
  { clock }: Context,
  operatorId: string,
  days: number,
  prefix: string,
  fetchableMs: number | null,
): OperatorKeyRow {
  const createdAt = clock.now();
  const after = (ms: number) => new Date(createdAt.getTime() + ms);
  return {
    id: newId(createdAt.getTime()),
    operatorId,
    prefix,
    createdAt,
    expiresAt: after(days * dayMs),
    lastUsedAt: null,
    revokedAt: null,
    linkExpiresAt: fetchableMs === null ? null : after(fetchableMs),
  };
}

export function auditedKey({ id, prefix, expiresAt, revokedAt }: OperatorKeyRow): object {
  return { keyId: id, prefix, expiresAt, revokedAt };
}
