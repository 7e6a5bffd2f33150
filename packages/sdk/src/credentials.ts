import type { CredentialKind, Operation } from './operation.js';
import type { ClientOptions, Secret } from './options.js';
import type { PreparedRequest } from './request.js';
import { readPrivateKey, signRequest } from './signing.js';
import type { TradingSession } from './trading-session.js';

/** The headers of a credential. */
export type CredentialHeaders = Readonly<Record<string, string>>;

/** Returns a function that makes the credential of a request, anew for each attempt. */
export function credentialsOf(options: ClientOptions, session: TradingSession | undefined) {
  const { apiKey, developerKey, session: account, originator } = options;
  const makers: Partial<
    Record<CredentialKind, (method: string, request: PreparedRequest) => Promise<CredentialHeaders>>
  > = {
    ...(apiKey === undefined ? {} : { apiKey: async () => ({ 'x-api-key': await valueOf(apiKey) }) }),
    ...(developerKey === undefined ? {} : { developerKey: async () => ({ 'x-api-key': await valueOf(developerKey) }) }),
    ...(account === undefined ? {} : { session: async () => bearer(await valueOf(account)) }),
    ...(session === undefined ? {} : { accessToken: async () => bearer(await session.accessToken()) }),
    ...(originator === undefined ? {} : { signature: signer(originator) }),
  };
  return async (
    { id, method, credentials }: Operation<unknown, unknown>,
    request: PreparedRequest,
  ): Promise<CredentialHeaders> => {
    if (credentials.length === 0) return {};
    const maker = credentials.map((kind) => makers[kind]).find((one) => one !== undefined);
    if (maker === undefined)
      throw new TypeError(`${id} needs a credential: pass ${names(credentials)} to createClient`);
    return maker(method, request);
  };
}

const options: Readonly<Record<CredentialKind, keyof ClientOptions>> = {
  apiKey: 'apiKey',
  apiKeyBearer: 'apiKey',
  developerKey: 'developerKey',
  session: 'session',
  accessToken: 'trading',
  signature: 'originator',
};

function names(credentials: readonly CredentialKind[]): string {
  return [...new Set(credentials.map((kind) => options[kind]))].join(' or ');
}

function valueOf(secret: Secret): string | Promise<string> {
  return typeof secret === 'string' ? secret : secret();
}

function bearer(token: string): CredentialHeaders {
  return { authorization: `Bearer ${token}` };
}

function signer({ clientId, privateKey }: NonNullable<ClientOptions['originator']>) {
  let key: ReturnType<typeof readPrivateKey> | undefined;
  return async (method: string, { target, body }: PreparedRequest): Promise<CredentialHeaders> => {
    const timestamp = Math.floor(Date.now() / 1_000);
    key ??= readPrivateKey(privateKey);
    return {
      'x-client-id': clientId,
      'x-timestamp': String(timestamp),
      'x-signature': await signRequest(await key, { method, target, timestamp, body }),
    };
  };
}
