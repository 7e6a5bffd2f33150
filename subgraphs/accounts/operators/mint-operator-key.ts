import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import { keyHash, mintKey } from '../api-keys/key-form.js';
import { mintToken, tokenHash } from '../tokens/one-time-token.js';
import { insertKey, listAdministrators, type OperatorKeyRow, type OperatorRow } from './operator.store.js';
import type { Mail } from '../../../shared/work/mail/mail.js';
import { compose, momentText, type Reader } from '../accounts/compose-mail.js';

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
      : keyLinkMail(operator, clock.now(), desk.links.operatorKey(token));
  await desk.queueMail(tx, mail);
  if (principal.kind === 'OPERATOR' && !isOwn)
    for (const administrator of await listAdministrators(tx, [operator.id, principal.ownerId]))
      await desk.queueMail(tx, keyIssuedMail(administrator, clock.now(), operator.email, principal.name ?? ''));
  return { ...key, key: token === undefined ? minted.text : null };
}

/** Stores the demo's key, unless it exists; `added` tells which. */
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

const notYou = 'Se você não esperava isto, fale com os outros operadores: o log de auditoria diz quem a emitiu.';

function keyLinkMail(owner: Reader, moment: Date, link: string): Mail {
  return compose(owner, {
    subject: 'Sua chave de operador',
    paragraphs: [
      `Uma chave de operador foi emitida para você em ${momentText(moment)}. Só você a vê, uma única vez, na página deste endereço.`,
      `O endereço vale por 24 horas e funciona uma vez. ${notYou}`,
    ],
    action: { label: 'Ver a chave', link },
  });
}

function newOperatorKeyMail(owner: Reader, moment: Date): Mail {
  return compose(owner, {
    subject: 'Nova chave de operador',
    paragraphs: [
      `Uma chave de operador foi emitida para você em ${momentText(moment)}, e mostrada a quem a emitiu: você mesmo, ou quem tem acesso à máquina do serviço.`,
      `Se foi você, não é preciso fazer nada. ${notYou}`,
    ],
  });
}

function keyIssuedMail(administrator: Reader, moment: Date, owner: string, issuer: string): Mail {
  return compose(administrator, {
    subject: 'Chave de operador emitida',
    paragraphs: [
      `${issuer} emitiu uma chave de operador para ${owner} em ${momentText(moment)}.`,
      'Se você não conhece essa pessoa, revogue o operador e fale com os outros: o log de auditoria diz quem fez o quê.',
    ],
  });
}
