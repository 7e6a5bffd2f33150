import type { Mail } from '../../../shared/work/mail/mail.js';
import { compose, momentTexts, type Reader, type Text } from '../accounts/compose-mail.js';
import type { SessionOwner } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { lockAccount } from '../accounts/account.store.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { lockOperator } from '../operators/operator.store.js';

/** @param endedTokens number of token sessions that ended because this is the first factor */
export type FactorMail = (owner: Reader, moment: Date, endedTokens?: number) => Mail;

const notYou: Text = [
  'Se foi você, não é preciso fazer nada. Se não foi, entre na sua conta, encerre as outras sessões, remova o que não conhece e fale com quem opera este serviço.',
  'If it was you, nothing needs to be done. If not, log in to your account, end the other sessions, remove what you do not know and contact the operator of this service.',
];

const mailOf =
  (subject: Text, text: (portuguese: string, english: string) => Text): FactorMail =>
  (owner, moment, endedTokens = 0) =>
    compose(owner, { subject, paragraphs: [text(...momentTexts(moment)), ...tokenTexts(endedTokens), notYou] });

const tokenTexts = (ended: number): Text[] =>
  ended === 0
    ? []
    : [
        [
          `As sessões por token, que só a senha tinha aberto, foram encerradas: ${ended}. Programas usam chaves de API.`,
          `Sessions by token, which only the password had opened, were ended: ${ended}. Programs use API keys.`,
        ],
      ];

export const passkeyAddedMail = mailOf(
  ['Nova chave de acesso na sua conta', 'New passkey in your account'],
  (em, at) => [
    `Uma chave de acesso (passkey) foi cadastrada em ${em}. Com ela se entra no painel.`,
    `A passkey was enrolled on ${at}. Use it to log in to the panel.`,
  ],
);

export const passkeyRemovedMail = mailOf(
  ['Chave de acesso removida da sua conta', 'Passkey removed from your account'],
  (em, at) => [`Uma chave de acesso (passkey) foi removida em ${em}.`, `A passkey was removed on ${at}.`],
);

export const totpAddedMail = mailOf(
  ['Aplicativo de códigos cadastrado na sua conta', 'Authenticator app enrolled in your account'],
  (em, at) => [
    `Um aplicativo de códigos de seis dígitos foi cadastrado em ${em}, como segundo fator.`,
    `An authenticator app with six-digit codes was enrolled on ${at}, as a second factor.`,
  ],
);

export const totpRemovedMail = mailOf(
  ['Aplicativo de códigos removido da sua conta', 'Authenticator app removed from your account'],
  (em, at) => [
    `O aplicativo de códigos de seis dígitos foi removido em ${em}.`,
    `The authenticator app with six-digit codes was removed on ${at}.`,
  ],
);

export const recoveryCodesReplacedMail = mailOf(['Novos códigos de recuperação', 'New recovery codes'], (em, at) => [
  `Novos códigos de recuperação foram gerados em ${em}. Os anteriores deixaram de valer.`,
  `New recovery codes were made on ${at}. The previous ones do not work any more.`,
]);

export const recoveryCodeUsedMail = mailOf(
  ['Um código de recuperação foi usado', 'A recovery code was used'],
  (em, at) => [
    `Um código de recuperação da sua conta foi usado em ${em}. Ele não vale mais.`,
    `A recovery code of your account was used on ${at}. It does not work any more.`,
  ],
);

export const factorsResetMail = mailOf(
  ['Seus segundos fatores foram removidos', 'Your second factors were removed'],
  (em, at) => [
    `Quem opera este serviço removeu em ${em} todas as chaves de acesso, o aplicativo de códigos e os códigos de recuperação da sua conta, e encerrou as suas sessões.`,
    `On ${at} the operator of this service removed all passkeys, the authenticator app and the recovery codes of your account, and ended your sessions.`,
  ],
);

export interface NoticeParts {
  readonly desk: MailDesk;
}

/** Mails the owner of second factors about a change of them, in the current transaction. A trading credential has no e-mail: it gets none. */
export async function notifyFactorOwner(
  tx: Context,
  { desk }: NoticeParts,
  { kind, id }: SessionOwner,
  mailOf: FactorMail,
): Promise<void> {
  const now = tx.clock.now();
  if (kind === 'ACCOUNT') {
    const account = await lockAccount(tx, id);
    if (account !== null) await notifyOwner(tx, desk, account, 'ACCOUNT', mailOf(account, now));
  } else if (kind === 'OPERATOR') {
    const operator = await lockOperator(tx, id);
    if (operator !== undefined) await desk.queueMail(tx, mailOf(operator, now));
  }
}
