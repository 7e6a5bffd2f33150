import type { LogInTexts } from './log-in.pt-BR.js';

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
  emailOrKey: 'E-mail or key',
  operatorKey: 'Operator key',
  secretKey: 'Secret key',
};
