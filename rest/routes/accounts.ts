import { printable, type Parameter, type Route } from '../route.js';

const email: Parameter = {
  description:
    'E-mail address, at most 254 characters of ASCII. Compared without regard to case and to spaces around it.',
  // The form of the HTML standard (§4.10.5.1.5), with at least one dot in the domain.
  schema: {
    format: 'email',
    maxLength: 254,
    pattern:
      String.raw`^\s*[A-Za-z0-9.!#$%&'*+/=?^_` +
      '`' +
      String.raw`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+\s*$`,
  },
  rule: 'must be an e-mail address of at most 254 characters',
};

const newPassword: Parameter = {
  description:
    '8 to 128 characters, letters and numbers among them. Other characters may be among them too. One of the commonest passwords is refused with 422, whatever the case of its letters.',
  schema: { minLength: 8, maxLength: 128 },
  form: /^(?=.*\p{L})(?=.*\p{N})/su,
  rule: 'must have 8 to 128 characters, with letters and numbers among them',
};

const label = (description: string): Parameter => ({
  description: `${description}, 1 to 200 characters, none of them a control character.`,
  schema: { minLength: 1, maxLength: 200, pattern: printable.some },
  rule: 'must have 1 to 200 characters, none of them a control character',
});

const token = (link: string): Parameter => ({
  description: `The token of the ${link} link, which works once.`,
  schema: { minLength: 1 },
  rule: 'must not be empty',
});

const account = { method: 'POST', tag: 'Account', credential: 'none', bucket: 'accounts', status: 200 } as const;

const badToken = 'The token is unknown, used or expired.';
const commonPassword = 'The password is one of the commonest ones.';

export const accountRoutes: readonly Route[] = [
  {
    ...account,
    path: '/v1/emissoes/auth/register',
    operation: 'register',
    summary: 'Register an account',
    description:
      'Creates an unconfirmed account and mails a link that confirms it, for 24 hours. An e-mail that has a confirmed account already gets the same answer, and its owner is told by mail: the answer never says which e-mails are registered. While an e-mail is registered several times and none is confirmed, each registration is confirmed by its own link only, and the first logs in. An e-mail gets at most 10 messages an hour; a registration beyond them is not kept, nor is one that nobody confirms within 8 days of its last message.',
    answer: 'The request was taken.',
    faults: { 422: commonPassword },
    parameters: {
      name: label('Name of the person who will use the API'),
      email,
      password: newPassword,
      company: label('Company or institution'),
    },
    example: {
      body: {
        name: 'Ana Souza',
        email: 'ana.souza@integrador.example',
        password: 'ponte-velha-1965',
        company: 'Integrador Ltda.',
      },
    },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/verify-email',
    operation: 'verifyEmail',
    summary: 'Confirm an e-mail address',
    description:
      'Confirms the registration that the link was mailed for, with the name, company and password given in it, and answers with a session. Other registrations of the e-mail are discarded, with their links and sessions.',
    answer: 'The e-mail is confirmed.',
    faults: { 403: 'The account is disabled.', 422: badToken },
    parameters: { token: token('confirmation') },
    example: { body: { token: 'the token of the link in the mail' } },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/resend-verification',
    operation: 'resendVerification',
    summary: 'Send the confirmation link again',
    description:
      'Mails a new confirmation link if the e-mail has an unconfirmed account; the answer is the same if not. While the e-mail is registered several times, the mail says to register again instead: nobody can know whose link it should be.',
    answer: 'The request was taken.',
    faults: {},
    parameters: { email },
    example: { body: { email: 'ana.souza@integrador.example' } },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/login',
    operation: 'login',
    summary: 'Log in',
    description:
      "Takes accounts made here and accounts of the issuer's portal, with the same password as there. The session is a JWT that is valid for 12 hours. An account whose e-mail is not confirmed may log in, but its session sees `me` only (403 elsewhere), and may log out; of several that wait for one e-mail, the first may log in. At most 50 sessions of an account are open: one more ends the oldest. A session from a network that the account was not used from before is told of by mail.",
    answer: 'The session.',
    faults: {
      401: 'E-mail and password do not belong together.',
      403: 'They do, and the account is disabled.',
      429: 'Too many requests from this address, or ten failed logins for this e-mail within 15 minutes.',
      503: "Only the issuer's portal knows the account, and it does not answer.",
    },
    parameters: {
      email,
      password: {
        description: 'The password, at most 1024 characters.',
        schema: { minLength: 1, maxLength: 1024 },
        rule: 'must have 1 to 1024 characters',
      },
    },
    example: { body: { email: 'ana.souza@integrador.example', password: 'ponte-velha-1965' } },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/forgot-password',
    operation: 'forgotPassword',
    summary: 'Ask for a password reset link',
    description:
      "Mails a reset link that works for 1 hour, if the e-mail has an account made here; the answer is the same if not. Users of the issuer's portal reset their password in the portal. While the e-mail is registered several times and none is confirmed, the mail says to register again instead.",
    answer: 'The request was taken.',
    faults: {},
    parameters: { email },
    example: { body: { email: 'ana.souza@integrador.example' } },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/reset-password',
    operation: 'resetPassword',
    summary: 'Set a new password',
    description:
      'Sets a new password by the token of the reset link. Every session of the account ends, its other reset links are used up, and its owner is told by mail. API keys go on working, unless `revokeKeys` is true. A password that is refused leaves the link good.',
    answer: 'The password is set.',
    faults: { 422: `${badToken} Or: ${commonPassword.charAt(0).toLowerCase()}${commonPassword.slice(1)}` },
    parameters: {
      token: token('reset'),
      password: newPassword,
      revokeKeys: {
        description:
          'Whether every API key and developer key of the account is revoked too, for good. Not sent: they are not.',
      },
    },
    example: { body: { token: 'the token of the link in the mail', password: 'ponte-nova-1966' } },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/logout',
    operation: 'logout',
    credential: 'session',
    bucket: 'session',
    status: 204,
    summary: 'Log out',
    description:
      'Ends the session, of a confirmed account or not: within a second every request with it answers 401, and within ten seconds its WebSockets are closed. Other sessions of the account go on.',
    answer: 'The session has ended.',
    faults: {},
    parameters: {},
    example: {},
  },
  {
    ...account,
    method: 'GET',
    path: '/v1/emissoes/auth/me',
    operation: 'me',
    credential: 'session',
    bucket: 'session',
    summary: 'See the account of the session',
    description: 'The user to whom the session belongs.',
    answer: 'The user.',
    faults: {},
    parameters: {},
    example: {},
  },
];

