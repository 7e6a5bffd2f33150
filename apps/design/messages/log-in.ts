/** Texts of the log-in, Portuguese first: for the form in the page, and for the form that the panel's script renders. */
export const logIn = {
  email: 'E-mail',
  password: ['Senha', 'Password'],
  title: ['Entrar', 'Log in'],
  submit: ['Entrar', 'Log in'],
  passkey: ['Entrar com passkey', 'Log in with a passkey'],
  wrong: ['E-mail ou senha incorretos.', 'The e-mail or the password is wrong.'],
  wrongKey: ['Chave incorreta.', 'The key is wrong.'],
  register: ['Criar uma conta', 'Create an account'],
  forgotten: ['Esqueci a senha', 'Forgotten password'],
  emailOrKey: ['E-mail ou chave', 'E-mail or key'],
  operatorKey: ['Chave de operador', 'Operator key'],
  secretKey: ['Chave secreta', 'Secret key'],
} as const;
