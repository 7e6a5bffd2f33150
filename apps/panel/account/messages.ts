import { logIn } from '../../design/messages/log-in.js';
import { words } from '../frame/messages/words.js';

export const texts = {
  words,
  email: logIn.email,
  password: logIn.password,
  logIn,
  secondFactor: {
    title: ['Segundo fator', 'Second factor'],
    leads: {
      ACCOUNT: ['Senha correta. Falta o segundo fator.', 'The password is right. Now prove the second factor.'],
      OPERATOR: ['Chave correta. Falta o segundo fator.', 'The operator key is right. Now prove the second factor.'],
      TRADER: ['Chaves corretas. Falta o segundo fator.', 'Both keys are right. Now prove the second factor.'],
    },
  },
  register: {
    title: ['Criar uma conta', 'Create an account'],
    lead: [
      'Com a conta você cria chaves de API e webhooks e segue operações, sem custo.',
      'An account gives API keys, webhooks and followed operations, free of charge.',
    ],
    name: ['Seu nome', 'Your name'],
    company: ['Empresa ou instituição', 'Company or institution'],
    passwordHint: ['8 a 128 caracteres, com letras e números', '8 to 128 characters, with letters and numbers'],
    submit: ['Criar conta', 'Create account'],
    done: ['Confira seu e-mail', 'Check your e-mail'],
    doneText: (email: string) => [
      `Enviamos um link de confirmação para ${email}. Ele vale por 24 horas. Se você já tem conta, o e-mail avisa.`,
      `We have sent a confirmation link to ${email}. It is valid for 24 hours. If you already have an account, the message says so.`,
    ],
    again: ['Enviar de novo', 'Send again'],
    sentAgain: ['Enviado de novo.', 'Sent again.'],
    toLogIn: ['Já confirmei: entrar', 'I have confirmed: log in'],
    have: ['Já tenho conta', 'I already have an account'],
  },
  forgotten: {
    title: ['Esqueci a senha', 'Forgotten password'],
    lead: [
      'Se houver uma conta com este e-mail, enviamos um link para definir uma nova senha. Ele vale por 1 hora.',
      'We send a link to set a new password, if the e-mail has an account here. It is valid for 1 hour.',
    ],
    submit: ['Enviar', 'Send'],
    done: ['Confira seu e-mail.', 'Check your e-mail.'],
    back: ['Voltar ao login', 'Back to the log-in'],
  },
  security: {
    title: ['Segurança', 'Security'],
    lead: [
      'Um segundo fator protege a conta mesmo que alguém descubra a senha.',
      'A second factor protects the account even if the password is known.',
    ],
    required: [
      'Você precisa de um segundo fator para usar o painel. Adicione um agora.',
      'You need a second factor to use the panel. Add one now.',
    ],
    passkeys: 'Passkeys',
    passkeysEmpty: [
      'Nenhuma passkey. Ela resiste a phishing, e uma conta entra com ela sem senha.',
      'No passkey. Another site cannot phish it, and an account logs in with it without a password.',
    ],
    addPasskey: ['Adicionar passkey', 'Add a passkey'],
    passkeyNameHint: ['Por exemplo, o aparelho', 'For example the device'],
    added: ['Adicionada', 'Added'],
    removePasskey: (name: string) => [`Remover a passkey “${name}”?`, `Remove the passkey “${name}”?`],
    removeText: ['Ela deixa de valer de imediato.', 'It is worthless at once.'],
    totp: ['Aplicativo autenticador', 'Authenticator application'],
    totpSince: (day: string) => [`Adicionado em ${day}.`, `Added on ${day}.`],
    totpNone: [
      'Nenhum aplicativo. Ele gera um código de 6 dígitos a cada 30 segundos.',
      'No application. A code of 6 digits changes every 30 seconds.',
    ],
    addTotp: ['Adicionar aplicativo', 'Add an application'],
    removeTotp: ['Remover o aplicativo autenticador?', 'Remove the authenticator application?'],
    scan: [
      'Leia o código com o aplicativo, ou digite o segredo, e confirme com o código que ele mostra.',
      'Read the code with the application, or type the secret, and confirm with the code that it shows.',
    ],
    qr: [
      'Código QR com o segredo do aplicativo autenticador',
      'QR code with the secret of the authenticator application',
    ],
    code: ['Código de 6 dígitos', 'Code of 6 digits'],
    confirm: ['Confirmar', 'Confirm'],
    codes: ['Códigos de recuperação', 'Recovery codes'],
    codesLeft: {
      one: ['Resta 1 código.', '1 code is left.'],
      other: ['Restam # códigos.', '# codes are left.'],
    },
    replaceCodes: ['Gerar novos códigos', 'Make new codes'],
    replaceText: ['Os códigos atuais deixam de valer.', 'The present codes become worthless.'],
    codesText: [
      'Cada código vale uma vez, no lugar do segundo fator. Guarde-os agora: eles não aparecem de novo.',
      'Each code works once, in place of the second factor. Store them now: they are not shown again.',
    ],
    codesFile: ['codigos-de-recuperacao.txt', 'recovery-codes.txt'],
    codesStored: ['Guardei os códigos', 'I have stored the codes'],
    failedPasskey: [
      'A passkey não foi criada: o pedido foi cancelado, ou este aparelho já tem uma.',
      'The passkey was not created: the request was cancelled, or this device has one already.',
    ],
  },
  sessions: {
    title: ['Sessões', 'Sessions'],
    lead: [
      'Onde sua conta está aberta agora. Se não reconhecer uma sessão, encerre-a e mude a senha.',
      'Where your account is open now. If you do not recognize one, end it and change the password.',
    ],
    empty: ['Nenhuma sessão.', 'No session.'],
    program: ['Programa', 'Program'],
    unknown: ['Desconhecido', 'Unknown'],
    current: ['Esta sessão', 'This session'],
    browser: ['Navegador', 'Browser'],
    token: 'Token',
    opened: ['Aberta', 'Opened'],
    lastSeen: ['Última atividade', 'Last activity'],
    end: ['Encerrar', 'End'],
    endOthers: ['Encerrar as outras', 'End the others'],
    endOthersText: [
      'Todas as sessões menos esta deixam de valer em até 1 segundo.',
      'Within 1 second all sessions except this one are worthless.',
    ],
    ended: ['A sessão foi encerrada.', 'The session was ended.'],
    endedOthers: {
      one: ['1 sessão foi encerrada.', '1 session was ended.'],
      other: ['# sessões foram encerradas.', '# sessions were ended.'],
    },
  },
  data: {
    title: ['Dados da conta', 'Account data'],
    origin: ['Origem', 'Origin'],
    origins: {
      EMISSOES_USER: ['Registrada aqui', 'Registered here'],
      AGENT_USER: ['Portal da securitizadora', 'Portal of the issuer'],
    },
    change: ['Mudar a senha', 'Change the password'],
    current: ['Senha atual', 'Present password'],
    next: ['Nova senha', 'New password'],
    changed: [
      'Senha alterada. As outras sessões foram encerradas.',
      'The password was changed. The other sessions were ended.',
    ],
    export: ['Exportar meus dados', 'Export my data'],
    exportText: [
      'Tudo o que está guardado sobre a conta, em JSON (LGPD, art. 18).',
      'Everything that is stored about the account, as JSON (LGPD, art. 18).',
    ],
    remove: ['Excluir a conta', 'Delete the account'],
    removeText: [
      'Nome, e-mail, sessões, chaves, webhooks e lista são apagados de imediato e para sempre. Isso não pode ser desfeito.',
      'Name, e-mail, sessions, keys, webhooks and list are deleted at once and for ever. This cannot be undone.',
    ],
    removeTitle: ['Excluir a conta para sempre?', 'Delete the account for ever?'],
  },
  mails: {
    title: ['E-mails', 'Mails'],
    language: ['Idioma dos e-mails', 'Language of mails'],
    languageHint: [
      'Os avisos de chaves que expiram são enviados 30, 10 e 1 dia antes.',
      'Notices of keys that expire are sent 30, 10 and 1 days ahead.',
    ],
    languages: {
      PT_BR: ['Português', 'Portuguese'],
      EN: ['Inglês', 'English'],
    },
    saved: ['Salvo.', 'Saved.'],
  },
} as const;
