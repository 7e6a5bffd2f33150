import { readPrivateKey, signRequest } from './signing.js';
import type { TradingSession } from './trading-session.js';

/** A credential, or a function that returns it for each request. */
export type Secret = string | (() => string | Promise<string>);

/** Credentials of the caller. */
export interface Credentials {
  /** API key (`svcpub_…`), for operation data. */
  readonly apiKey?: Secret | undefined;
  /** Key of a developer (`svc_dev_…`), for webhooks and token contracts. */
  readonly developerKey?: Secret | undefined;
  /** Session token of an account, for the account and its keys. */
  readonly session?: Secret | undefined;
  /** An originator's client, for credit assignment: every request is signed. The key is RSA in PEM. */
  readonly originator?: { readonly clientId: string; readonly privateKey: string } | undefined;
  /** A company's credential, for trading: the client logs in and refreshes its tokens. */
  readonly trading?: { readonly apiKey: string; readonly secretKey: string } | undefined;
}

type Kind = keyof Credentials;

/** The credentials that paths accept; the first rule that matches counts. A test compares them with the OpenAPI text. */
const rules: readonly (readonly [path: RegExp, accepted: readonly Kind[]])[] = [
  [/^\/tidc\//, ['originator']],
  [/^\/v1\/(assignment|settlement)-files\//, ['session']],
  [/^\/developer\//, ['developerKey']],
  [/^\/v1\/emissoes\/(auth\/(me|logout)$|keys)/, ['session']],
  [/^\/v1\/emissoes\/operacoes/, ['apiKey']],
  [/^\/v1\/emissoes\/mcp$/, ['apiKey', 'trading']],
  [/^\/(public|v1\/emissoes|v1\/auth)\//, []],
  [/^/, ['trading']],
];

/** A request as the server gets it, without its credential. */
export interface PlainRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/** The headers of a credential, anew for each attempt, and the access token that is one of them. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>;
  readonly accessToken?: string;
}

export function credentialsOf(known: Credentials, session: () => TradingSession | undefined) {
  let key: ReturnType<typeof readPrivateKey> | undefined;
  const makers: Readonly<Record<Kind, (request: PlainRequest) => Promise<Proof>>> = {
    apiKey: async () => ({ headers: { 'x-api-key': await valueOf(known.apiKey) } }),
    developerKey: async () => ({ headers: { 'x-api-key': await valueOf(known.developerKey) } }),
    session: async () => ({ headers: { authorization: `Bearer ${await valueOf(known.session)}` } }),
    trading: async () => {
      const accessToken = (await session()?.accessToken()) ?? '';
      return { headers: { authorization: `Bearer ${accessToken}` }, accessToken };
    },
    originator: async ({ method, url, body }) => {
      const { clientId = '', privateKey = '' } = known.originator ?? {};
      const timestamp = Math.floor(Date.now() / 1_000);
      key ??= readPrivateKey(privateKey);
      const signature = await signRequest(await key, { method, target: url.pathname + url.search, timestamp, body });
      return { headers: { 'x-client-id': clientId, 'x-timestamp': String(timestamp), 'x-signature': signature } };
    },
  };
  return async (request: PlainRequest): Promise<Proof> => {
    const accepted = rules.find(([path]) => path.test(request.url.pathname))?.[1] ?? [];
    if (accepted.length === 0) return { headers: {} };
    const kind = accepted.find((one) => known[one] !== undefined);
    if (kind === undefined)
      throw new TypeError(`${request.url.pathname} needs a credential: pass ${accepted.join(' or ')} to createClient`);
    return makers[kind](request);
  };
}

function valueOf(secret: Secret | undefined): string | Promise<string> {
  return typeof secret === 'function' ? secret() : (secret ?? '');
}
