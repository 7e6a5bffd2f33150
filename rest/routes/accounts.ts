import { printable, type Parameter, type Route } from '../route.js';

const email: Parameter = {
  description:
    'E-mail address, at most 254 characters of ASCII. Compared without regard to case and surrounding spaces.',
  // The form of the HTML standard (§4.10.5.1.5), with at least one dot in the domain.
  schema: {
    format: 'email',
    maxLength: 254,
    pattern:
      String.raw`^\s*[A-Za-z0-9.!#$%&'*+/=?^_` +
      '`' +
      String.raw`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+\s*$`,
  },
  identifies: true,
  rule: 'must be an e-mail address of at most 254 characters',
};

const newPassword: Parameter = {
  description:
    '8 to 128 characters, with at least one letter and one number; other characters are allowed. One of the most common passwords is rejected with 422, whatever the case of its letters.',
  schema: { minLength: 8, maxLength: 128 },
  form: /^(?=.*\p{L})(?=.*\p{N})/su,
  rule: 'must have 8 to 128 characters, with letters and numbers among them',
};

const label = (description: string): Parameter => ({
  description: `${description}, 1 to 200 characters, none of them a control character or invisible.`,
  schema: { minLength: 1, maxLength: 200, pattern: printable.some },
  identifies: true,
  rule: 'must have 1 to 200 characters, none of them a control character or invisible',
});

const token = (link: string): Parameter => ({
  description: `The token of the ${link} link, which works once.`,
  schema: { minLength: 1 },
  rule: 'must have 1 to 1,000 characters: copy the token of the link',
});

const account = { method: 'POST', tag: 'Account', credential: 'none', bucket: 'accounts', status: 200 } as const;

const badToken = 'The token is unknown, used or expired.';
const commonPassword = 'The password is one of the most common ones.';

export const accountRoutes: readonly Route[] = [
  {
    ...account,
    path: '/v1/emissoes/auth/register',
    operation: 'register',
    summary: 'Register an account',
    description:
      'Creates an unconfirmed account and mails a confirmation link that is valid for 24 hours. An e-mail that already has a confirmed account gets the same response, and its owner is notified by mail: the response never reveals which e-mails are registered. While an e-mail has several registrations and none is confirmed, each one is confirmed by its own link only, and only the first one can log in. An e-mail gets at most 7 messages an hour about registrations, 2 where it has an account, whose links to reset the password have a limit of their own; a registration beyond that is not stored, and one that is not confirmed within 8 days of its last message is deleted.',
    response: 'The request was accepted.',
    errors: { 422: commonPassword },
    parameters: {
      name: label('Name of the person who will use the API'),
      email,
      password: newPassword,
      company: label('Company or institution'),
      language: { description: 'Language of mails to the account; `PT_BR` without it' },
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
      'Confirms the registration of the link, with the name, company and password given in it, and returns a session. Other registrations of the e-mail are deleted, with their links and sessions.',
    response: 'The e-mail is confirmed.',
    errors: { 403: 'The account is disabled.', 422: badToken },
    parameters: { token: token('confirmation') },
    example: { body: { token: 'the token of the link in the mail' } },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/resend-verification',
    operation: 'resendVerification',
    summary: 'Send the confirmation link again',
    description:
      'Mails a new confirmation link if the e-mail has an unconfirmed account; the response is the same if it has none. While the e-mail has several registrations, the mail asks to register again instead, because the owner of the link is unknown.',
    response: 'The request was accepted.',
    parameters: { email },
    example: { body: { email: 'ana.souza@integrador.example' } },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/login',
    operation: 'login',
    summary: 'Log in',
    description:
      "Accepts accounts created here and accounts of the issuer's portal, with the password of the portal. The session is a JWT that is valid for 12 hours. An account whose e-mail is not confirmed may log in, but its session can only read `me` and log out (403 elsewhere); of several registrations of one e-mail, only the first may log in. An account has at most 50 open sessions: one more ends the oldest. The owner is notified by mail of a session from a network from which the account was not used before.",
    response: 'The session.',
    errors: {
      401: 'The combination of e-mail and password is wrong.',
      403: 'E-mail and password are right, but the account is disabled, or has a second factor (code `SECOND_FACTOR_REQUIRED`): its programs use API keys.',
      429: 'Too many requests from this address, or ten failed logins for this e-mail within 15 minutes.',
      503: "The account exists only in the issuer's portal, which does not respond.",
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
    summary: 'Request a password reset link',
    description:
      "Mails a reset link that is valid for 1 hour if the e-mail has an account created here; the response is the same if it has none. Users of the issuer's portal reset their password in the portal. While the e-mail has several registrations and none is confirmed, the mail asks to register again instead.",
    response: 'The request was accepted.',
    parameters: { email },
    example: { body: { email: 'ana.souza@integrador.example' } },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/reset-password',
    operation: 'resetPassword',
    summary: 'Set a new password',
    description:
      'Sets a new password with the token of the reset link. All sessions of the account end, its other reset links become invalid, and its owner is notified by mail. API keys keep working unless `revokeKeys` is true. If the password is rejected, the link stays valid.',
    response: 'The password is set.',
    errors: { 422: `${badToken} Or: ${commonPassword.charAt(0).toLowerCase()}${commonPassword.slice(1)}` },
    parameters: {
      token: token('reset'),
      password: newPassword,
      revokeKeys: {
        description:
          'Whether all API keys and developer keys of the account are revoked too, permanently. `false` when omitted.',
      },
    },
    example: { body: { token: 'the token of the link in the mail', password: 'ponte-nova-1966' } },
  },
  {
    ...account,
    path: '/v1/emissoes/auth/logout',
    operation: 'logout',
    credential: 'session',
    unconfirmed: true,
    bucket: 'session',
    status: 204,
    summary: 'Log out',
    description:
      'Ends the session, whether or not the account is confirmed: within a second every request with it gets 401, and within ten seconds its WebSockets are closed. Other sessions of the account continue.',
    response: 'The session has ended.',
    parameters: {},
    example: {},
  },
  {
    ...account,
    method: 'GET',
    path: '/v1/emissoes/auth/me',
    operation: 'me',
    credential: 'session',
    unconfirmed: true,
    bucket: 'session',
    summary: 'Get the account of the session',
    description: 'The user to whom the session belongs.',
    response: 'The user.',
    parameters: {},
    example: {},
  },
];

const keys = { path: '/v1/emissoes/keys', tag: 'API keys', credential: 'session', bucket: 'session' } as const;

export const keyRoutes: readonly Route[] = [
  {
    ...keys,
    method: 'GET',
    operation: 'apiKeys',
    status: 200,
    summary: 'List API keys',
    description:
      'The keys of the account, at most 200: first the ones that are not revoked, newest first. The secret of a key is never shown again. An expired key has `status: ACTIVE` with a past `expiresAt`.',
    response: 'The keys.',
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
      'Creates a key, notifies the owner of the account by mail, and returns the key. It is valid for 365 days, for `rateLimit` requests a minute: 60, unless the server is configured with another number (`RATE_LIMIT_API_KEY`). The complete key is shown in this response only. An account has at most 5 keys that are ACTIVE and not expired.',
    response: 'The key was created.',
    errors: { 409: 'The account has 5 active keys already, or the idempotency key conflicts.' },
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
      'Revokes a key permanently: within a second every request with it gets 401. Revoking it again returns 204 again.',
    response: 'The key is revoked.',
    errors: { 404: 'The account has no such key.' },
    parameters: { id: { description: 'Id of the key.' } },
    example: { path: { id: '01935b2c-7f3e-7a10-9d55-0f6f3a1c2b4d' } },
  },
];
