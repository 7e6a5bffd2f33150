import type { Mail } from '../../../shared/work/mail/mail.js';
import { compose, momentTexts, type Reader, type Text } from './compose-mail.js';

type Link = (reader: Pick<Reader, 'mailLanguage'>, token: string) => string;

/** Addresses of the links in mail, in the language of their reader. The pages behind them post the token to the API. */
export type MailLinks = Readonly<Record<'verifyEmail' | 'resetPassword' | 'operatorKey', Link>>;

/** Returns links to the pages under this deployment's public address, and under its operators' address. */
export function houseLinks(publicUrl: string, operatorUrl = publicUrl): MailLinks {
  const link =
    (url: string, path: string): Link =>
    ({ mailLanguage }, token) =>
      `${url}${mailLanguage === 'EN' ? '/en' : ''}${path}?token=${encodeURIComponent(token)}`;
  return {
    verifyEmail: link(publicUrl, '/verificar-email'),
    resetPassword: link(publicUrl, '/redefinir-senha'),
    operatorKey: link(operatorUrl, '/chave-de-operador'),
  };
}

interface Registered extends Reader {
  readonly createdAt: Date;
}

const confirm: Text = ['Confirme seu e-mail', 'Confirm your e-mail'];
const confirmLabel: Text = ['Confirmar e-mail', 'Confirm e-mail'];

export function confirmationMail(reader: Registered, link: string): Mail {
  const [pt, en] = terms(reader);
  return compose(reader, {
    subject: confirm,
    paragraphs: [
      [
        'Para começar a gerar chaves de API, confirme que este e-mail é seu.',
        'Confirm that this e-mail is yours to start making API keys.',
      ],
      [pt, en],
    ],
    action: { label: confirmLabel, link },
  });
}

/** Builds the same mail for a registration that has replaced another one. */
export function confirmationAgainMail(reader: Registered, link: string): Mail {
  const [pt, en] = terms(reader);
  return compose(reader, {
    subject: confirm,
    paragraphs: [
      [
        'Este e-mail já tinha um cadastro à espera de confirmação, que este substitui: o endereço e a senha de antes não valem mais.',
        'A registration of this e-mail was waiting for confirmation. This one replaces it: its link and its password are not valid any more.',
      ],
      [
        `${pt} Se o cadastro anterior era seu, cadastre-se de novo e abra só o endereço que chegar depois deste.`,
        `${en} If the earlier registration was yours, register again and open only the link that comes after this one.`,
      ],
    ],
    action: { label: confirmLabel, link },
  });
}

/** Describes a registration so that the reader can distinguish it from others of the same e-mail. */
function terms({ createdAt }: Registered): Text {
  const [em, at] = momentTexts(createdAt);
  return [
    `O endereço confirma o cadastro pedido em ${em}, com a senha dada nele. Vale por 24 horas e funciona uma vez. Se você não pediu este cadastro, não abra o endereço: a senha é de quem o pediu.`,
    `The link confirms the registration of ${at} with the password given in it. It is valid for 24 hours and works once. If you did not ask for this registration, do not open the link: the password belongs to whoever did.`,
  ];
}

const youHaveOne: Text = ['Você já tem uma conta', 'You already have an account'];

/** Builds the mail for a registration of an e-mail that has an account, or a request to confirm an e-mail that is already confirmed. */
export function accountExistsMail(reader: Reader): Mail {
  return compose(reader, {
    subject: youHaveOne,
    paragraphs: [
      [
        'Recebemos um pedido de cadastro ou de confirmação para este e-mail, que já tem uma conta confirmada. Nada mudou nela: entre com a senha de sempre.',
        'Somebody asked to register or to confirm this e-mail, which already has a confirmed account. Nothing has changed in it: log in with your usual password.',
      ],
      [
        'Se você não lembra a senha, peça uma nova em "esqueci a senha". Se o pedido não foi seu, ignore esta mensagem.',
        'If you do not remember your password, choose "I forgot my password". If it was not you, ignore this message.',
      ],
    ],
  });
}

