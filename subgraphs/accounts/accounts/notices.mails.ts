import type { Mail } from '../../../shared/work/mail/mail.js';
import { compose, momentText, type Reader } from './compose-mail.js';

/** Owner of an account; the password of a portal account is kept in the portal. */
interface Owner extends Reader {
  readonly ownerType: 'EMISSOES_USER' | 'AGENT_USER';
}

export function newNetworkMail(owner: Owner, session: { readonly network: string; readonly createdAt: Date }): Mail {
  return compose(owner, {
    subject: 'Nova sessão, de uma rede nova',
    paragraphs: [
      `Sua conta foi aberta em ${momentText(session.createdAt)}, de uma rede que ela não conhecia: ${session.network}.`,
      `Se foi você, não é preciso fazer nada. ${notYou(owner)}`,
    ],
  });
}

export function newKeyMail(owner: Owner, key: { readonly prefix: string; readonly createdAt: Date }): Mail {
  return compose(owner, {
    subject: 'Nova chave na sua conta',
    paragraphs: [
      `A chave ${key.prefix}… foi criada na sua conta em ${momentText(key.createdAt)}.`,
      `Se foi você, não é preciso fazer nada. Se não foi, revogue a chave. ${notYou(owner)}`,
    ],
  });
}

export function keyRotatedMail(
  owner: Owner,
  {
    oldKey,
    newKey,
    moment,
  }: Record<'oldKey' | 'newKey', { readonly prefix: string }> & {
    readonly oldKey: { readonly revokedAt: Date | null; readonly expiresAt: Date };
    readonly moment: Date;
  },
): Mail {
  const end = oldKey.revokedAt === null ? `vale até ${momentText(oldKey.expiresAt)}` : 'foi revogada';
  return compose(owner, {
    subject: 'Uma chave sua foi trocada',
    paragraphs: [
      `A chave ${oldKey.prefix}… foi trocada pela chave ${newKey.prefix}… em ${momentText(moment)}. A anterior ${end}.`,
      `Se foi você, não é preciso fazer nada. Se não foi, revogue as duas. ${notYou(owner)}`,
    ],
  });
}

export function webhookChangedMail(
  owner: Owner,
  { webhookId, change, at }: { readonly webhookId: string; readonly change: 'CREATED' | 'MOVED'; readonly at: Date },
): Mail {
  const isNew = change === 'CREATED';
  const act = isNew
    ? `O webhook ${webhookId} foi criado na sua conta em ${momentText(at)}, e recebe os eventos dela que assina.`
    : `O webhook ${webhookId} da sua conta tem outro endereço desde ${momentText(at)}, e os eventos vão para ele.`;
  return compose(owner, {
    subject: isNew ? 'Novo webhook na sua conta' : 'Um webhook seu tem outro endereço',
    paragraphs: [
      act,
      `Se foi você ou um programa seu, não é preciso fazer nada. Se não foi, exclua o webhook e revogue as chaves de desenvolvedor que podem mudar webhooks. ${notYou(owner)}`,
    ],
  });
}

export function passwordChangedMail(owner: Owner, moment: Date): Mail {
  return compose(owner, {
    subject: 'Sua senha foi trocada',
    paragraphs: [
      `A senha da sua conta foi trocada em ${momentText(moment)}, com a senha anterior.`,
      `Se foi você, não é preciso fazer nada. ${notYou(owner)}`,
    ],
  });
}

export function passwordResetMail(owner: Owner, { moment, keys }: { moment: Date; keys: number | undefined }): Mail {
  const revoked =
    keys === undefined
      ? 'As chaves de API continuam valendo.'
      : `As chaves que ainda valiam foram revogadas: ${keys}. Crie outras para seus programas.`;
  return compose(owner, {
    subject: 'Sua senha foi redefinida',
    paragraphs: [
      `A senha da sua conta foi redefinida em ${momentText(moment)}, por um endereço mandado a este e-mail, e todas as sessões foram encerradas. ${revoked}`,
      `Se foi você, não é preciso fazer nada. ${notYou(owner)} Quem redefiniu a senha leu este e-mail: troque também a senha dele.`,
    ],
  });
}

export function accountDeletedMail(owner: Owner, moment: Date): Mail {
  return compose(owner, {
    subject: 'Sua conta foi excluída',
    paragraphs: [
      `Sua conta foi excluída em ${momentText(moment)}, com a senha dela: as sessões foram encerradas, as chaves revogadas e os seus dados apagados.`,
      'Se não foi você, fale com quem opera este serviço e troque a senha onde mais a usa. O e-mail pode ser cadastrado de novo.',
    ],
  });
}

function notYou({ ownerType }: Owner): string {
  return ownerType === 'AGENT_USER'
    ? 'Se não foi você, troque a senha no portal da emissora, encerre as outras sessões e revogue as chaves que não conhece.'
    : 'Se não foi você, peça uma nova senha em "esqueci a senha", e escolha revogar as chaves: isso encerra todas as sessões.';
}
