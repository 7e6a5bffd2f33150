import type { Mail } from '../../../shared/work/mail/mail.js';
import { compose, momentText, type Reader } from './compose-mail.js';

/** Addresses of the links in mail. The pages behind them post the token to the API. */
export interface MailLinks {
  verifyEmail(token: string): string;
  resetPassword(token: string): string;
  operatorKey(token: string): string;
}

/** Returns links to the pages of this deployment under its public address, and that of its operators. */
export function houseLinks(publicUrl: string, operatorUrl = publicUrl): MailLinks {
  return {
    verifyEmail: (token) => `${publicUrl}/verificar-email?token=${encodeURIComponent(token)}`,
    resetPassword: (token) => `${publicUrl}/redefinir-senha?token=${encodeURIComponent(token)}`,
    operatorKey: (token) => `${operatorUrl}/chave-de-operador?token=${encodeURIComponent(token)}`,
  };
}

interface Registered extends Reader {
  readonly createdAt: Date;
}

export function confirmationMail(reader: Registered, link: string): Mail {
  return compose(reader, {
    subject: 'Confirme seu e-mail',
    paragraphs: [
      'Para começar a gerar chaves de API, confirme que este e-mail é seu.',
      `O endereço confirma o ${requestOf(reader)}, com a senha dada nele. Vale por 24 horas e funciona uma vez. ${notYours}`,
    ],
    action: { label: 'Confirmar e-mail', link },
  });
}

/** Builds the same mail for a registration that has replaced another one. */
export function confirmationAgainMail(reader: Registered, link: string): Mail {
  return compose(reader, {
    subject: 'Confirme seu e-mail',
    paragraphs: [
      'Este e-mail já tinha um cadastro à espera de confirmação, que este substitui: o endereço e a senha de antes não valem mais.',
      `O endereço confirma o ${requestOf(reader)}, com a senha dada nele. Vale por 24 horas e funciona uma vez. ${notYours} Se o cadastro anterior era seu, cadastre-se de novo e abra só o endereço que chegar depois deste.`,
    ],
    action: { label: 'Confirmar e-mail', link },
  });
}

/** Builds the mail for a registration of an e-mail that has an account, or a request to confirm an e-mail that is already confirmed. */
export function accountExistsMail(reader: Reader): Mail {
  return compose(reader, {
    subject: 'Você já tem uma conta',
    paragraphs: [
      'Recebemos um pedido de cadastro ou de confirmação para este e-mail, que já tem uma conta confirmada. Nada mudou nela: entre com a senha de sempre.',
      'Se você não lembra a senha, peça uma nova em "esqueci a senha". Se o pedido não foi seu, ignore esta mensagem.',
    ],
  });
}

export function portalAccountMail(reader: Reader): Mail {
  return compose(reader, {
    subject: 'Você já tem uma conta',
    paragraphs: [
      'Recebemos um pedido de cadastro para este e-mail, que já entra com a conta do portal da emissora. Nada mudou nela: use o mesmo e-mail e a senha do portal, sem novo cadastro.',
      'A senha se troca no portal. Se o pedido não foi seu, ignore esta mensagem.',
    ],
  });
}

export function resetMail(reader: Reader, link: string): Mail {
  return compose(reader, {
    subject: 'Redefina sua senha',
    paragraphs: [
      'Recebemos um pedido para trocar a senha da sua conta.',
      'O endereço vale por 1 hora e funciona uma vez; a troca encerra todas as sessões abertas. Se o pedido não foi seu, ignore esta mensagem: a senha continua a mesma.',
    ],
    action: { label: 'Definir nova senha', link },
  });
}

export function webhookDeactivatedMail(reader: Reader, { url, gone }: { url: string; gone: boolean }): Mail {
  const why = gone
    ? 'O endereço respondeu 410: disse que não existe mais.'
    : 'A última tentativa de entrega falhou, e nenhuma outra entrega deu certo nesse tempo.';
  return compose(reader, {
    subject: 'Um webhook seu foi desativado',
    paragraphs: [
      `Paramos de entregar eventos em ${url}. ${why}`,
      'Os eventos que chegarem agora ficam guardados por 30 dias. Corrija o endereço, ative o webhook de novo e peça o reenvio do que faltou.',
    ],
  });
}

export function originatorKeyMail(
  reader: Reader,
  key: {
    readonly client: string;
    readonly change: 'ADDED' | 'REVOKED';
    readonly fingerprint: string;
    readonly at: Date;
  },
): Mail {
  const isNew = key.change === 'ADDED';
  const act = isNew ? 'foi registrada' : 'foi revogada';
  const effect = isNew
    ? 'Requisições assinadas com ela já são aceitas.'
    : 'Requisições assinadas com ela não são mais aceitas.';
  return compose(reader, {
    subject: isNew ? 'Nova chave de assinatura' : 'Uma chave de assinatura foi revogada',
    paragraphs: [
      `A chave de assinatura de ${key.client} com a impressão SHA-256 ${key.fingerprint} ${act} em ${momentText(key.at)}, na sessão de uma pessoa da sua conta. ${effect}`,
      'Se foi alguém da sua empresa, não é preciso fazer nada. Se não foi, revogue a chave, encerre as outras sessões e fale com quem opera este serviço.',
    ],
  });
}

const notYours = 'Se você não pediu este cadastro, não abra o endereço: a senha é de quem o pediu.';

/** Describes a registration so that the reader can tell it from others of the same e-mail. */
function requestOf({ createdAt }: Registered): string {
  return `cadastro pedido em ${momentText(createdAt)}`;
}