export function portalAccountMail(reader: Reader): Mail {
  return compose(reader, {
    subject: youHaveOne,
    paragraphs: [
      [
        'Recebemos um pedido de cadastro para este e-mail, que já entra com a conta do portal da emissora. Nada mudou nela: use o mesmo e-mail e a senha do portal, sem novo cadastro.',
        "Somebody asked to register this e-mail, which already logs in with its account of the issuer's portal. Nothing has changed in it: use the same e-mail and the password of the portal; no registration is needed.",
      ],
      [
        'A senha se troca no portal. Se o pedido não foi seu, ignore esta mensagem.',
        'The password is changed in the portal. If it was not you, ignore this message.',
      ],
    ],
  });
}

export function resetMail(reader: Reader, link: string): Mail {
  return compose(reader, {
    subject: ['Redefina sua senha', 'Reset your password'],
    paragraphs: [
      [
        'Recebemos um pedido para trocar a senha da sua conta.',
        'Somebody asked to change the password of your account.',
      ],
      [
        'O endereço vale por 1 hora e funciona uma vez; a troca encerra todas as sessões abertas. Se o pedido não foi seu, ignore esta mensagem: a senha continua a mesma.',
        'The link is valid for 1 hour and works once; a new password ends all open sessions. If it was not you, ignore this message: the password stays the same.',
      ],
    ],
    action: { label: ['Definir nova senha', 'Set a new password'], link },
  });
}

export function webhookDeactivatedMail(reader: Reader, { url, gone }: { url: string; gone: boolean }): Mail {
  const [por, why]: Text = gone
    ? [
        'O endereço respondeu 410: disse que não existe mais.',
        'The address responded with 410: it says that it does not exist any more.',
      ]
    : [
        'A última tentativa de entrega falhou, e nenhuma outra entrega deu certo nesse tempo.',
        'The last attempt of a delivery failed, and no other delivery succeeded in that time.',
      ];
  return compose(reader, {
    subject: ['Um webhook seu foi desativado', 'One of your webhooks was deactivated'],
    paragraphs: [
      [`Paramos de entregar eventos em ${url}. ${por}`, `We have stopped delivering events to ${url}. ${why}`],
      [
        'Os eventos que chegarem agora ficam guardados por 30 dias. Corrija o endereço, ative o webhook de novo e peça o reenvio do que faltou.',
        'Events from now on are kept for 30 days. Correct the address, activate the webhook again and ask for a replay of what is missing.',
      ],
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
  const [em, at] = momentTexts(key.at);
  const isNew = key.change === 'ADDED';
  const [act, was] = isNew ? ['foi registrada', 'was registered'] : ['foi revogada', 'was revoked'];
  const [efeito, effect] = isNew
    ? ['Requisições assinadas com ela já são aceitas.', 'Requests signed with it are accepted from now on.']
    : ['Requisições assinadas com ela não são mais aceitas.', 'Requests signed with it are not accepted any more.'];
  return compose(reader, {
    subject: isNew
      ? ['Nova chave de assinatura', 'New signing key']
      : ['Uma chave de assinatura foi revogada', 'A signing key was revoked'],
    paragraphs: [
      [
        `A chave de assinatura de ${key.client} com a impressão SHA-256 ${key.fingerprint} ${act} em ${em}, na sessão de uma pessoa da sua conta. ${efeito}`,
        `The signing key of ${key.client} with the SHA-256 fingerprint ${key.fingerprint} ${was} on ${at}, in the session of a person of your account. ${effect}`,
      ],
      [
        'Se foi alguém da sua empresa, não é preciso fazer nada. Se não foi, revogue a chave, encerre as outras sessões e fale com quem opera este serviço.',
        'If it was somebody of your company, nothing needs to be done. If not, revoke the key, end the other sessions and contact the operator of this service.',
      ],
    ],
  });
}
