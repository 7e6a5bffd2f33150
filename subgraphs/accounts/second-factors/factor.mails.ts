import type { Mail } from '../../../shared/work/mail/mail.js';
import { compose, momentText, type Reader } from '../accounts/compose-mail.js';
import type { SessionOwner } from '../../../shared/security/browser-session.js';
import type { Context } from '../../../shared/kernel/context.js';
import { lockAccount } from '../accounts/account.store.js';
import { notifyOwner, type MailDesk } from '../accounts/mail-desk.js';
import { lockOperator } from '../operators/operator.store.js';

/** @param endedTokens how many sessions by token ended, since the factor is the first */
export type FactorMail = (owner: Reader, moment: Date, endedTokens?: number) => Mail;

const notYou =
  'Se foi você, não é preciso fazer nada. Se não foi, entre na sua conta, encerre as outras sessões, remova o que não conhece e fale com quem opera este serviço.';

const mailOf =
  (subject: string, text: (moment: string) => string): FactorMail =>
  (owner, moment, endedTokens = 0) =>
    compose(owner, { subject, paragraphs: [text(momentText(moment)), ...tokenText(endedTokens), notYou] });

const tokenText = (ended: number): string[] =>
  ended === 0
    ? []
    : [`As sessões por token, que só a senha tinha aberto, foram encerradas: ${ended}. Programas usam chaves de API.`];

export const passkeyAddedMail = mailOf(
  'Nova chave de acesso na sua conta',
  (moment) => `Uma chave de acesso (passkey) foi cadastrada em ${moment}. Com ela se entra no painel.`,
);

export const passkeyRemovedMail = mailOf(
  'Chave de acesso removida da sua conta',
  (moment) => `Uma chave de acesso (passkey) foi removida em ${moment}.`,
);

export const totpAddedMail = mailOf(
  'Aplicativo de códigos cadastrado na sua conta',
  (moment) => `Um aplicativo de códigos de seis dígitos foi cadastrado em ${moment}, como segundo fator.`,
);

export const totpRemovedMail = mailOf(
  'Aplicativo de códigos removido da sua conta',
  (moment) => `O aplicativo de códigos de seis dígitos foi removido em ${moment}.`,
);

export const recoveryCodesReplacedMail = mailOf(
  'Novos códigos de recuperação',
  (moment) => `Novos códigos de recuperação foram gerados em ${moment}. Os anteriores deixaram de valer.`,
);

export const recoveryCodeUsedMail = mailOf(
  'Um código de recuperação foi usado',
  (moment) => `Um código de recuperação da sua conta foi usado em ${moment}. Ele não vale mais.`,
);

export const factorsResetMail = mailOf(
  'Seus segundos fatores foram removidos',
  (moment) =>
    `Quem opera este serviço removeu em ${moment} todas as chaves de acesso, o aplicativo de códigos e os códigos de recuperação da sua conta, e encerrou as suas sessões.`,
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
