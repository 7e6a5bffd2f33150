/** Texts of the log-in, in Portuguese: of the form that the panel's page comes with, and of the one that its script makes. */
export const portuguese = {
  email: 'E-mail',
  password: 'Senha',
  title: 'Entrar',
  submit: 'Entrar',
  passkey: 'Entrar com passkey',
  wrong: 'E-mail ou senha incorretos.',
  wrongKey: 'Chave incorreta.',
  register: 'Criar uma conta',
  forgotten: 'Esqueci a senha',
  emailOrKey: 'E-mail ou chave',
  operatorKey: 'Chave de operador',
  secretKey: 'Chave secreta',
};

export type LogInTexts = typeof portuguese;