const keys = { path: '/v1/emissoes/keys', tag: 'API keys', credential: 'session', bucket: 'session' } as const;

const unconfirmed = 'The e-mail of the account is not confirmed.';

export const keyRoutes: readonly Route[] = [
  {
    ...keys,
    method: 'GET',
    operation: 'apiKeys',
    status: 200,
    summary: 'List API keys',
    description:
      'The keys of the account: those that are not revoked first, then the newest, at most 200. The secret of a key is never shown again. An expired key shows `status: ACTIVE` with a past `expiresAt`.',
    answer: 'The keys.',
    faults: { 403: unconfirmed },
    parameters: {},
    example: {},
  },
  {
    ...keys,
    method: 'POST',
    operation: 'createApiKey',
    status: 201,
    summary: 'Create an API key',
    description:
      'Creates a key, tells the owner of the account by mail, and answers it. It is valid for 365 days, for as many requests per minute as its `rateLimit` says: 60, unless the house sets another number (`RATE_LIMIT_API_KEY`). The whole key is shown in this answer only. An account has at most 5 keys that are ACTIVE and not expired.',
    answer: 'The key was created.',
    faults: {
      403: unconfirmed,
      409: 'The account has 5 active keys already, or the idempotency key conflicts.',
    },
    parameters: { name: label('Label of the key, chosen by the user') },
    example: { body: { name: 'Painel de risco' } },
  },
  {
    ...keys,
    method: 'DELETE',
    path: '/v1/emissoes/keys/:id',
    operation: 'revokeApiKey',
    status: 204,
    summary: 'Revoke an API key',
    description:
      'Revokes a key for good: within a second every request with it answers 401. Revoking it again answers 204 again.',
    answer: 'The key is revoked.',
    faults: { 403: unconfirmed, 404: 'The account has no such key.' },
    parameters: { id: { description: 'Id of the key.' } },
    example: { path: { id: '01935b2c-7f3e-7a10-9d55-0f6f3a1c2b4d' } },
  },
];
