import type { Mail } from '../../../shared/work/mail/mail.js';
import { compose, momentTexts, type Reader, type Text } from './compose-mail.js';

/** Owner of an account; the password of a portal account is kept in the portal. */
interface Owner extends Reader {
  readonly ownerType: 'EMISSOES_USER' | 'AGENT_USER';
}

export function newNetworkMail(owner: Owner, session: { readonly network: string; readonly createdAt: Date }): Mail {
  const [em, at] = momentTexts(session.createdAt);
  return compose(owner, {
    subject: ['Nova sessão, de uma rede nova', 'New session, from a new network'],
    paragraphs: [
      [
        `Sua conta foi aberta em ${em}, de uma rede nova para ela: ${session.network}.`,
        `Your account was opened on ${at}, from a network that is new to it: ${session.network}.`,
      ],
      ifYou(owner),
    ],
  });
}

export function newKeyMail(owner: Owner, key: { readonly prefix: string; readonly createdAt: Date }): Mail {
  const [em, at] = momentTexts(key.createdAt);
  return compose(owner, {
    subject: ['Nova chave na sua conta', 'New key in your account'],
    paragraphs: [
      [
        `A chave ${key.prefix}… foi criada na sua conta em ${em}.`,
        `The key ${key.prefix}… was created in your account on ${at}.`,
      ],
      ifYou(owner, ['revogue a chave', 'revoke the key']),
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
  const [em, at] = momentTexts(moment);
  const [ate, until] = momentTexts(oldKey.expiresAt);
  const [fim, end] =
    oldKey.revokedAt === null ? [`vale até ${ate}`, `is valid until ${until}`] : ['foi revogada', 'was revoked'];
  return compose(owner, {
    subject: ['Uma chave sua foi trocada', 'One of your keys was rotated'],
    paragraphs: [
      [
        `A chave ${oldKey.prefix}… foi trocada pela chave ${newKey.prefix}… em ${em}. A anterior ${fim}.`,
        `The key ${oldKey.prefix}… was replaced by the key ${newKey.prefix}… on ${at}. The old one ${end}.`,
      ],
      ifYou(owner, ['revogue as duas', 'revoke both']),
    ],
  });
}

export function webhookChangedMail(
  owner: Owner,
  { webhookId, change, at }: { readonly webhookId: string; readonly change: 'CREATED' | 'MOVED'; readonly at: Date },
): Mail {
  const isNew = change === 'CREATED';
  const [em, on] = momentTexts(at);
  const [nao, not] = notYou(owner);
  return compose(owner, {
    subject: isNew
      ? ['Novo webhook na sua conta', 'New webhook in your account']
      : ['Um webhook seu tem outro endereço', 'One of your webhooks has another address'],
    paragraphs: [
      isNew
        ? [
            `O webhook ${webhookId} foi criado na sua conta em ${em}, e recebe os eventos que assina.`,
            `The webhook ${webhookId} was created in your account on ${on}, and receives the events that it subscribes to.`,
          ]
        : [
            `O webhook ${webhookId} da sua conta tem outro endereço desde ${em}, e os eventos vão para ele.`,
            `The webhook ${webhookId} of your account has had another address since ${on}, and events go to it.`,
          ],
      [
        `Se foi você ou um programa seu, não é preciso fazer nada. Se não foi, exclua o webhook e revogue as chaves de desenvolvedor que podem mudar webhooks. ${nao}`,
        `If it was you or one of your programs, nothing needs to be done. If not, delete the webhook and revoke the developer keys that can change webhooks. ${not}`,
      ],
    ],
  });
}

export function passwordChangedMail(owner: Owner, moment: Date): Mail {
  const [em, at] = momentTexts(moment);
  return compose(owner, {
    subject: ['Sua senha foi trocada', 'Your password was changed'],
    paragraphs: [
      [
        `A senha da sua conta foi trocada em ${em}, com a senha anterior.`,
        `The password of your account was changed on ${at}, with the previous password.`,
      ],
      ifYou(owner),
    ],
  });
}

export function passwordResetMail(owner: Owner, { moment, keys }: { moment: Date; keys: number | undefined }): Mail {
  const [em, at] = momentTexts(moment);
  const [revogadas, revoked] =
    keys === undefined
      ? ['As chaves de API continuam valendo.', 'API keys still work.']
      : [
          `As chaves que ainda valiam foram revogadas: ${keys}. Crie outras para seus programas.`,
          `Keys that still worked were revoked: ${keys}. Create others for your programs.`,
        ];
  const [se, you] = ifYou(owner);
  return compose(owner, {
    subject: ['Sua senha foi redefinida', 'Your password was reset'],
    paragraphs: [
      [
        `A senha da sua conta foi redefinida em ${em}, por um endereço mandado a este e-mail, e todas as sessões foram encerradas. ${revogadas}`,
        `The password of your account was reset on ${at}, by a link mailed to this address, and all sessions were ended. ${revoked}`,
      ],
      [
        `${se} Quem redefiniu a senha leu este e-mail: troque também a senha dele.`,
        `${you} Whoever reset the password has read this mailbox: change its password, too.`,
      ],
    ],
  });
}

export function accountDeletedMail(owner: Owner, moment: Date): Mail {
  const [em, at] = momentTexts(moment);
  return compose(owner, {
    subject: ['Sua conta foi excluída', 'Your account was deleted'],
    paragraphs: [
      [
        `Sua conta foi excluída em ${em}, com a senha dela: as sessões foram encerradas, as chaves revogadas e os seus dados apagados.`,
        `Your account was deleted on ${at}, with its password: sessions were ended, keys revoked and your data erased.`,
      ],
      [
        'Se não foi você, fale com quem opera este serviço e troque a senha onde mais a usa. O e-mail pode ser cadastrado de novo.',
        'If it was not you, contact the operator of this service, and change the password wherever else you use it. The e-mail can be registered again.',
      ],
    ],
  });
}

/** Keys of an account that expire soon; each in a line of its own. */
export function keysExpireMail(
  owner: Reader,
  keys: readonly { readonly prefix: string; readonly expiresAt: Date }[],
): Mail {
  const one = keys.length === 1;
  const [essas, these] = one
    ? ['Esta chave da sua conta vence', 'This key of your account expires']
    : ['Estas chaves da sua conta vencem', 'These keys of your account expire'];
  return compose(owner, {
    subject: one
      ? ['Uma chave sua vence em breve', 'One of your keys is about to expire']
      : ['Chaves suas vencem em breve', 'Some of your keys are about to expire'],
    paragraphs: [
      [
        `${essas} em breve. Depois disso, requisições com ${one ? 'ela' : 'elas'} são recusadas com 401.`,
        `${these} soon. From then on, requests with ${one ? 'it' : 'them'} are rejected with 401.`,
      ],
      ...keys.map(({ prefix, expiresAt }): Text => {
        const [em, at] = momentTexts(expiresAt);
        return [`${prefix}…: ${em}`, `${prefix}…: ${at}`];
      }),
      [
        'Troque a chave que seus programas ainda usam: a troca cria outra, e a anterior continua valendo pelos dias que você escolher. Com uma chave que não é mais usada, não é preciso fazer nada.',
        'Rotate a key that your programs still use: a new key is created, and the old one works for as many more days as you choose. A key that is no longer used needs nothing.',
      ],
    ],
  });
}

/** Returns the advice about an act of the account; if the act was not the owner's, `first` is to be done before the rest. */
function ifYou(owner: Owner, first?: Text): Text {
  const [nao, not] = notYou(owner);
  const [antes, before] =
    first === undefined ? ['', ''] : [` Se não foi, ${first[0]}.`, ` If it was not, ${first[1]}.`];
  return [
    `Se foi você, não é preciso fazer nada.${antes} ${nao}`,
    `If it was you, nothing needs to be done.${before} ${not}`,
  ];
}

function notYou({ ownerType }: Owner): Text {
  return ownerType === 'AGENT_USER'
    ? [
        'Se não foi você, troque a senha no portal da emissora, encerre as outras sessões e revogue as chaves que não conhece.',
        "If it was not you, change the password in the issuer's portal, end the other sessions and revoke the keys that you do not know.",
      ]
    : [
        'Se não foi você, peça uma nova senha em "esqueci a senha", e escolha revogar as chaves: isso encerra todas as sessões.',
        'If it was not you, choose "I forgot my password" and revoke the keys with it: that ends all sessions.',
      ];
}

const notExpected: Text = [
  'Se você não esperava isto, fale com os outros operadores: o log de auditoria diz quem a emitiu.',
  'If you did not expect this, contact the other operators: the audit log says who issued it.',
];

export function keyLinkMail(operator: Reader, moment: Date, link: string): Mail {
  const [em, at] = momentTexts(moment);
  return compose(operator, {
    subject: ['Sua chave de operador', 'Your operator key'],
    paragraphs: [
      [
        `Uma chave de operador foi emitida para você em ${em}. Só você a vê, uma única vez, na página deste endereço.`,
        `An operator key was issued to you on ${at}. Only you see it, once, on the page of this link.`,
      ],
      [
        `O endereço vale por 24 horas e funciona uma vez. ${notExpected[0]}`,
        `The link is valid for 24 hours and works once. ${notExpected[1]}`,
      ],
    ],
    action: { label: ['Ver a chave', 'See the key'], link },
  });
}

export function newOperatorKeyMail(operator: Reader, moment: Date): Mail {
  const [em, at] = momentTexts(moment);
  return compose(operator, {
    subject: ['Nova chave de operador', 'New operator key'],
    paragraphs: [
      [
        `Uma chave de operador foi emitida para você em ${em}, e mostrada a quem a emitiu: você mesmo, ou quem tem acesso à máquina do serviço.`,
        `An operator key was issued to you on ${at}, and shown to whoever issued it: you, or somebody with access to the machine of this service.`,
      ],
      [
        `Se foi você, não é preciso fazer nada. ${notExpected[0]}`,
        `If it was you, nothing needs to be done. ${notExpected[1]}`,
      ],
    ],
  });
}

export function keyIssuedMail(administrator: Reader, moment: Date, owner: string, issuer: string): Mail {
  const [em, at] = momentTexts(moment);
  return compose(administrator, {
    subject: ['Chave de operador emitida', 'Operator key issued'],
    paragraphs: [
      [
        `${issuer} emitiu uma chave de operador para ${owner} em ${em}.`,
        `${issuer} issued an operator key to ${owner} on ${at}.`,
      ],
      [
        'Se você não conhece essa pessoa, revogue o operador e fale com os outros: o log de auditoria diz quem fez o quê.',
        'If you do not know this person, revoke the operator and contact the others: the audit log says who did what.',
      ],
    ],
  });
}
