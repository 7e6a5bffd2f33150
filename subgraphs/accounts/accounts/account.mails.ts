import type { Mail } from '../../../shared/mail/mail.js';

/** Where the links in mail lead. The pages behind them post the token to the house. */
export interface MailLinks {
  verifyEmail(token: string): string;
  resetPassword(token: string): string;
}

/** The pages of this house under its public address. */
export function houseLinks(publicUrl: string): MailLinks {
  return {
    verifyEmail: (token) => `${publicUrl}/verificar-email?token=${encodeURIComponent(token)}`,
    resetPassword: (token) => `${publicUrl}/redefinir-senha?token=${encodeURIComponent(token)}`,
  };
}

interface Reader {
  readonly email: string;
  readonly name: string;
}

interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the reader is asked to open, after the first paragraph. */
  readonly action?: { readonly label: string; readonly link: string };
}

/** The link that confirms an e-mail, for a new account. */
export function confirmationMail(reader: Reader, link: string): Mail {
  return compose(reader, {
    subject: 'Confirme seu e-mail',
    paragraphs: [
      'Para começar a gerar chaves de API, confirme que este e-mail é seu.',
      'O endereço vale por 24 horas e funciona uma vez. Se você não pediu este cadastro, ignore esta mensagem.',
    ],
    action: { label: 'Confirmar e-mail', link },
  });
}

/** Someone registered again an e-mail whose account was never confirmed. */
export function confirmationAgainMail(reader: Reader, link: string): Mail {
  return compose(reader, {
    subject: 'Confirme seu e-mail',
    paragraphs: [
      'Este e-mail já tinha um cadastro à espera de confirmação. Vale a senha do primeiro cadastro.',
      'O endereço vale por 24 horas e funciona uma vez. Se o primeiro cadastro não foi seu, não o confirme antes de trocar a senha: peça uma nova em "esqueci a senha".',
    ],
    action: { label: 'Confirmar e-mail', link },
  });
}

/** Someone registered an e-mail that has an account, or asked to confirm one that is confirmed. */
export function accountExistsMail(reader: Reader): Mail {
  return compose(reader, {
    subject: 'Você já tem uma conta',
    paragraphs: [
      'Recebemos um pedido de cadastro ou de confirmação para este e-mail, que já tem uma conta confirmada. Nada mudou nela: entre com a senha de sempre.',
      'Se você não lembra a senha, peça uma nova em "esqueci a senha". Se o pedido não foi seu, ignore esta mensagem.',
    ],
  });
}

/** Someone registered the e-mail of a user of the issuer's portal. */
export function portalAccountMail(reader: Reader): Mail {
  return compose(reader, {
    subject: 'Você já tem uma conta',
    paragraphs: [
      'Recebemos um pedido de cadastro para este e-mail, que já entra com a conta do portal da emissora. Nada mudou nela: use o mesmo e-mail e a senha do portal, sem novo cadastro.',
      'A senha se troca no portal. Se o pedido não foi seu, ignore esta mensagem.',
    ],
  });
}

/** The link that sets a new password. */
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

function compose(reader: Reader, { subject, paragraphs, action }: Letter): Mail {
  const greeting = `Olá, ${greetingName(reader.name)}.`;
  const [first = '', ...others] = paragraphs;
  const text = [
    greeting,
    first,
    ...(action === undefined ? [] : [`${action.label}: ${action.link}`]),
    ...others,
    'Lastro',
  ];
  const html = [
    paragraph(greeting),
    paragraph(first),
    ...(action === undefined ? [] : [`<p><a href="${escapeHtml(action.link)}">${escapeHtml(action.label)}</a></p>`]),
    ...others.map(paragraph),
    paragraph('Lastro'),
  ];
  return {
    to: reader.email,
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="pt-BR"><body>\n${html.join('\n')}\n</body></html>\n`,
    links: action === undefined ? [] : [action.link],
  };
}

/**
 * A name as it may stand in mail: letters and spaces only, at most 60. Whoever registers chooses the name, and a name with
 * an address in it would make our mail carry a stranger's message to the owner of the e-mail.
 */
function greetingName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{M}' -]/gu, '').trim();
  return Array.from(plain).slice(0, 60).join('') || 'titular da conta';
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}
