import { printable, type Parameter, type Route } from '../route.js';
import { pageSize, taxId } from './parameters.js';
import { modeParameters, trading } from './trading.js';

const login = { tag: 'Trading', credential: 'none', bucket: 'accounts', status: 200 } as const;

const secret = (description: string, maxLength = 200): Parameter => ({
  description,
  schema: { minLength: 1, maxLength },
  rule: `must have 1 to ${maxLength} characters`,
});

const fetchProfiles: Route = {
  ...trading,
  method: 'GET',
  path: '/v1/account/fetchProfiles',
  operation: 'fetchProfiles',
  scope: 'read',
  status: 200,
  summary: 'List profiles',
  description:
    'The profiles of the company, oldest first. They are the same for real and synthetic calls, except for `walletId`.',
  response: 'A page of profiles.',
  parameters: {
    ...modeParameters,
    limit: pageSize(),
    nextToken: { description: '`nextToken` of the previous page. Omitted: the first page.' },
  },
  example: { query: { limit: '20' } },
};

export const tradingAccessRoutes: readonly Route[] = [
  {
    ...login,
    method: 'POST',
    path: '/v1/auth/login',
    operation: 'tradingLogin',
    summary: 'Log in a company',
    description:
      'Logs in with the pair of a credential, as issued at onboarding. The access token is valid for 1 hour, the refresh token for 7 days and one use. A credential has at most 100 logins: one more ends the login that was not refreshed for the longest time.',
    response: 'The tokens.',
    errors: {
      401: 'The pair is wrong, revoked or expired, or the credential does not allow this address (code CAAS_AUTH_002).',
    },
    parameters: {
      apiKey: secret('The public key of the credential, `svc_trd_…`.'),
      secretKey: secret('The secret of the credential, `svc_trd_secret_…`.'),
    },
    example: { body: { apiKey: 'svc_trd_…', secretKey: 'svc_trd_secret_…' } },
  },
  {
    ...login,
    method: 'PUT',
    path: '/v1/auth/refresh',
    operation: 'refreshTradingTokens',
    summary: 'Refresh the tokens',
    description:
      'Exchanges a refresh token for new tokens, without another login. A refresh token can be used once: a second use ends the login: within 1 second none of its access tokens is valid, and its sockets close within ten seconds. Within ten seconds of the first use, the same client (`User-Agent`) at the same address gets the same tokens again, and the login continues; with `X-Idempotency-Key` the same request does so for 24 hours.',
    response: 'The tokens.',
    errors: {
      401: 'The refresh token is unknown, used or expired, or its credential was revoked (code CAAS_AUTH_001).',
    },
    parameters: { refreshToken: secret('The refresh token of the last login or refresh, a JWT.', 2_048) },
    example: { body: { refreshToken: 'eyJhbGciOiJFZERTQSIs…' } },
  },
  {
    ...trading,
    method: 'POST',
    path: '/v1/account/createProfile',
    operation: 'createProfile',
    scope: 'trade',
    status: 201,
    summary: 'Open a profile',
    description:
      'Opens a profile for a client of the company, with a real and a synthetic wallet. A company has at most one profile for a person; other companies may have profiles for the same person.',
    response: 'The profile was opened.',
    errors: {
      403: 'The credential lacks the scope `trade`, or the company is suspended.',
      409: 'The company already has a profile with this document (code CAAS_PROF_001), or the idempotency key conflicts.',
      422: 'The check digits of the document are wrong.',
    },
    parameters: {
      ...modeParameters,
      name: {
        description: 'Name of the client, 1 to 200 characters.',
        schema: { minLength: 1, maxLength: 200, pattern: printable.some },
        identifies: true,
        rule: 'must have 1 to 200 characters',
      },
      document: taxId('CPF (11 digits) or CNPJ (14 digits, or digits and capital letters), without punctuation.'),
      documentType: { description: 'The type of the document, CPF or CNPJ.', rule: 'must be CPF or CNPJ' },
      email: {
        description: 'E-mail address of the client, at most 254 ASCII characters.',
        schema: { format: 'email', maxLength: 254, pattern: '^[!-?A-~]+@[!-?A-~]+\\.[!-?A-~]+$' },
        identifies: true,
        rule: 'must be an e-mail address of at most 254 characters',
      },
    },
    example: {
      body: {
        name: 'Maria Oliveira',
        document: '52998224725',
        documentType: 'CPF',
        email: 'maria.oliveira@cliente.example',
      },
    },
  },
  fetchProfiles,
  { ...fetchProfiles, path: '/account/fetchProfiles', operationId: 'fetchProfilesUnversioned' },
];
