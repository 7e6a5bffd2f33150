import type { LogInTexts } from './log-in.pt-BR.js';

/** Texts of the log-in, in English. */
export const english: LogInTexts = {
  email: 'E-mail',
  password: 'Password',
  title: 'Log in',
  submit: 'Log in',
  passkey: 'Log in with a passkey',
  wrong: 'The e-mail or the password is wrong.',
  wrongKey: 'The key is wrong.',
  register: 'Create an account',
  forgotten: 'Forgotten password',
  as: 'Log in as',
  kinds: { account: 'Account', operator: 'Operator', trader: 'Company that trades' },
  operatorKey: 'Operator key',
  apiKey: 'API key',
  secretKey: 'Secret key',
};
