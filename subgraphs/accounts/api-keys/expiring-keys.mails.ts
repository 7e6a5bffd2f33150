import type { Mail } from '../../../shared/mail/mail.js';
import { compose, momentText, type Reader } from '../accounts/compose-mail.js';
import type { ExpiringKey } from './expiring-keys.store.js';

type Expiring = Pick<ExpiringKey, 'prefix' | 'expiresAt'>;

/** Builds the mail about keys that expire soon. */
export function keysExpireMail(owner: Reader, keys: readonly Expiring[]): Mail {
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
