import type { Mail } from '../../../shared/mail/mail.js';
import { compose, momentText, type Reader } from '../accounts/compose-mail.js';

const notYou = 'Se você não esperava isto, fale com os outros operadores: o log de auditoria diz quem a emitiu.';

/** Builds the mail with the link by which an operator fetches a key. */
export function keyLinkMail(owner: Reader, moment: Date, link: string): Mail {
  return compose(owner, {
    subject: 'Sua chave de operador',
    paragraphs: [
      `Uma chave de operador foi emitida para você em ${momentText(moment)}. Só você a vê, uma única vez, na página deste endereço.`,
      `O endereço vale por 24 horas e funciona uma vez. ${notYou}`,
    ],
    action: { label: 'Ver a chave', link },
  });
}

/** Builds the mail about a key that was shown where it was made. */
export function newOperatorKeyMail(owner: Reader, moment: Date): Mail {
  return compose(owner, {
    subject: 'Nova chave de operador',
    paragraphs: [
      `Uma chave de operador foi emitida para você em ${momentText(moment)}, e mostrada a quem a emitiu: você mesmo, ou quem tem acesso à máquina do serviço.`,
      `Se foi você, não é preciso fazer nada. ${notYou}`,
    ],
  });
}

/** Builds the mail to another administrator about a key that one issued to somebody else. */
export function keyIssuedMail(administrator: Reader, moment: Date, owner: string, issuer: string): Mail {
  return compose(administrator, {
    subject: 'Chave de operador emitida',
    paragraphs: [
      `${issuer} emitiu uma chave de operador para ${owner} em ${momentText(moment)}.`,
      'Se você não conhece essa pessoa, revogue o operador e fale com os outros: o log de auditoria diz quem fez o quê.',
    ],
  });
}
