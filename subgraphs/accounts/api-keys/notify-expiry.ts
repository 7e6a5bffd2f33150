import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { lockAccount } from '../accounts/account.store.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { languageOf, listExpiringKeys, listExpiringOwners, markNotified, type ExpiringKey } from './api-key.store.js';
import type { Mail } from '../../../shared/work/mail/mail.js';
import { compose, momentText, type Reader } from '../accounts/compose-mail.js';

const batch = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Sends one mail for all due keys, each key once for 30, 10 and 1 days. A period that passed while nothing ran is skipped; what the limit of notices holds back is mailed later. */
export async function notifyExpiry(context: Context, desk: MailDesk, stopping?: AbortSignal): Promise<void> {
  let after = firstId;
  for (;;) {
    const owners = await listExpiringOwners(context, after, batch);
    for (const accountId of owners) {
      if (stopping?.aborted === true) return;
      await notifyExpiryOf(context, desk, accountId);
    }
    const last = owners.at(-1);
    if (last === undefined || owners.length < batch) return;
    after = last;
  }
}

/** The account is locked first, so that two processes do not both find a key that is not marked yet. */
async function notifyExpiryOf(context: Context, desk: MailDesk, accountId: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account?.disabledAt !== null) return;
    const keys = await listExpiringKeys(tx, accountId);
    if (keys.length === 0) return;
    const mail = keysExpireMail(
      { email: account.email, name: account.name, language: await languageOf(tx, accountId) },
      keys,
    );
    if (!(await notifyOwner(tx, desk, account, 'ACCESS', mail))) return;
    await markNotified(tx, keys);
  });
}

type Expiring = Pick<ExpiringKey, 'prefix' | 'expiresAt'>;

function keysExpireMail(owner: Reader, keys: readonly Expiring[]): Mail {
  const { language } = owner;
  const lines = keys.map(({ prefix, expiresAt }) => `${prefix}…: ${momentText(expiresAt, language)}`);
  const one = keys.length === 1;
  if (language === 'EN') {
    return compose(owner, {
      subject: one ? 'One of your keys is about to expire' : 'Some of your keys are about to expire',
      paragraphs: [
        `${one ? 'This key of your account expires' : 'These keys of your account expire'} soon. From then on, requests with ${one ? 'it' : 'them'} are rejected with 401.`,
        ...lines,
        'Rotate a key that your programs still use: that creates a new one, and the old one goes on working for the days that you choose. Nothing needs to be done about a key that is no longer used.',
      ],
    });
  }
  return compose(owner, {
    subject: one ? 'Uma chave sua vence em breve' : 'Chaves suas vencem em breve',
    paragraphs: [
      `${one ? 'Esta chave da sua conta vence' : 'Estas chaves da sua conta vencem'} em breve. Depois disso, pedidos com ${one ? 'ela' : 'elas'} são recusados com 401.`,
      ...lines,
      'Troque a chave que seus programas ainda usam: a troca cria outra, e a anterior continua valendo pelos dias que você escolher. Com uma chave que não é mais usada, não é preciso fazer nada.',
    ],
  });
}
